import type { ContractCase } from './contract-case.ts';

const issue = 'issue 24';

const given = {
  'Movies.md': '',
  'Films/Alien.md':
    '---\ncategories: ["[[Movies]]"]\nrating: 9\nyear: 1979\nseen: 2025-01-02\n---\n#sf\n',
  'Films/Brazil.md': '---\ncategories: ["[[Movies]]"]\nrating: 7\nyear: 1985\n---\n',
  'Films/Cats.md': '---\ncategories: ["[[Movies]]"]\nrating: 2\nyear: 2019\n---\n',
  'Plain.md': 'No properties.',
  'Films.base':
    'filters: categories.contains(link("Movies"))\nformulas:\n  old: year < 1980\n  bad: rating.nosuch()\nviews:\n  - type: table\n    name: Good\n    filters: rating > 6\n    order: [year, formula.old]\n    sort: [{ property: year, direction: DESC }]\n  - type: list\n    name: Bad\n    limit: 1\n    order: [formula.bad]\n',
};

/** The tool that evaluates bases and queries over properties. */
export const queryCases: readonly ContractCase[] = [
  {
    id: 'NB01',
    source: `${issue}: an agent can ask "all movies with rating above 6 by year" without a file`,
    given,
    steps: [
      {
        call: 'query_notes',
        args: {
          filter: 'categories.contains(link("Movies")) && rating > 6',
          columns: ['rating', 'seen'],
          sort: ['year'],
        },
        expect: {
          json: {
            total: 2,
            columns: ['path', 'rating', 'seen'],
            rows: [
              ['Films/Alien.md', 9, '2025-01-02'],
              ['Films/Brazil.md', 7, null],
            ],
          },
        },
      },
      {
        call: 'query_notes',
        args: { filter: 'year > 0', columns: 'rating, if(year > 1980, "new", "old")', limit: 1 },
        expect: {
          json: {
            total: 3,
            columns: ['path', 'rating', 'if(year > 1980, "new", "old")'],
            rows: [['Films/Alien.md', 9, 'old']],
            next_offset: 1,
          },
        },
      },
      {
        call: 'query_notes',
        args: { filter: 'file.hasTag("sf")', columns: ['categories'], format: 'md' },
        expect: { says: ['| path | categories |', '| Films/Alien.md | Movies |'] },
      },
    ],
  },
  {
    id: 'NB02',
    source: `${issue}: query_notes evaluates a base and view; errors inside a base are data with their place`,
    given,
    steps: [
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Good' },
        expect: {
          json: {
            total: 2,
            columns: ['path', 'year', 'old'],
            rows: [
              ['Films/Brazil.md', 1985, false],
              ['Films/Alien.md', 1979, true],
            ],
          },
        },
      },
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Bad' },
        expect: {
          says: ['{"$error":"unknown_function"}', '"at":"formula.bad"', '"line":4,"column":15'],
        },
      },
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Nope' },
        expect: { fails: true, says: ['There is no view "Nope"', 'Good'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'file.hasTag(film)' },
        expect: { says: [/^\{"warnings":/, 'write: hasTag('] },
      },
    ],
  },
  {
    id: 'NB03',
    source: `${issue}: a change of one note changes the answer of the next query; hidden files are respected`,
    given,
    options: { hide: ['Films/Brazil.md'] },
    steps: [
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Good' },
        expect: {
          json: {
            total: 1,
            columns: ['path', 'year', 'old'],
            rows: [['Films/Alien.md', 1979, true]],
          },
        },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'Cats', key: 'rating', value: 8 },
        expect: { says: ['Films/Cats.md'] },
      },
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Good' },
        expect: { says: ['"total":2', 'Films/Cats.md'] },
      },
    ],
  },
  {
    id: 'NB05',
    source: `${issue}: a note with an embedded base stands for it, and is its "this"`,
    given: {
      ...given,
      'Log.md':
        '[[Cats]]\n\n![[Films.base#Good]]\n\n```base\nfilters: this.file.hasLink(file) && rating > 0\nviews: [{ name: Seen }]\n```\n',
    },
    steps: [
      {
        call: 'query_notes',
        args: { base: 'Log' },
        expect: { says: ['"total":2', 'Films/Brazil.md'] },
      },
      {
        call: 'query_notes',
        args: { base: 'Log', view: '2' },
        expect: { says: ['"total":1', 'Films/Cats.md'] },
      },
      {
        call: 'query_notes',
        args: { base: 'Filmz' },
        expect: { fails: true, says: ['There is no base "Filmz"', 'Closest: "Films.base"'] },
      },
    ],
  },
  {
    id: 'NB04',
    source: `${issue}: only a base that is no base fails the call, and an expression of the call itself`,
    given: { 'Broken.base': 'views: 3\n' },
    steps: [
      {
        call: 'query_notes',
        args: { base: 'Broken' },
        expect: { fails: true, says: ['(line 1, column 8): "views" must be a list'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'a = 1' },
        expect: { fails: true, says: ['Write == to compare'] },
      },
    ],
  },
  {
    id: 'NB06',
    source: `${issue}: Dataview as far as it shares the evaluator; a block of a note by its number`,
    given: {
      ...given,
      'Log.md':
        '- [ ] see [[Alien]] 📅 2025-01-31\n  - [x] buy a ticket\n\n```dataview\nTABLE rating FROM "Films" SORT year DESC LIMIT 2\n```\n\n```dataview\nCALENDAR file.ctime\n```\n',
    },
    steps: [
      {
        call: 'query_notes',
        args: { base: 'Log' },
        expect: {
          json: {
            total: 2,
            columns: ['path', 'rating'],
            rows: [
              ['Films/Cats.md', 2],
              ['Films/Brazil.md', 7],
            ],
          },
        },
      },
      {
        call: 'query_notes',
        args: { base: 'Log', view: '2' },
        expect: { says: ['"code":"unsupported"', 'CALENDAR', '"line":9,"column":1'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'TASK WHERE due < date(2025-02-01) and !completed' },
        expect: {
          json: {
            total: 1,
            columns: ['path', 'line', 'status', 'text', 'children'],
            rows: [
              [
                'Log.md',
                1,
                ' ',
                'see [[Alien]] 📅 2025-01-31',
                [{ line: 2, status: 'x', text: 'buy a ticket' }],
              ],
            ],
          },
        },
      },
      {
        call: 'query_notes',
        args: { filter: 'TABLE rows.year GROUP BY rating > 5 AS good', format: 'md' },
        expect: { says: ['| good | rows.year |', '| true | 1979, 1985 |'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'LIST WHERE frobnicate(rating)' },
        expect: { fails: true, says: ['frobnicate', 'column 12'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'LIST', sort: 'year' },
        expect: { fails: true, says: ['give it alone'] },
      },
    ],
  },
  {
    id: 'NB90',
    source: `${issue}: a note is created through a base, and the answer says what it has and what it lacks`,
    given,
    steps: [
      {
        call: 'create_note',
        args: { name: 'Dune', base: 'Films', view: 'Good', frontmatter: '{"rating":8}' },
        expect: {
          json: {
            path: 'Dune.md',
            created: true,
            base: 'Films.base',
            view: 'Good',
            row: true,
            set: { categories: ['[[Movies]]'] },
          },
        },
      },
      {
        call: 'create_note',
        args: { name: 'Tron', base: 'Films' },
        expect: { says: ['"row":false', '"unmet":["rating > 6"]'] },
      },
      {
        call: 'query_notes',
        args: { base: 'Films', view: 'Good' },
        expect: { says: ['Dune.md'] },
      },
      {
        call: 'create_note',
        args: { name: 'Dune', base: 'Films' },
        expect: { fails: true },
      },
      {
        call: 'create_note',
        args: { name: 'Other', base: 'Films', view: 'Nope' },
        expect: { fails: true, says: ['"Good", "Bad"'] },
      },
    ],
  },
  {
    id: 'NB91',
    source: `${issue}: renaming a note, a tag or a property changes the bases that name it, as one change`,
    given: { ...given, 'Sf.base': 'filters: file.hasTag("sf") && rating > 6\n' },
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'property:rating', new_name: 'stars' },
        expect: { says: ['"notes":3', '"bases":2'] },
      },
      {
        call: 'rename_note',
        args: { old_name: '#sf', new_name: '#scifi' },
        expect: { says: ['"bases":1'] },
      },
      {
        call: 'query_notes',
        args: { base: 'Sf' },
        expect: { says: ['"total":1', 'Films/Alien.md'] },
      },
      {
        call: 'rename_note',
        args: { old_name: 'property:rating', new_name: 'stars' },
        expect: { fails: true },
      },
      {
        call: 'rename_note',
        args: { old_name: 'property:stars', new_name: 'year' },
        expect: { fails: true, says: ['3 notes have both'] },
      },
    ],
  },
];
