/** A base over a small vault: its rows by the first column, and whatever else its answer has. */
export interface ViewRow {
  readonly what: string;
  readonly base: string;
  readonly vault?: Readonly<Record<string, string>>;
  readonly view?: string;
  readonly this?: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

// What the sheet about Bases says of files, filters, order, groups and summaries. These rows were
// written from its text before the evaluator was asked.

export const properties = (value: Readonly<Record<string, unknown>>) =>
  `---\n${JSON.stringify(value)}\n---\n`;

/** Four notes: numbers, texts, booleans, dates and tags, and one note that has hardly any. */
export const fourNotes = {
  'a.md': properties({ n: 3, s: 'x', done: true, due: '2025-03-01', tags: ['t/u'] }),
  'b.md': properties({ n: 10, s: 'y', done: false, due: '2025-01-01' }),
  'c.md': properties({ s: 'x' }),
  'Sub/d.md': properties({ n: 1, s: 'z', done: true, tags: ['t'] }),
};

export const names = (text: string) => text.split(' ').map((name) => [name]);
export const rows = (text: string) => ({ columns: ['file.name'], rows: names(text), errors: [] });
const none = (at: string, code: string) => ({
  columns: ['file.name'],
  rows: [],
  errors: [{ at, code }],
});
/** A base with one view that shows names; `more` are lines of the view, `top` those of the base. */
export const table = (more: string, top = '') =>
  `${top}views:\n  - type: table\n    name: T\n    order: [file.name]\n${more.replace(/^(?=.)/gm, '    ')}`;

export const filters: readonly ViewRow[] = [
  { what: 'a text', base: table('', 'filters: n > 2\n'), answer: rows('a b') },
  {
    what: 'and: all',
    base: table('', 'filters:\n  and:\n    - s == "x"\n    - n == 3\n'),
    answer: rows('a'),
  },
  { what: 'true', base: table('', 'filters: true\n'), answer: rows('a b c d') },
  {
    what: 'false',
    base: table('', 'filters: false\n'),
    answer: { columns: ['file.name'], rows: [], errors: [] },
  },
  { what: 'an empty and', base: table('', 'filters:\n  and: []\n'), answer: rows('a b c d') },
  { what: 'one item', base: table('', 'filters:\n  or: n == 3\n'), answer: rows('a') },
  {
    what: 'one item that is a filter',
    base: table('', 'filters:\n  not:\n    or: [n == 3, n == 10]\n'),
    answer: rows('c d'),
  },
  {
    what: 'not with a missing value',
    base: table('', 'filters:\n  not:\n    - done\n'),
    answer: rows('b c'),
  },
  {
    what: 'or stops at the first true',
    base: table('', 'filters:\n  or:\n    - s.contains("x")\n    - n.nosuch()\n'),
    answer: {
      columns: ['file.name'],
      rows: names('a c'),
      errors: [{ at: 'filters.or[1]', code: 'unknown_function' }],
    },
  },
  {
    what: 'and stops at the first false',
    base: table('', 'filters:\n  and:\n    - s == "q"\n    - n.nosuch()\n'),
    answer: { columns: ['file.name'], rows: [], errors: [] },
  },
  { what: 'a value that is truthy', base: table('', 'filters: n\n'), answer: rows('a b d') },
  {
    what: 'a formula',
    base: table('', 'formulas:\n  twice: n * 2\nfilters: formula.twice > 5\n'),
    answer: rows('a b'),
  },
  {
    what: 'a formula that is not there',
    base: table('', 'filters: formula.nope.isEmpty()\n'),
    answer: rows('a b c d'),
  },
  { what: 'a tag', base: table('', 'filters: file.hasTag("t")\n'), answer: rows('a d') },
  { what: 'no tag', base: table('', 'filters: tags.isEmpty()\n'), answer: rows('b c') },
  { what: 'a date', base: table('', 'filters: due > "2025-02-01"\n'), answer: rows('a') },
  {
    what: 'a property that only some have',
    base: table('', 'filters: file.hasProperty("due")\n'),
    answer: rows('a b'),
  },
  {
    what: 'of the view alone',
    base: table('filters: s == "y"\n'),
    answer: rows('b'),
  },
  {
    what: 'of base and view, both groups',
    base: table('filters:\n  or: [n == 3, n == 1]\n', 'filters:\n  not: [s == "z"]\n'),
    answer: rows('a'),
  },
  {
    what: 'an unknown function in a nested one',
    base: table('', 'filters:\n  and:\n    - or:\n        - nosuch()\n'),
    answer: none('filters.and[0].or[0]', 'unknown_function'),
  },
  {
    what: 'one that does not parse, among others',
    base: table('', 'filters:\n  or:\n    - n == 3\n    - "n >"\n'),
    answer: none('filters.or[1]', 'parse'),
  },
  {
    what: 'a wrong key',
    base: table('', 'filters:\n  xor: [n == 3]\n'),
    answer: none('filters', 'base_schema'),
  },
  {
    what: 'a type error',
    base: table('', 'filters: s * 2 > 1\n'),
    answer: none('filters', 'type'),
  },
];

export const files: readonly ViewRow[] = [
  {
    what: 'an empty base has all files by name',
    base: '',
    answer: rows('a b c d'),
  },
  {
    what: 'a base is YAML',
    base: 'filters: [\n',
    answer: { errors: [{ at: '', code: 'base_yaml' }] },
  },
  {
    what: 'a base is a mapping',
    base: 'text',
    answer: { errors: [{ at: '', code: 'base_schema' }] },
  },
  {
    what: 'properties and unknown keys say nothing about rows',
    base: table('color: red\n', 'properties:\n  note.n:\n    displayName: Number\nzoom: 3\n'),
    answer: rows('a b c d'),
  },
  {
    what: 'a formula may be a number or a boolean',
    base: 'formulas:\n  one: 1\n  yes: true\nfilters: n == 3\nviews:\n  - type: table\n    order: [formula.one, formula.yes]\n',
    answer: { columns: ['formula.one', 'formula.yes'], rows: [[1, true]], errors: [] },
  },
  {
    what: 'ids of columns',
    base: 'filters: n == 3\nviews:\n  - type: table\n    order: [file.ext, note.n, s, property.done, file.folder]\n',
    answer: {
      columns: ['file.ext', 'note.n', 'note.s', 'note.done', 'file.folder'],
      rows: [['md', 3, 'x', true, '/']],
      errors: [],
    },
  },
  {
    what: 'everything after the first dot is the key',
    vault: { 'a.md': properties({ 'x.y': 1, x: { y: 2 } }) },
    base: 'views:\n  - type: table\n    order: [note.x.y]\n',
    answer: { columns: ['note.x.y'], rows: [[1]], errors: [] },
  },
  {
    what: 'an error stays in its cell',
    base: 'formulas:\n  f: n.lower()\nviews:\n  - type: table\n    order: [file.name, formula.f]\n    filters: s == "x"\n',
    answer: {
      columns: ['file.name', 'formula.f'],
      rows: [
        ['a', { $error: 'unknown_function' }],
        ['c', null],
      ],
      errors: [{ at: 'formula.f', code: 'unknown_function' }],
    },
  },
  {
    what: 'a formula that does not parse',
    base: 'formulas:\n  f: n +\nviews:\n  - type: table\n    order: [formula.f]\n    limit: 1\n',
    answer: {
      columns: ['formula.f'],
      rows: [[{ $error: 'parse' }]],
      errors: [{ at: 'formula.f', code: 'parse' }],
      total: 4,
    },
  },
  {
    what: 'an unknown view',
    base: table(''),
    view: 'Nope',
    answer: { errors: [{ at: 'view', code: 'unknown_view' }] },
  },
  {
    what: 'files of all kinds have rows',
    vault: { 'n.md': '', 'c.canvas': '{}', 'p.pdf': '', 'x.base': '' },
    base: table('', 'filters: file.ext != "md"\n'),
    answer: rows('c.canvas p.pdf x.base'),
  },
  {
    what: 'this is the note it stands in',
    vault: { 'A.md': '', 'B.md': '[[A]]', 'C.md': properties({ up: '[[A]]' }), 'D.md': '' },
    this: 'A.md',
    base: table('', 'filters: file.hasLink(this)\n'),
    answer: rows('B C'),
  },
  {
    what: 'this in a list of links',
    vault: {
      'A.md': '',
      'B.md': properties({ up: ['[[A]]'] }),
      'C.md': properties({ up: '[[A]]' }),
    },
    this: 'A.md',
    base: table('', 'filters: list(up).contains(this)\n'),
    answer: rows('B C'),
  },
];
