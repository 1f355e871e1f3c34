import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fill, note } from '../../../test/support/index-records.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

const all = { limit: 100, offset: 0 };
const withoutSecret: View = { folders: [''], hide: ['Secret'], exclude: [] };
const withinWork: View = { ...wholeVault, within: vaultPath('Work') };

let store: IndexStore;
beforeEach(async () => {
  store = await openSqliteIndex({ file: ':memory:' });
  await fill(store, {
    notes: [
      note('Plan.md', [], { aliases: ['The road', 'Way'] }),
      note('Work/Plan.md'),
      note('Work/Plan B.md'),
      note('Work/My plan.md'),
      note('Work/Explanation.md', [], { aliases: ['PLAN'] }),
      note('Work/Road map.md'),
      note('Secret/Plan.md', [], { aliases: ['Hidden way'] }),
      note('Встреча.md'),
      note('Work/Board.canvas'),
    ],
    files: ['Work/plan.png'],
  });
});
afterEach(() => store.close());

describe('named', () => {
  type Row = readonly [match: 'exact' | 'partial', query: string, view: View, expected: string[]];
  const rows: readonly Row[] = [
    [
      'exact',
      'plan',
      wholeVault,
      ['Plan.md', 'Secret/Plan.md', 'Work/Plan.md', 'Work/Explanation.md (PLAN)'],
    ],
    ['exact', 'PLAN.md', withoutSecret, ['Plan.md', 'Work/Plan.md', 'Work/Explanation.md (PLAN)']],
    ['exact', 'plan', withinWork, ['Work/Plan.md', 'Work/Explanation.md (PLAN)']],
    ['exact', 'pla', wholeVault, []],
    ['exact', 'board', wholeVault, ['Work/Board.canvas']],
    ['exact', 'Board.canvas', wholeVault, ['Work/Board.canvas']],
    ['exact', 'hidden way', withoutSecret, []],
    ['exact', 'встреча', wholeVault, ['Встреча.md']],
    [
      'partial',
      'plan',
      withoutSecret,
      ['Plan.md', 'Work/Plan.md', 'Work/Plan B.md', 'Work/My plan.md', 'Work/Explanation.md'],
    ],
    ['partial', 'road', wholeVault, ['Work/Road map.md', 'Plan.md (The road)']],
    ['partial', 'map road', wholeVault, ['Work/Road map.md']],
    ['partial', 'way', wholeVault, ['Plan.md (Way)', 'Secret/Plan.md (Hidden way)']],
    ['partial', 'way', withoutSecret, ['Plan.md (Way)']],
    ['partial', 'md', wholeVault, []],
    ['partial', 'png', wholeVault, []],
    ['partial', 'треч', wholeVault, ['Встреча.md']],
  ];
  it.each(rows)('finds, %s, %j', async (match, query, view, expected) => {
    const { total, items } = await store.named(view, { query, match, ...all });
    const shown = items.map(({ path, aliases }) =>
      aliases.length === 0 ? path : `${path} (${aliases.join(', ')})`,
    );
    expect(shown).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it('counts all of them beside any page', async () => {
    const ask = (limit: number, offset: number) =>
      store.named(withoutSecret, { query: 'plan', match: 'partial', limit, offset });
    expect(await ask(0, 0)).toEqual({ total: 5, items: [] });
    expect(await ask(10, 9)).toEqual({ total: 5, items: [] });
    expect((await ask(1, 2)).items).toEqual([{ path: 'Work/Plan B.md', aliases: [] }]);
  });
});

describe('closest', () => {
  const rows: readonly [asked: string, view: View, expected: string[]][] = [
    ['Paln B', wholeVault, ['Work/Plan B.md']],
    ['Plam', withoutSecret, ['Plan.md', 'Work/Plan.md', 'Work/Explanation.md (PLAN)']],
    ['Work/Plam', withoutSecret, ['Work/Plan.md', 'Work/Explanation.md (PLAN)', 'Plan.md']],
    ['Secret/Plan', withoutSecret, ['Plan.md', 'Work/Plan.md', 'Work/Explanation.md (PLAN)']],
    ['Hidden wya', wholeVault, ['Secret/Plan.md (Hidden way)']],
    ['Hidden wya', withoutSecret, []],
    ['plan.pgn', wholeVault, ['Work/plan.png', 'Plan.md', 'Secret/Plan.md']],
    ['Встречи.md', wholeVault, ['Встреча.md']],
    ['Qqqqqqq', wholeVault, []],
  ];
  it.each(rows)('to %j, seen by some, come those that are near', async (asked, view, expected) => {
    const found = await store.closest(view, asked, 3);
    const shown = found.map(({ path, alias }) =>
      alias === undefined ? path : `${path} (${alias})`,
    );
    expect(shown).toEqual(expected);
  });

  it('holds the nearest of very many', async () => {
    const notes = Array.from({ length: 3_000 }, (_, at) => note(`Many/Meeting ${at}.md`));
    await fill(store, { notes });
    expect((await store.closest(wholeVault, 'Meeting 2999x', 2)).map(({ path }) => path)).toEqual([
      'Many/Meeting 2999.md',
      'Many/Meeting 1999.md',
    ]);
    expect(await store.closest({ ...wholeVault, hide: ['Many'] }, 'Meeting 2999x', 2)).toEqual([]);
  });
});

describe('pathsFrom', () => {
  const rows: readonly [prefix: string, view: View, expected: string[]][] = [
    ['work/p', wholeVault, ['Work/Plan B.md', 'Work/Plan.md']],
    ['sec', wholeVault, ['Secret/Plan.md']],
    ['sec', withoutSecret, []],
    ['ВСТ', wholeVault, ['Встреча.md']],
    ['ork', wholeVault, []],
  ];
  it.each(rows)('finds the notes whose path begins with %j', async (prefix, view, expected) => {
    expect(await store.pathsFrom(view, prefix, 10)).toEqual({
      total: expected.length,
      items: expected,
    });
  });
});
