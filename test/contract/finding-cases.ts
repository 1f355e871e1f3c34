import type { ContractCase } from './contract-case.ts';

const notes = 'seed 003';
const issue = 'issue 4';

/** The tools that find notes: search, links, lists. */
export const findingCases: readonly ContractCase[] = [
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
];
