import { names, properties, rows, table, type ViewRow } from './view-cases.ts';

// What the sheet about Bases says of sorting, limits, groups and summaries. These rows were written
// from its text before the evaluator was asked.

const summary = (what: string) => table(`summaries:\n  ${what}\n`);

const mixed = {
  'n1.md': properties({ k: 'b' }),
  'n2.md': properties({ k: 2 }),
  'n3.md': properties({ k: true }),
  'n4.md': properties({ k: '2025-01-01' }),
  'n5.md': properties({ k: [] }),
  'n6.md': properties({ k: 10 }),
  'n7.md': properties({}),
  'n8.md': properties({ k: 'A' }),
};

export const orders: readonly ViewRow[] = [
  {
    what: 'mixed types',
    vault: mixed,
    base: table('sort:\n  - property: k\n    direction: ASC\n'),
    answer: rows('n3 n2 n6 n4 n8 n1 n5 n7'),
  },
  {
    what: 'mixed types, the other way, with the empty ones last',
    vault: mixed,
    base: table('sort:\n  - property: k\n    direction: DESC\n'),
    answer: rows('n1 n8 n4 n6 n2 n3 n5 n7'),
  },
  {
    what: 'booleans, where a missing one is false',
    base: table('sort:\n  - property: done\n    direction: ASC\n'),
    answer: rows('b c a d'),
  },
  {
    what: 'booleans the other way',
    base: table('sort:\n  - property: done\n    direction: DESC\n'),
    answer: rows('a d b c'),
  },
  {
    what: 'names, by natural numbers',
    vault: { 'x10.md': '', 'x9.md': '', 'X1.md': '' },
    base: table('sort:\n  - property: file.name\n    direction: ASC\n'),
    answer: rows('X1 x9 x10'),
  },
  {
    what: 'durations by length',
    vault: {
      'a.md': properties({ d: '3h' }),
      'b.md': properties({ d: '100m' }),
      'c.md': properties({ d: '1d' }),
    },
    base: table(
      'sort:\n  - property: formula.d\n    direction: ASC\n',
      'formulas:\n  d: duration(d)\n',
    ),
    answer: rows('b a c'),
  },
  {
    what: 'links by their shown text',
    vault: {
      'a.md': properties({ l: '[[A|z]]' }),
      'b.md': properties({ l: '[[Z|a]]' }),
      'c.md': properties({ l: '[[M]]' }),
    },
    base: table('sort:\n  - property: l\n    direction: ASC\n'),
    answer: rows('b c a'),
  },
  {
    what: 'errors count as empty',
    base: table(
      'sort:\n  - property: formula.e\n    direction: DESC\n',
      'formulas:\n  e: if(n == 10, s * 2, n)\n',
    ),
    answer: {
      columns: ['file.name'],
      rows: names('a d b c'),
      errors: [{ at: 'formula.e', code: 'type' }],
    },
  },
  {
    what: 'three keys',
    base: table(
      'sort:\n  - property: done\n    direction: DESC\n  - property: s\n    direction: DESC\n  - property: n\n    direction: ASC\n',
    ),
    answer: rows('d a b c'),
  },
  { what: 'a limit', base: table('limit: 2\n'), answer: { ...rows('a b'), total: 4 } },
  { what: 'a limit of more', base: table('limit: 9\n'), answer: rows('a b c d') },
  { what: 'a negative limit', base: table('limit: -1\n'), answer: rows('a b c d') },
  { what: 'a limit that is no number', base: table('limit: two\n'), answer: rows('a b c d') },
  {
    what: 'a limit after the sort',
    base: table('limit: 1\nsort:\n  - property: n\n    direction: DESC\n'),
    answer: { ...rows('b'), total: 4 },
  },
  {
    what: 'groups by a boolean, without a key last',
    base: table('groupBy:\n  property: done\n  direction: DESC\n'),
    answer: {
      ...rows('a b c d'),
      groups: [
        { key: true, paths: ['a.md', 'Sub/d.md'] },
        { key: false, paths: ['b.md'] },
        { key: null, paths: ['c.md'] },
      ],
    },
  },
  {
    what: 'groups by a date',
    base: table('groupBy:\n  property: due\n  direction: ASC\n'),
    answer: {
      ...rows('a b c d'),
      groups: [
        { key: { $date: '2025-01-01' }, paths: ['b.md'] },
        { key: { $date: '2025-03-01' }, paths: ['a.md'] },
        { key: null, paths: ['c.md', 'Sub/d.md'] },
      ],
    },
  },
  {
    what: 'groups by a link as it is written',
    vault: {
      'A.md': properties({ l: '[[A]]' }),
      'b.md': properties({ l: '[[A.md]]' }),
      'c.md': properties({ l: '[[A]]' }),
    },
    base: table('groupBy:\n  property: l\n  direction: ASC\n'),
    answer: {
      ...rows('A b c'),
      groups: [
        { key: { $link: 'A', path: 'A.md' }, paths: ['A.md', 'c.md'] },
        { key: { $link: 'A.md', path: 'A.md' }, paths: ['b.md'] },
      ],
    },
  },
  {
    what: 'groups by the folder',
    base: table('groupBy:\n  property: file.folder\n  direction: ASC\n'),
    answer: {
      ...rows('a b c d'),
      groups: [
        { key: '/', paths: ['a.md', 'b.md', 'c.md'] },
        { key: 'Sub', paths: ['Sub/d.md'] },
      ],
    },
  },
  {
    what: 'no rows, no groups',
    base: table('groupBy:\n  property: s\n  direction: ASC\n', 'filters: false\n'),
    answer: { columns: ['file.name'], rows: [], errors: [], groups: [] },
  },
];

const summed = (value: Readonly<Record<string, unknown>>) => ({
  ...rows('a b c d'),
  summaries: value,
});
export const summaries: readonly ViewRow[] = [
  { what: 'Sum', base: summary('n: Sum'), answer: summed({ 'note.n': 14 }) },
  { what: 'Median', base: summary('n: Median'), answer: summed({ 'note.n': 3 }) },
  {
    what: 'Latest',
    base: summary('due: Latest'),
    answer: summed({ 'note.due': { $date: '2025-03-01' } }),
  },
  { what: 'Unchecked', base: summary('done: Unchecked'), answer: summed({ 'note.done': 1 }) },
  { what: 'Unique', base: summary('n: Unique'), answer: summed({ 'note.n': 3 }) },
  { what: 'Empty of tags', base: summary('tags: Empty'), answer: summed({ 'note.tags': 2 }) },
  { what: 'Filled of texts', base: summary('s: Filled'), answer: summed({ 'note.s': 4 }) },
  { what: 'Min of texts', base: summary('s: Min'), answer: summed({ 'note.s': null }) },
  { what: 'Earliest of numbers', base: summary('n: Earliest'), answer: summed({ 'note.n': null }) },
  { what: 'Checked of numbers', base: summary('n: Checked'), answer: summed({ 'note.n': 0 }) },
  { what: 'Sum of a missing one', base: summary('q: Sum'), answer: summed({ 'note.q': 0 }) },
  {
    what: 'Stddev of a missing one',
    base: summary('q: Stddev'),
    answer: summed({ 'note.q': null }),
  },
  {
    what: 'two',
    base: summary('n: Sum\n  note.s: Unique'),
    answer: summed({ 'note.n': 14, 'note.s': 3 }),
  },
  {
    what: 'names in another case',
    base: summary('n: sum'),
    answer: {
      ...summed({ 'note.n': { $error: 'unknown_summary' } }),
      errors: [{ at: 'summaries.note.n', code: 'unknown_summary' }],
    },
  },
  {
    what: 'one of the base',
    base: table(
      'summaries:\n  n: top\n',
      'summaries:\n  top: values.filter(value.isType("number")).sort().reverse()[0]\n',
    ),
    answer: summed({ 'note.n': 10 }),
  },
  {
    what: 'one of the base goes before a default',
    base: table('summaries:\n  n: Sum\n', 'summaries:\n  Sum: values.length * 100\n'),
    answer: summed({ 'note.n': 400 }),
  },
  {
    what: 'of a formula',
    base: table('summaries:\n  formula.f: Sum\n', 'formulas:\n  f: n * 2\n'),
    answer: summed({ 'formula.f': 28 }),
  },
  {
    what: 'errors count as null',
    base: table('summaries:\n  formula.f: Empty\n', 'formulas:\n  f: if(n == 10, s * 2, n)\n'),
    answer: {
      ...summed({ 'formula.f': 2 }),
      errors: [{ at: 'formula.f', code: 'type' }],
    },
  },
  {
    what: 'none over no rows',
    base: table('summaries:\n  n: Average\n', 'filters: false\n'),
    answer: { columns: ['file.name'], rows: [], errors: [], summaries: { 'note.n': null } },
  },
  {
    what: 'of each group',
    base: table(
      'groupBy:\n  property: s\n  direction: ASC\nsummaries:\n  n: Max\n',
      'filters: s != "z"\n',
    ),
    answer: {
      ...rows('a b c'),
      groups: [
        { key: 'x', paths: ['a.md', 'c.md'], summaries: { 'note.n': 3 } },
        { key: 'y', paths: ['b.md'], summaries: { 'note.n': 10 } },
      ],
      summaries: { 'note.n': 10 },
    },
  },
];
