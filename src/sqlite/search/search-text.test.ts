import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import * as q from '../../../test/support/search-queries.ts';
import { foundPaths, searchedVault } from '../../../test/support/searched-vault.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { foldText } from '../../engine/text/fold-text.ts';

const copy = 'Other.sync-conflict-20240101-120000-ABCDEFG.md';
let store: IndexStore;
beforeAll(async () => {
  store = await searchedVault(
    {
      'An apple.md': 'nothing else',
      'Alias.md': { body: 'nothing else', facts: { aliases: ['An äpple'] } },
      'Heading.md': { body: 'nothing else', facts: { detail: { headings: [[1, 'Ápple', 0]] } } },
      'Tag.md': { body: 'nothing else', facts: { tags: [['Apple/Green', 1]] } },
      'Body.md': 'apple nothing',
      'Other.md': 'the red apple pie',
      [copy]: 'the red apple pie',
      'Secret/Body.md': 'apple nothing secretly',
      'Words.md': 'snake_case, Crème brûlée and 大学生',
      'Board.canvas': 'a pie on a board',
      'Props.md': {
        body: 'values',
        facts: {
          properties: [
            ['Status', 'text'],
            ['rating', 'number'],
            ['due', 'date'],
            ['people', 'list'],
            ['none', 'empty'],
            ['blank', 'text'],
          ],
          detail: {
            properties: [
              ['Status', 'text', 'In Progrèss now'],
              ['rating', 'number', 4],
              ['due', 'date', '2024-05-01'],
              ['people', 'list', ['Ada Lovelace', 'Bob']],
              ['none', 'empty', null],
              ['blank', 'text', ''],
            ],
          },
        },
      },
    },
    ['Images/Äpple.JPG', 'Images/pear.png'],
  );
});
afterAll(() => store.close());

const check = async (query: Query, expected: readonly string[]) => {
  expect((await foundPaths(store, query)).sort()).toEqual([...expected].sort());
};

describe('search by words', () => {
  const rows: readonly [query: Query, found: readonly string[]][] = [
    [q.words('pie'), ['Other.md', copy, 'Board.canvas']],
    [q.words('apple pie'), ['Other.md', copy]],
    [q.quoted('red apple'), ['Other.md', copy]],
    [q.quoted('apple red'), []],
    [q.words('nothing els'), ['Alias.md', 'An apple.md', 'Heading.md', 'Tag.md']],
    [q.all(q.word('apple'), q.not(q.word('nothing'))), ['Other.md', copy]],
    [q.not(q.word('apple')), ['Words.md', 'Board.canvas', 'Props.md']],
    [q.any(q.quoted('snake case'), q.word('board')), ['Words.md', 'Board.canvas']],
    [q.all(q.word('pie'), q.not(q.all(q.word('red'), q.word('apple')))), ['Board.canvas']],
    [q.words('CREME'), ['Words.md']],
    [q.words('学生'), ['Words.md']],
    [q.words('生'), ['Words.md']],
    [q.words('学'), ['Words.md']],
    [q.within('content', q.word('apple')), ['Body.md', 'Other.md', copy, 'Secret/Body.md']],
    [q.all(), []],
    [q.all(q.word('?!')), []],
    [q.all(q.word('?!'), q.word('board')), ['Board.canvas']],
    [q.not(q.word('?!')), []],
  ];
  it.each(rows)('finds for %j: %j', check);
});

describe('search by other things than words', () => {
  const green = ['Tag.md'];
  const props = ['Props.md'];
  const value = q.quoted;
  const rows: readonly [query: Query, found: readonly string[]][] = [
    [q.tagged('apple'), green],
    [q.tagged('APPLE/green'), green],
    [q.tagged('app'), []],
    [q.all(q.tagged('apple'), q.word('nothing')), green],
    [q.all(q.word('else'), q.not(q.tagged('apple')), q.words('heading')), ['Heading.md']],
    [q.within('file', q.word('.jpg')), ['Images/Äpple.JPG']],
    [q.within('file', q.word('APPLE')), ['An apple.md', 'Images/Äpple.JPG']],
    [q.within('file', q.word('images')), []],
    [q.within('path', q.word('images/')), ['Images/Äpple.JPG', 'Images/pear.png']],
    [
      q.within('path', q.any(q.word('pear'), q.word('secret'))),
      ['Images/pear.png', 'Secret/Body.md'],
    ],
    [
      q.all(q.within('path', q.word('images')), q.not(q.word('x'))),
      ['Images/Äpple.JPG', 'Images/pear.png'],
    ],
    [q.all(q.word('apple'), q.within('path', q.word('secret'))), ['Secret/Body.md']],
    [q.property('status'), props],
    [q.property('stat'), []],
    [q.property('STATUS', value('in progress')), props],
    [q.property('status', value('progress in')), []],
    [q.property('people', value('lovelace')), props],
    [q.property('people', { kind: 'any', parts: [value('eve'), value('bob')] }), props],
    [q.property('people', { kind: 'not', part: value('eve') }), props],
    [q.property('none', { kind: 'null' }), props],
    [q.property('blank', { kind: 'null' }), []],
    [q.property('people', { kind: 'null' }), []],
    [q.property('rating', q.compare('<', '5')), props],
    [q.property('rating', q.compare('<', '4')), []],
    [q.property('rating', q.compare('>=', '4')), props],
    [q.property('rating', q.compare('<', 'x')), []],
    [q.property('due', q.compare('<', '2024-06')), props],
    [q.property('due', q.compare('>', '2024-06-01')), []],
    [q.all(q.word('apple'), q.property('status')), []],
  ];
  it.each(rows)('finds for %j: %j', check);

  it('orders by path what has no words to rank by', async () => {
    expect(await foundPaths(store, q.within('path', q.word('ag')))).toEqual([
      'Images/pear.png',
      'Images/Äpple.JPG',
      'Tag.md',
    ]);
  });
});

describe('search where only the text can tell', () => {
  const pies = ['Other.md', copy];
  const rows: readonly [query: Query, found: readonly string[]][] = [
    [q.within('line', q.all(q.word('red'), q.word('pie'))), pies],
    [q.within('task', q.all(q.word('red'), q.not(q.word('pie')))), pies],
    [q.all(q.regex('^x'), q.word('red')), pies],
    [q.all(q.word('red'), q.not(q.regex('red'))), pies],
    [q.all(q.word('red'), q.not(q.within('section', q.word('red')))), pies],
    [{ kind: 'case', sensitive: true, part: q.word('RED') }, pies],
    [q.all(q.word('red'), q.not({ kind: 'case', sensitive: true, part: q.word('RED') })), pies],
    [q.all(q.property('status', { kind: 'regex', source: 'x' })), ['Props.md']],
  ];
  it.each(rows)('finds all that may fulfil %j: %j', check);

  it('finds every file with text where nothing else is asked', async () => {
    for (const query of [q.regex('x'), q.within('task', q.quoted('')), q.not(q.regex('x'))]) {
      expect(await foundPaths(store, query)).toHaveLength(11);
    }
  });
});

describe('a view', () => {
  const view: View = { folders: [''], hide: ['Secret'], exclude: [] };

  it('neither shows nor counts what it hides, nor tells words that only that has', async () => {
    const { items, total } = await store.search(view, q.words('apple'), { limit: 2, offset: 1 });
    expect(items).toHaveLength(2);
    expect(total).toBe(7);
    expect(await foundPaths(store, q.within('path', q.word('secret')), view)).toEqual([]);
    for (const query of [q.words('secretli'), q.words('secret'), q.words('sceretly')]) {
      const all = await store.search(wholeVault, query, { limit: 9, offset: 0 });
      expect([all.total, all.alternatives.length]).toEqual([1, 1]);
      const seen = await store.search(view, query, { limit: 9, offset: 0 });
      expect([seen.total, seen.alternatives.length]).toEqual([0, 0]);
    }
  });

  it('follows files that come', async () => {
    const changing = await searchedVault({ 'a.md': 'one' });
    expect(await foundPaths(changing, q.words('one'), view)).toEqual(['a.md']);
    await changing.putNotes(packNotes([note('b.md'), note('Secret/b.md')]));
    await changing.putTexts(packTexts([text('b.md', 'one'), text('Secret/b.md', 'one')]));
    expect(await foundPaths(changing, q.words('one'), view)).toEqual(['a.md', 'b.md']);
    await changing.close();
  });
});

describe('any words', () => {
  const strange = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('"', 'AND', 'NOT', 'NEAR(', 'title:', '*', '^', '(', '\0', "'", 'body : x'),
    fc.constantFrom('\ud800', 'a\ud800b', 'x'.repeat(1_000), 'a '.repeat(500), '%_\\', '-', '{a}'),
  );
  const leaf = strange.chain((text) =>
    fc.constantFrom<Query>(
      q.word(text),
      q.quoted(text),
      q.begun(text),
      q.tagged(text),
      q.property(text, q.quoted(text)),
      q.within('file', q.word(text)),
      q.within('line', q.not(q.word(text))),
    ),
  );
  it('are taken as words, and the same query gives the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(leaf, { maxLength: 4 }), fc.boolean(), async (parts, isAll) => {
        const query = isAll ? q.all(...parts) : q.any(...parts.map(q.not), ...parts);
        const paths = await foundPaths(store, query);
        expect(await foundPaths(store, query)).toEqual(paths);
      }),
      { numRuns: 200 },
    );
  });

  it('are found as the text has them after a change, and no more as it had them', async () => {
    const changing = await searchedVault({ 'a.md': 'apple', 'b.md': 'pear' });
    await changing.putNotes(packNotes([note('a.md', [], { revision: 2 })]));
    await changing.putTexts(packTexts([text('a.md', foldText('quince'), 2)]));
    expect(await foundPaths(changing, q.words('quince'))).toEqual(['a.md']);
    expect(await foundPaths(changing, q.words('apple'))).toEqual([]);
    await changing.close();
  });
});
