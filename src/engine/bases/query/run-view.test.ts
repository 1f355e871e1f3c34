import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import { evaluateSource } from '../../operations/query/query-base.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { baseFrom } from '../syntax/read-base.ts';

// The order of rows over an index, beside a comparison that is written here from what docs/bases.md
// says, and that shares no code with it.

/** What a value is sorted by: its rank and a number or a text; undefined when it is empty. */
type Key = readonly [rank: number, by: number | string] | undefined;

/** Values as they are written in a note, and what they are sorted by. Some are equal. */
const values: readonly (readonly [written: string, key: Key])[] = [
  ['', undefined],
  ['""', undefined],
  ['[]', undefined],
  ['{}', undefined],
  ['false', [0, 0]],
  ['true', [0, 1]],
  ['-2.5', [1, -2.5]],
  ['3', [1, 3]],
  ['3.0', [1, 3]],
  ['20', [1, 20]],
  ['2025-01-02', [2, new Date(2025, 0, 2).getTime()]],
  ['2025-01-02T10:00', [2, new Date(2025, 0, 2, 10).getTime()]],
  ['2024-12-31', [2, new Date(2024, 11, 31).getTime()]],
  ['"3"', [4, '3']],
  ['b10', [4, 'b10']],
  ['b9', [4, 'b9']],
  ['B9', [4, 'B9']],
  ['é', [4, 'é']],
  ['e', [4, 'e']],
  ['zoë, -x_', [4, 'zoë, -x_']],
  ['"[[n1|Alpha]]"', [4, 'Alpha']],
  ['"[[alpha]]"', [4, 'alpha']],
  ['[b, c]', [4, 'b, c']],
  ['[b10]', [4, 'b10']],
];

const count = 150;
/** The value of each note's properties: those of `flag` are booleans or missing. */
const notes = Array.from({ length: count }, (_, at) => ({
  path: `${['', 'Sub/', 'sub b/'][at % 3]}n${at}.md`,
  p: values[(at * 7 + (at % 5)) % values.length] ?? values[0],
  q: values[(at * at + 3) % values.length] ?? values[0],
  flag: ([['true', [0, 1]], ['false', [0, 0]], undefined] as const)[(at * 5) % 7] as
    | readonly [string, Key]
    | undefined,
}));

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compare(a: Key, b: Key, isDown: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [[rank, by], [otherRank, other]] = [a, b];
  const order =
    rank !== otherRank
      ? rank - otherRank
      : typeof by === 'string'
        ? collator.compare(by, String(other))
        : by - Number(other);
  return isDown ? 0 - order : order;
}

const byPath = (a: string, b: string) => collator.compare(a, b) || (a < b ? -1 : 1);

type Note = (typeof notes)[number];
/** What a column is sorted by, as a base names it. */
const keyOf: Readonly<Record<string, (note: Note) => Key>> = {
  p: ({ p }) => p?.[1],
  'note.P': ({ p }) => p?.[1],
  'formula.q': ({ q }) => q?.[1],
  q: ({ q }) => q?.[1],
  flag: ({ flag }) => flag?.[1] ?? [0, 0],
  missing: () => undefined,
  'file.name': ({ path }) => [4, path.replace(/^.*\//, '').replace('.md', '')],
};

let opened: IndexedVault;
let vault: BoundVault;
beforeAll(async () => {
  const files = notes.map(({ path, p, q, flag }) => {
    const lines = [
      `p: ${p?.[0]}`,
      `q: ${q?.[0]}`,
      ...(flag === undefined ? [] : [`flag: ${flag[0]}`]),
    ];
    return [path, `---\n${lines.join('\n')}\n---\n`] as const;
  });
  opened = await indexMemoryVault(memoryDisk(Object.fromEntries(files)));
  const { signal } = new AbortController();
  vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
});
afterAll(() => opened.close());

it('sorts, pages and groups over an index as values compared one by one', async () => {
  const property = fc.constantFrom(...Object.keys(keyOf));
  const direction = fc.constantFrom('ASC', 'DESC');
  const sort = fc.array(fc.record({ property, direction }), { minLength: 1, maxLength: 3 });
  const page = fc.record({ offset: fc.nat(20), limit: fc.constantFrom(3, 11, 200) });
  const group = fc.option(fc.record({ property, direction }), { freq: 2 });
  await fc.assert(
    fc.asyncProperty(sort, page, group, fc.constantFrom(0, 90), async (by, at, groupBy, limit) => {
      const base = baseFrom({
        filters: 'file.ext == "md"',
        formulas: { q: 'q' },
        views: [{ sort: by, limit, ...(groupBy === null ? {} : { groupBy }) }],
      });
      const [view] = base.views;
      if (view === undefined) throw new Error('A base has a view.');
      const source = { base, view, self: undefined, path: undefined, page: at };
      const found = await evaluateSource(vault, source);
      const expected = notes
        .toSorted((a, b) => {
          for (const { property: name, direction: way } of by) {
            const order = compare(keyOf[name]?.(a), keyOf[name]?.(b), way === 'DESC');
            if (order !== 0) return order;
          }
          return byPath(a.path, b.path);
        })
        .slice(0, limit || count);
      const paths = expected.map(({ path }) => path);
      expect(found.errors).toEqual([]);
      expect(found.paths).toEqual(paths.slice(at.offset, at.offset + at.limit));
      if (groupBy === null) return;
      const place = new Map(paths.map((path, nth) => [path, nth]));
      const groups = found.groups ?? [];
      expect(groups.flatMap((each) => each.paths).toSorted()).toEqual(paths.toSorted());
      const key = (path: string) => {
        const note = notes.find((each) => each.path === path);
        // The group without a key is the last one, also where booleans are sorted.
        if (note === undefined || (groupBy.property === 'flag' && note.flag === undefined)) return;
        return keyOf[groupBy.property]?.(note);
      };
      const down = groupBy.direction === 'DESC';
      groups.forEach(({ paths: own }, nth) => {
        expect(own).toEqual(own.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)));
        for (const path of own) expect(compare(key(path), key(own[0] ?? ''), down)).toBe(0);
        const next = groups[nth + 1]?.paths[0];
        if (next === undefined) return;
        expect(compare(key(own[0] ?? ''), key(next), down)).toBeLessThanOrEqual(0);
      });
    }),
    { numRuns: counted({ quick: 60, full: 600, soak: 20_000 }) },
  );
});
