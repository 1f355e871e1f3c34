import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as q from '../../../test/support/search-queries.ts';
import { searchedVault } from '../../../test/support/searched-vault.ts';
import type { Query, QueryPlace } from '../../engine/ports/search-query.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { needsText } from '../../engine/search/needs-text.ts';

/** Words that have neither forms nor neighbours that they could be misspelled for. */
const vocabulary = ['a1', 'b2', 'c3', 'd4', 'e5'];
const word = fc.constantFrom(...vocabulary);
const row = fc.array(word, { minLength: 1, maxLength: 3 });

interface MadeNote {
  readonly title: readonly string[];
  readonly body: readonly string[];
  readonly tag: string | undefined;
  readonly value: string | null | undefined;
}

const madeNote: fc.Arbitrary<MadeNote> = fc.record({
  title: row,
  body: fc.array(word, { maxLength: 6 }),
  tag: fc.option(word, { nil: undefined }),
  value: fc.option(fc.option(word, { nil: null }), { nil: undefined }),
});

const places: readonly QueryPlace[] = ['content', 'file', 'path'];

const { query } = fc.letrec<{ query: Query; leaf: Query; node: Query }>((tie) => ({
  query: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('node')),
  leaf: fc.oneof(
    word.map(q.word),
    row.map((words) => q.quoted(words.join(' '))),
    word.map(q.tagged),
    word.map((one) => q.property('Key', q.quoted(one))),
    fc.constantFrom<Query>(q.property('key'), q.property('KEY', { kind: 'null' })),
  ),
  node: fc.oneof(
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((parts) => q.all(...parts)),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((parts) => q.any(...parts)),
    tie('query').map(q.not),
    fc
      .tuple(fc.constantFrom(...places), fc.oneof(word.map(q.word), tie('query')))
      .map(([place, part]) => q.within(place, part)),
    tie('query').map((part): Query => ({ kind: 'case', sensitive: false, part })),
  ),
}));

interface Place {
  readonly path: string;
  readonly note: MadeNote | undefined;
  readonly where: 'anywhere' | 'content' | 'file' | 'path';
}

/** Whether a file fulfils a query, by looking at all of it. */
function fulfils(query: Query, place: Place): boolean {
  const { note, path, where } = place;
  switch (query.kind) {
    case 'text': {
      if (where === 'path') return path.includes(query.text);
      if (where === 'file') return path.slice(path.lastIndexOf('/') + 1).includes(query.text);
      const fields = [note?.body ?? []];
      if (where === 'anywhere') fields.push(note?.title ?? [], note?.tag ? [note.tag] : []);
      return fields.some((words) => ` ${words.join(' ')} `.includes(` ${query.text} `));
    }
    case 'tag':
      return note?.tag === query.tag;
    case 'property': {
      if (note?.value === undefined) return false;
      if (query.value === undefined) return true;
      return query.value.kind === 'null'
        ? note.value === null
        : query.value.kind === 'text' && query.value.text === note.value;
    }
    case 'all':
      return query.parts.every((part) => fulfils(part, place));
    case 'any':
      return query.parts.some((part) => fulfils(part, place));
    case 'not':
      return !fulfils(query.part, place);
    case 'in':
      return fulfils(query.part, { ...place, where: query.place as Place['where'] });
    case 'case':
      return fulfils(query.part, place);
    case 'regex':
      return true;
  }
}

/** Whether a query says only what a file must not have: then files without text are not meant. */
function isExclusion(query: Query): boolean {
  switch (query.kind) {
    case 'not':
      return !isExclusion(query.part);
    case 'all':
      return query.parts.every(isExclusion);
    case 'any':
      return query.parts.some(isExclusion);
    case 'in':
    case 'case':
      return isExclusion(query.part);
    default:
      return false;
  }
}

describe('search', () => {
  it('finds exactly the files that fulfil a query, whatever it is made of', async () => {
    const vault = fc.array(madeNote, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        vault,
        fc.array(query, { minLength: 8, maxLength: 8 }),
        async (notes, asked) => {
          const files = new Map<string, MadeNote | undefined>(
            notes.map((note, at) => [
              `${at % 2 ? 'a1/' : ''}${note.title.join(' ')} ${at}.md`,
              note,
            ]),
          );
          const texts = Array.from(files, ([path, note]) => [path, recordOf(note as MadeNote)]);
          const store = await searchedVault(Object.fromEntries(texts), ['a1/b2.png', 'c3.pdf']);
          files.set('a1/b2.png', undefined).set('c3.pdf', undefined);
          for (const one of asked) {
            const page = await store.search(wholeVault, one, { limit: 100, offset: 0 });
            const onlyText = isExclusion(one);
            const expected = Array.from(files)
              .filter(([path, note]) => {
                if (note === undefined && onlyText) return false;
                const title = path.replace(/^.*\/|\.[a-z]+$/g, '').split(' ');
                return fulfils(one, { path, note: note && { ...note, title }, where: 'anywhere' });
              })
              .map(([path]) => path);
            const found = page.items.map(({ path }) => path as string);
            if (page.whole !== undefined) {
              expect(page.whole, JSON.stringify(one)).toBe(expected.length);
              expect(found).toEqual(expect.arrayContaining(expected));
            }
            // Where only the texts can decide, the index lists at least what fulfils the query.
            else if (needsText(one)) expect(found).toEqual(expect.arrayContaining(expected));
            else expect(found.sort(), JSON.stringify(one)).toEqual(expected.sort());
          }
          await store.close();
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});

function recordOf({ body, tag, value }: MadeNote) {
  const type = value === null ? 'empty' : 'text';
  return {
    body: body.join(' '),
    facts: {
      tags: tag === undefined ? [] : ([[tag, 1]] as const),
      properties: value === undefined ? [] : ([['key', type]] as const),
      detail: { properties: value === undefined ? [] : ([['key', type, value]] as const) },
    },
  };
}
