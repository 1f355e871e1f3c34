import type { ContractCase } from './contract-case.ts';

const issue = 'issue 18';
const body =
  'A body of more than a few words that two notes have in common, to the last of them.\n';

/** `list_vault`, and `list_notes` by time. */
export const vaultCases: readonly ContractCase[] = [
  {
    id: 'NV01a',
    source: 'issue 22: the notes in the root were in no count, so the folders did not add up',
    given: { 'A.md': '', 'b.base': '' },
    steps: [
      {
        call: 'list_vault',
        args: { what: 'folders' },
        expect: { jsonIs: { total: 0, folders: { '/': 1 } } },
      },
    ],
  },
  {
    id: 'NV01',
    source: `${issue}: list_folders and list_tags, with their numbers of notes`,
    given: {
      'A.md': '#one',
      'F/B.md': '#one #one/two',
      'F/G/C.md': '---\ntags: [One]\n---\n',
      'E/x.png': '',
    },
    steps: [
      {
        call: 'list_vault',
        args: { what: 'folders' },
        expect: { jsonIs: { total: 3, folders: { '/': 3, E: 0, F: 2, 'F/G': 1 } } },
      },
      {
        call: 'list_vault',
        args: { what: 'folders', folder: 'f' },
        expect: { jsonIs: { total: 1, folders: { 'F/G': 1 } } },
      },
      {
        call: 'list_vault',
        args: { what: 'folders', limit: 1, offset: 1 },
        expect: { jsonIs: { total: 3, folders: { F: 2 }, next_offset: 2 } },
      },
      {
        call: 'list_vault',
        args: { what: 'tags' },
        expect: { text: '{"total":2,"tags":{"#one":3,"#one/two":1}}' },
      },
      {
        call: 'list_vault',
        args: { what: 'tags', folder: 'F/G' },
        expect: { jsonIs: { total: 1, tags: { '#One': 1 } } },
      },
    ],
  },
  {
    id: 'NV02',
    source: `${issue}: broken links with likely targets, orphans, dead ends`,
    given: {
      'A.md': 'to [[B]], [[Linked]]\nand [[Garden paln]] and [[Garden paln#x]]\n',
      'B.md': '[[#here]]',
      'F/Garden plan.md': '[[A]] [[F/Garden paln]]',
      'F/Linked.md': '',
    },
    steps: [
      {
        call: 'list_vault',
        args: { what: 'broken_links' },
        expect: {
          jsonIs: {
            total: 3,
            links: [
              { link: 'F/Garden paln', at: ['Garden plan:1'], likely: ['Garden plan'] },
              { link: 'Garden paln', at: ['A:2', 'A:2'], likely: ['Garden plan'] },
            ],
          },
        },
      },
      {
        call: 'list_vault',
        args: { what: 'broken links', folder: 'F' },
        expect: { json: { total: 1 } },
      },
      {
        call: 'list_vault',
        args: { what: 'orphans' },
        expect: { jsonIs: { total: 1, notes: { F: ['Garden plan'] } } },
      },
      {
        call: 'list_vault',
        args: { what: 'dead_ends' },
        expect: { jsonIs: { total: 2, notes: { '': ['B'], F: ['Linked'] } } },
      },
      {
        call: 'list_vault',
        args: { what: 'orphans', folder: 'F' },
        expect: { jsonIs: { total: 1, notes: { F: ['Garden plan'] } } },
      },
      {
        call: 'list_vault',
        args: { what: 'dead-ends', folder: 'F' },
        expect: { jsonIs: { total: 1, notes: { F: ['Linked'] } } },
      },
    ],
  },
  {
    id: 'NV03',
    source: `${issue}: conflict copies, notes that are the same or nearly`,
    given: {
      'A.md': 'one',
      'A.sync-conflict-20261109-101112-ABCDEFG.md': 'two',
      'F/B.md': body,
      'F/B (conflicted copy 2026-11-09 101112).md': `---\nx: 1\n---\n${body}`,
      'F/C (Conflicted copy laptop 202611091011).md': 'no original',
    },
    steps: [
      {
        call: 'list_vault',
        args: { what: 'conflicts' },
        expect: {
          jsonIs: {
            total: 2,
            conflicts: {
              'A.sync-conflict-20261109-101112-ABCDEFG.md': 'A.md',
              'F/B (conflicted copy 2026-11-09 101112).md': 'F/B.md',
            },
          },
        },
      },
      {
        call: 'list_vault',
        args: { what: 'conflicts', folder: 'F' },
        expect: { json: { total: 1 }, lacks: ['sync-conflict'] },
      },
      {
        call: 'list_vault',
        args: { what: 'duplicates' },
        expect: {
          jsonIs: {
            total: 1,
            groups: [{ notes: ['B (conflicted copy 2026-11-09 101112)', 'B'] }],
          },
        },
      },
    ],
  },
  {
    id: 'NV04',
    source: `${issue}: what must be refused, and what is hidden`,
    given: {
      'A.md': `[[zq]]\n\n${body}`,
      'B.md': body,
      'F/C.md': '[[A]]',
      'Secret/zq.md': `#quagga [[no quagga]]\n\n${body}`,
    },
    options: { hide: ['Secret/**'] },
    steps: [
      ...['folders', 'tags', 'orphans', 'dead_ends', 'conflicts', 'duplicates'].map((what) => ({
        call: 'list_vault',
        args: { what },
        expect: { lacks: [/quagga|Secret|zq/] },
      })),
      {
        call: 'list_vault',
        args: { what: 'broken_links' },
        expect: { jsonIs: { total: 1, links: [{ link: 'zq', at: ['A:1'] }] } },
      },
      {
        call: 'list_vault',
        args: { what: 'orphans', folder: 'F' },
        expect: { jsonIs: { total: 1, notes: { F: ['C'] } } },
      },
      {
        call: 'list_vault',
        args: { what: 'dead_ends', folder: 'F' },
        expect: { jsonIs: { total: 0 } },
      },
      { call: 'list_vault', args: {}, expect: { fails: true, says: ['what'] } },
      { call: 'list_vault', args: { what: 'notes' }, expect: { fails: true, says: ['orphans'] } },
      {
        call: 'list_vault',
        args: { what: 'tags', folder: 'Secret' },
        expect: { fails: true, says: ['no folder "Secret"'] },
      },
      {
        call: 'list_vault',
        args: { what: 'orphans', folder: '../x' },
        expect: { fails: true },
      },
    ],
  },
  {
    id: 'NV05',
    source: `${issue}: lists sorted by time show the time; what changed in the last seven days`,
    given: { 'A.md': 'a', '11.md': 'b' },
    steps: [
      {
        call: 'list_notes',
        args: { sort: 'modified', limit: 1 },
        expect: {
          json: { total: 2, next_offset: 1 },
          says: [/"zone":"[+-]\d\d:\d\d","notes":\[\["(A|11)\.md","\d{4}-\d\d-\d\dT\d\d:\d\d"\]\]/],
        },
      },
      { call: 'list_notes', args: { since: '7d' }, expect: { json: { total: 2 }, says: ['zone'] } },
      { call: 'list_notes', args: { since: '2999-01-01' }, expect: { json: { total: 0 } } },
      {
        call: 'list_notes',
        args: { since: '7d', sort: 'name' },
        expect: { jsonIs: { total: 2, notes: ['11', 'A'], offset: 0 } },
      },
      {
        call: 'list_notes',
        args: { since: 'yesterday' },
        expect: { fails: true, says: ['is not a time for "since"; write 30m'] },
      },
    ],
  },
  {
    id: 'N20a',
    source: 'issue 25: attachments are added with a free name, listed when unused, and undone',
    given: { 'A.md': 'a\n' },
    steps: [
      {
        call: 'write_attachment',
        args: { name: 'x.gif', data: 'R0lGODlhAQABAAAAACw=', note: 'A' },
        expect: {
          json: { path: 'x.gif', embed: '![[x.gif]]' },
          files: { 'A.md': 'a\n![[x.gif]]\n', 'x.gif': /^GIF89a/ },
        },
      },
      {
        call: 'write_attachment',
        args: { name: 'x.gif', data: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' },
        expect: { json: { path: 'x 1.gif' } },
      },
      {
        call: 'list_vault',
        args: { what: 'unused' },
        expect: { json: { total: 1, attachments: ['x 1.gif'] } },
      },
      {
        call: 'undo_change',
        args: { session: 'current' },
        expect: { files: { 'A.md': 'a\n', 'x.gif': undefined, 'x 1.gif': undefined } },
      },
      ...[
        { name: 'x.svg', data: 'PHN2Zz4=' },
        { name: 'x.png', data: 'R0lGODlhAQABAAAAACw=' },
        { name: '.x.gif', data: 'R0lGODlhAQABAAAAACw=' },
        { name: 'x.gif', data: 'no base64' },
        { name: 'x.gif' },
      ].map((args) => ({
        call: 'write_attachment',
        args,
        expect: { fails: true as const, files: { 'x.gif': undefined, 'x.svg': undefined } },
      })),
    ],
  },
];
