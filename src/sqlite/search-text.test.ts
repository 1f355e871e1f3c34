import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldPhrase, foldText } from '../engine/fold-text.ts';
import type { IndexStore, TextTerm } from '../engine/index-store.ts';
import { packNotes } from '../engine/note-batch.ts';
import { queryOf } from '../engine/parse-query.ts';
import { packTexts } from '../engine/text-batch.ts';
import type { View } from '../engine/view.ts';
import { wholeVault } from '../engine/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';
import { fill, note, text } from './testing/index-records.ts';

const copy = 'Other.sync-conflict-20240101-120000-ABCDEFG.md';
const notes = [
  note('An apple.md'),
  note('Alias.md', [], { aliases: ['apple'] }),
  note('Heading.md', [], { detail: { headings: [[1, 'Ápple', 0]] } }),
  note('Tag.md', [], { tags: [['Apple', 1]] }),
  note('Body.md'),
  note('Other.md'),
  note(copy),
  note('Secret/Body.md'),
  note('Words.md'),
];
const texts = [
  text('An apple.md', 'nothing else'),
  text('Alias.md', 'nothing else'),
  text('Heading.md', 'nothing else'),
  text('Tag.md', 'nothing else'),
  text('Body.md', 'apple nothing'),
  text('Other.md', 'the red apple pie'),
  text(copy, 'the red apple pie'),
  text('Secret/Body.md', 'apple nothing'),
  text('Words.md', foldText('snake_case, Crème brûlée and 大学生')),
];

let store: IndexStore;
beforeEach(async () => {
  store = await openSqliteIndex({ file: ':memory:' });
  await fill(store, { notes, texts });
});
afterEach(() => store.close());

/** A query as the tests write it: terms by spaces, `-` negates, `*` at the end is a prefix. */
function terms(query: string): TextTerm[] {
  return query.split(' ').map((term) => ({
    words: foldPhrase(term.replaceAll('+', ' ')),
    negated: term.startsWith('-'),
    prefix: term.endsWith('*'),
  }));
}

const search = (query: string, view = wholeVault, page = { limit: 10, offset: 0 }) =>
  store.search(view, queryOf(terms(query)), page);

describe('search', () => {
  const rows: readonly [query: string, found: readonly string[]][] = [
    ['pie', ['Other.md', copy]],
    ['apple pie', ['Other.md', copy]],
    ['red+apple', ['Other.md', copy]],
    ['apple+red', []],
    ['appl', []],
    ['nothing els*', ['Alias.md', 'An apple.md', 'Heading.md', 'Tag.md']],
    ['apple -nothing', ['Other.md', copy]],
    ['-apple', ['Words.md']],
    ['snake+case', ['Words.md']],
    ['creme', ['Words.md']],
    ['学生', ['Words.md']],
    ['生*', ['Words.md']],
    ['', []],
    ['?!', []],
  ];
  it.each(rows)('finds for %j: %j', async (query, found) => {
    const { items, total } = await search(query);
    expect(items.map(({ path }) => path).sort()).toEqual([...found].sort());
    expect(total).toBe(found.length);
  });

  it('puts titles before aliases before headings and tags before bodies, and copies last', async () => {
    const { items } = await search('apple');
    expect(items.map(({ path }) => path)).toEqual([
      'An apple.md',
      'Alias.md',
      'Heading.md',
      'Tag.md',
      'Body.md',
      'Secret/Body.md',
      'Other.md',
      copy,
    ]);
    expect(items[0]?.score).toBeGreaterThan(items[1]?.score ?? 0);
  });

  it('neither shows nor counts what the view hides', async () => {
    const view: View = { folders: [''], hide: ['Secret'], exclude: [] };
    const { items, total } = await search('apple', view, { limit: 2, offset: 1 });
    expect(items.map(({ path }) => path)).toEqual(['Alias.md', 'Heading.md']);
    expect(total).toBe(7);
  });

  it('finds the new text and not the old after a change', async () => {
    await store.putNotes(packNotes([note('Body.md', [], { revision: 2 })]));
    await store.putTexts(packTexts([text('Body.md', 'pear', 2)]));
    expect((await search('pear')).items.map(({ path }) => path)).toEqual(['Body.md']);
    expect((await search('apple nothing')).items.map(({ path }) => path)).not.toContain('Body.md');
  });

  it('takes any words as words', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', 'AND', 'NOT', 'NEAR(', 'title:', '*', '^', '(', '\0', "'", 'body : x'),
    );
    const hostile = fc.array(
      fc.record({
        words: fc.array(word, { maxLength: 3 }),
        prefix: fc.boolean(),
        negated: fc.boolean(),
      }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (asked) => {
        const { items, total } = await store.search(wholeVault, queryOf(asked), {
          limit: 99,
          offset: 0,
        });
        expect(items.length).toBe(total);
      }),
      { numRuns: 300 },
    );
  });
});
