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
    id: 'N07a',
    source: `${notes}: search_notes(query, mode?) searches by name, name_partial, content, tag`,
    given: {
      'Rivers.md': '# Rivers\n\nAll about the gauge.\n',
      'River gauge.md': 'A thing of brass.\n',
      'Tagged.md': '---\ntags: [Water/level]\n---\n',
    },
    steps: [
      {
        call: 'search_notes',
        args: { query: 'rivers', mode: 'name' },
        expect: {
          jsonIs: { total: 1, hits: [{ path: 'Rivers.md' }] },
        },
      },
      {
        call: 'search_notes',
        args: { query: 'river', mode: 'name_partial' },
        expect: { json: { total: 2 } },
      },
      {
        call: 'search_notes',
        args: { query: 'brass', mode: 'content' },
        expect: {
          json: {
            total: 1,
            hits: [{ path: 'River gauge.md', lines: ['1: A thing of brass.'] }],
          },
        },
      },
      {
        call: 'search_notes',
        args: { query: '#water', mode: 'tag' },
        expect: { json: { total: 1, hits: [{ path: 'Tagged.md' }] } },
      },
      {
        call: 'search_notes',
        args: { query: 'gauge', mode: 'regex' },
        expect: { fails: true, says: ['name_partial'] },
      },
    ],
  },
  {
    id: 'N07b',
    source: `${issue}: default content; limit?, offset?, folder?; issue 18: the fewer notes, the more of their lines`,
    given: {
      'deep/One.md': '# Top\n\nmoss\n\n## Deep\n\nmoss\nmoss\nmoss\n',
      'in/Two.md': 'moss\n',
      'in/Four.md': 'moss\n',
      'out/Three.md': 'moss\n',
    },
    steps: [
      {
        call: 'search_notes',
        args: { query: 'moss' },
        expect: { json: { total: 4 }, lacks: ['"query"', '"mode"', '"title"', '"matches"'] },
      },
      {
        call: 'search_notes',
        args: { query: 'moss', folder: 'in', limit: 1 },
        expect: { json: { total: 2, next_offset: 1 } },
      },
      {
        call: 'search_notes',
        args: { query: 'moss', folder: 'in', offset: 1 },
        expect: { json: { total: 2 }, lacks: ['next_offset'] },
      },
      {
        call: 'search_notes',
        args: { query: 'moss', folder: 'deep' },
        expect: {
          json: {
            hits: [
              {
                path: 'deep/One.md',
                lines: ['3: moss', '7: moss', '8: moss', '9: moss'],
              },
            ],
          },
        },
      },
    ],
  },
  {
    id: 'N07d',
    source:
      'issue 18: a hit says how many lines match when it shows fewer; the body before the properties; never an empty line',
    given: {
      'Long.md': `---\ntitle: moss\n---\n${'moss\n\n'.repeat(46)}`,
      ...Object.fromEntries(
        Array.from({ length: 5 }, (_, i) => [`n/${i}.md`, '---\ntitle: fern\n---\n\nfern\n']),
      ),
    },
    steps: [
      {
        call: 'search_notes',
        args: { query: 'moss' },
        expect: { json: { hits: [{ path: 'Long.md', matches: 47 }] }, lacks: ['title: moss'] },
      },
      {
        call: 'search_notes',
        args: { query: 'fern', limit: 13 },
        expect: { json: { total: 5 }, lacks: ['matches'] },
      },
      {
        call: 'search_notes',
        args: { query: '/\\s+fern$/ path:n/1' },
        expect: { json: { hits: [{ path: 'n/1.md', lines: ['2: title: fern', '5: fern'] }] } },
      },
    ],
  },
  {
    id: 'N07c',
    source: `${issue}: no hit suggests what else to try`,
    given: { 'Sourdough.md': 'bread\n' },
    steps: [
      {
        call: 'search_notes',
        args: { query: 'Sourdoh' },
        expect: { json: { total: 0, hits: [] }, says: ['"hint"', 'Sourdough'] },
      },
    ],
  },
  {
    id: 'N08a',
    source: `${notes}: get_links(name, direction?) gives incoming and outgoing links; ${issue}: unresolved targets apart; issue 18: with the link's text, heading and line, by file`,
    given: {
      'A.md': '[[B]]\n\n[[Nowhere]]\n',
      'B.md': 'x\n[[A]]\n',
      'C.md': '\n# Log\n[[A|a]]\n[[A#x]]\n',
    },
    steps: [
      {
        call: 'get_links',
        args: { name: 'A' },
        expect: {
          jsonIs: {
            path: 'A.md',
            incoming: { 'B.md': ['2: [[A]]'], 'C.md': ['3: [[A|a]] (Log)', '4: [[A#x]]'] },
            outgoing: { 'B.md': ['1: [[B]]'] },
            unresolved: { Nowhere: [3] },
            totals: { incoming: 3, outgoing: 1, unresolved: 1 },
          },
        },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'in' },
        expect: { says: ['"incoming"'], lacks: ['"outgoing"'] },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'incoming' },
        expect: { says: ['"incoming"'], lacks: ['"outgoing"'] },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'out' },
        expect: { says: ['"outgoing"'], lacks: ['"incoming"'] },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'outgoing' },
        expect: { says: ['"outgoing"'], lacks: ['"incoming"'] },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'both' },
        expect: { says: ['"incoming"', '"outgoing"'] },
      },
      {
        call: 'get_links',
        args: { name: 'A', direction: 'in', offset: 2 },
        expect: {
          jsonIs: {
            path: 'A.md',
            incoming: { 'C.md': ['4: [[A#x]] (Log)'] },
            totals: { incoming: 3 },
          },
        },
      },
      { call: 'get_links', args: { name: 'A', direction: 'up' }, expect: { fails: true } },
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
    id: 'N11a',
    source: `${notes}: list_notes(limit?, offset?) lists names without paths; ${issue}: a name that several notes share comes as its path, total`,
    given: { 'a/Alpha.md': '', 'b/Log.md': '', 'c/Log.md': '', 'd.canvas': '{}' },
    steps: [
      {
        call: 'list_notes',
        expect: {
          json: { total: 3, notes: ['Alpha', 'b/Log.md', 'c/Log.md'] },
          lacks: ['a/Alpha', 'next_offset'],
        },
      },
      {
        call: 'list_notes',
        args: { limit: 1, offset: 1 },
        expect: { json: { total: 3, notes: ['b/Log.md'], offset: 1, next_offset: 2 } },
      },
      { call: 'list_notes', args: { folder: 'b' }, expect: { json: { total: 1 } } },
      { call: 'list_notes', args: { sort: 'modified', limit: 3 }, expect: { json: { total: 3 } } },
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
