import { expect, it } from 'vitest';
import type { VaultFigures } from '../../bench/bench-rows.ts';
import { benchTable } from '../../bench/bench-table.ts';

const figures: VaultFigures = {
  notes: 10_000,
  ours: {
    spawn: 150,
    search: 2,
    searchFirst: 40,
    backlinks: 1,
    rename: 'wrong',
    tags: 0.5,
    readLogged: 1.2,
    lines: 90,
    listBytes: 10_149,
    memoryAfter: 300,
    second: 400,
  },
  peers: {
    one: {
      figures: { spawn: 200, search: 90, backlinks: 150, rename: 'late' },
      instead: ['backlinks'],
    },
    other: { figures: { search: 'wrong', searchFirst: 'late', tags: 20_000 }, instead: [] },
  },
  limits: { spawn: 100, readLogged: 1.1, search: 80, lines: 50, second: 100 },
};

/** The cells of a row, without the column that says what it is. */
const rowOf = (what: string): readonly string[] =>
  benchTable(figures)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((cells) => cells[1] === what)
    ?.slice(2, -1) ?? [];

it.each<[string, ...string[]]>([
  [
    '',
    'vaultdoor',
    'one',
    'other',
    'the limit',
    'times faster than the fastest peer',
    'times the limit',
    'aim',
    'met',
  ],
  [
    'spawn to `initialize`',
    '150 ms',
    '200 ms',
    '–',
    '100 ms bare Node',
    '1.3×',
    '1.5×',
    '≤ 1.6× the limit',
    'yes',
  ],
  [
    'read a note, with `--log-reads`',
    '1.2 ms',
    '–',
    '–',
    '1.1 ms without it',
    '–',
    '1.1×',
    '≤ 1.05× the limit',
    '**no**',
  ],
  ['`tools/list`, size', '10.1 kB', '–', '–', '–', '–', '–', '', ''],
  // A wrong answer is no rival.
  [
    'text search, warm',
    '2.0 ms',
    '90 ms',
    'wrong',
    '80 ms rg',
    '45×',
    '0.03×',
    '≥ 50× the peer at 10,000 notes',
    '**no**',
  ],
  // One that is too late took at least as long.
  ['text search, first', '40 ms', '–', '> 60 s', '–', '1500×', '–', '', ''],
  ['all tags', '0.50 ms', '–', '20.0 s', '–', '40000×', '–', '', ''],
  ['backlinks', '1.0 ms', '150 ms †', '–', '–', '150×', '–', '≥ 100× the peer', 'yes'],
  ['rename, 100 referring notes', 'wrong', '> 60 s', '–', '–', '–', '–', '≥ 100× the peer', ''],
  ['line search', '90 ms', '–', '–', '50 ms rg', '–', '1.8×', '≤ 1.5× the limit', '**no**'],
  // These aims are about vaults that are ten times larger.
  [
    'second start, ready',
    '400 ms',
    '–',
    '–',
    '100 ms stat walk',
    '–',
    '4.0×',
    '≤ 3× the limit at 100,000 notes',
    '',
  ],
  ['memory, after all this', '300 MB', '–', '–', '–', '–', '–', '< 250 MB at 100,000 notes', ''],
])('the row of %j', (what, ...cells) => {
  expect(rowOf(what)).toEqual(cells);
});

it('has lines of one length, so that it can be read as it is', () => {
  const lengths = benchTable(figures)
    .split('\n')
    .map((line) => [...line].length);
  expect(new Set(lengths).size).toBe(1);
});
