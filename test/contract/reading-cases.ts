import type { ContractCase } from './contract-case.ts';

const notes = 'seed 003';
const issue = 'issue 4';

const longNote = Array.from({ length: 3_000 }, (_, n) => `Line ${n + 1} of a long note.`).join(
  '\n',
);

/** The tools that read, one by one. */
export const readingCases: readonly ContractCase[] = [
  {
    id: 'N01a',
    source: `${notes}: read_note(name) reads the full text of a note, properties and body`,
    given: { 'Sub/Plan.md': '---\ntags: [vc]\n---\n# Plan\n\nBody\n' },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Plan' },
        expect: { text: '---\ntags: [vc]\n---\n# Plan\n\nBody\n' },
      },
    ],
  },
  {
    id: 'N01b',
    source: `${issue}: path (exact, .md optional) is accepted wherever name is listed`,
    given: { 'Sub/Plan.md': 'in Sub', 'Plan.md': 'at the top' },
    steps: [
      { call: 'read_note', args: { path: 'Sub/Plan' }, expect: { text: 'in Sub' } },
      { call: 'read_note', args: { path: 'Sub/Plan.md' }, expect: { text: 'in Sub' } },
      { call: 'read_note', args: { name: 'Plan' }, expect: { text: 'at the top' } },
      { call: 'read_note', args: {}, expect: { fails: true, says: ['name'] } },
    ],
  },
  {
    id: 'N01c',
    source: `${issue}: the closest names and aliases when a note is not found, the candidates when several match`,
    given: {
      'a/Log.md': '',
      'b/Log.md': '',
      'Meeting Notes.md': '---\naliases: [Protocol]\n---\n',
    },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Log' },
        expect: { fails: true, says: ['a/Log.md', 'b/Log.md'] },
      },
      {
        call: 'read_note',
        args: { name: 'Meeting Note' },
        expect: { fails: true, says: ['Meeting Notes'] },
      },
      {
        call: 'read_note',
        args: { name: 'Protocol' },
        expect: { fails: true, says: ['Meeting Notes', 'Protocol'] },
      },
    ],
  },
  {
    id: 'N01d',
    source: `${issue}: offset?, limit? (lines); the answer names the next offset`,
    given: { 'Note.md': 'one\ntwo\nthree\nfour\n' },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Note', offset: 1, limit: 2 },
        expect: { says: [/^two\nthree\n/, /offset=3/], lacks: ['four'] },
      },
      {
        call: 'read_note',
        args: { name: 'Note', offset: 3 },
        expect: { says: [/^four/], lacks: ['three'] },
      },
      {
        call: 'read_note',
        args: { name: 'Note', offset: '1', limit: '1' },
        expect: { says: [/^two\n/] },
      },
      {
        call: 'read_note',
        args: { name: 'Note', offset: 99 },
        expect: { fails: true, says: ['4'] },
      },
    ],
  },
  {
    id: 'N01e',
    source: `${issue}: past the cap (40,000 characters, cut at a line) it ends with a line that says so and names the next offset`,
    given: { 'Long.md': longNote },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Long' },
        expect: {
          says: [/^Line 1 of a long note\.\n/, /^[\s\S]{30000,40000}$/, /offset=\d+[^\n]*$/],
          lacks: ['Line 3000 '],
        },
      },
    ],
  },
  {
    id: 'N01m',
    source:
      'issue 18: read_note reads several notes or sections in one call; a missing one is reported in its place',
    given: { 'A.md': '# Top\nx\n## Log\nentry\n', 'in/B.md': 'b\n', 'Hidden/C.md': 'secret\n' },
    options: { hide: ['Hidden'] },
    steps: [
      {
        call: 'read_note',
        args: { names: ['B', 'A#Log', 'C', 'Bee', 'Hidden/C.md'] },
        expect: {
          json: {
            notes: [
              { path: 'in/B.md', text: 'b\n' },
              { path: 'A.md', text: 'entry\n' },
              { name: 'C' },
              { name: 'Bee' },
              { name: 'Hidden/C.md' },
            ],
          },
          says: ['There is no note \\"Bee\\"', 'There is no note \\"C\\"'],
          lacks: ['secret'],
        },
      },
      { call: 'read_note', args: { names: ['B'], path: 'A.md' }, expect: { fails: true } },
    ],
  },
  {
    id: 'N09a',
    source: `${notes}: get_frontmatter(name) gets the properties as JSON`,
    given: {
      'A.md': '---\ntags: [vc, dns]\nrating: 4\nowned: true\nurl: "x"\nnone:\n---\nBody\n',
      'B.md': 'No properties\n',
      'C.md': '---\na: [\n---\n',
    },
    steps: [
      {
        call: 'get_frontmatter',
        args: { name: 'A' },
        expect: { jsonIs: { tags: ['vc', 'dns'], rating: 4, owned: true, url: 'x', none: null } },
      },
      { call: 'get_frontmatter', args: { name: 'B' }, expect: { jsonIs: {} } },
      {
        call: 'get_frontmatter',
        args: { name: 'C' },
        expect: { fails: true, says: [/YAML|propert/i] },
      },
    ],
  },
  {
    id: 'N14a',
    source: `${notes}: read_section(name, section) reads a section without its heading; ${issue}: with its subsections, A > B too, as plain text`,
    given: {
      'A.md': '# A\n\ntop\n\n## Notes\n\nfirst\n\n### Deep\n\ndeep\n\n# B\n\n## Notes\n\nsecond\n',
    },
    steps: [
      {
        call: 'read_section',
        args: { name: 'A', section: 'A > Notes' },
        expect: { says: [/^\s*first\n\n### Deep\n\ndeep/], lacks: ['## Notes', 'second', '# B'] },
      },
      {
        call: 'read_section',
        args: { name: 'A', section: 'Deep' },
        expect: { says: ['deep'], lacks: ['#'] },
      },
    ],
  },
  {
    id: 'N14b',
    source: `${issue}: the headings when a section is missing`,
    given: { 'A.md': '# One\n\n## Two\n' },
    steps: [
      {
        call: 'read_section',
        args: { name: 'A', section: 'Three' },
        expect: { fails: true, says: ['One', 'Two'] },
      },
    ],
  },
];
