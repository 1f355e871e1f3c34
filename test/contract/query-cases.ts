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
        expect: { says: ['"code":"unknown_view"', 'Good'] },
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
        expect: { fails: true, says: ['"views" is a list'] },
      },
      {
        call: 'query_notes',
        args: { filter: 'a = 1' },
        expect: { fails: true, says: ['Write == to compare'] },
      },
    ],
  },
];
