import type { Ask } from './knock.ts';

/** What is asked, and how the answer to it begins. */
export type AskRow = readonly [what: string, ask: Ask, answer: string];

/** A call of a tool. */
export function tool(name: string, args: object): Ask {
  return { method: 'tools/call', params: { name, arguments: args } };
}

function read(uri: string): Ask {
  return { method: 'resources/read', params: { uri } };
}

const okapi = 'okapi';
const absolute = 'isError A path is relative to the vault; leave out the leading "/" or drive.';
const backslash = 'isError A path uses "/" between names, never a backslash.';
const dots = 'isError A path cannot contain "." or ".."; name the file from the vault\'s root.';

/** Names that could lead out of the vault, with every right to be in it. */
export const pathRows: readonly AskRow[] = [
  ['the folder above', tool('note_read', { path: '../beside.md' }), `200 ${dots}`],
  [
    'the folder above, from within',
    tool('note_read', { path: 'Work/../../beside.md' }),
    `200 ${dots}`,
  ],
  ['the folder itself', tool('note_read', { path: './Work/Open.md' }), `200 ${dots}`],
  [
    'encoded dots',
    tool('note_read', { path: '%2e%2e/beside.md' }),
    '200 ok {"content":[{"type":"text","text":"{\\"content\\":\\"\\",\\"exists\\":false}',
  ],
  ['a full path', tool('note_read', { path: '/etc/passwd' }), `200 ${absolute}`],
  ['a drive', tool('note_read', { path: 'C:/Windows/win.ini' }), `200 ${absolute}`],
  [
    'a drive without a slash',
    tool('note_upsert', { path: 'C:okapi.md', content: okapi }),
    '200 isError',
  ],
  ['a backslash', tool('note_read', { path: '..\\beside.md' }), `200 ${backslash}`],
  [
    'a NUL',
    tool('note_read', { path: 'Work/Open.md\0.txt' }),
    '200 isError A path cannot contain control characters.',
  ],
  ['a line break', tool('note_read', { path: 'Work/Open.md\n' }), '200'],
  ['nothing', tool('note_read', { path: '' }), '200 isError'],
  ['settings', tool('note_read', { path: '.obsidian/app.json' }), '200 isError'],
  ['settings in other letters', tool('note_read', { path: '.OBSIDIAN/app.json' }), '200 isError'],
  ['the trash', tool('note_read', { path: '.trash/zq.md' }), '200 isError'],
  [
    'a note of ours in the settings',
    tool('note_upsert', { path: '.obsidian/okapi.md', content: okapi }),
    '200 isError',
  ],
  [
    'a plugin',
    tool('note_upsert', { path: '.obsidian/plugins/x/main.js', content: okapi }),
    '200 isError',
  ],
  ['a program', tool('note_upsert', { path: 'okapi.js', content: okapi }), '200 isError'],
  ['a link that leads out', tool('note_read', { path: 'Work/way-out.md' }), '200 isError'],
  [
    'writing through it',
    tool('note_upsert', { path: 'Work/way-out.md', content: okapi }),
    '200 isError',
  ],
  ['deleting it', tool('note_delete', { path: 'Work/way-out.md' }), '200 isError'],
  ['a folder that leads out', tool('note_read', { path: 'Work/out/beside.md' }), '200 isError'],
  [
    'writing through that',
    tool('note_upsert', { path: 'Work/out/okapi.md', content: okapi }),
    '200 isError',
  ],
  ['back in through it', tool('note_read', { path: 'Work/out/vault/Secret/zq.md' }), '200 isError'],
  ['other letters', tool('note_upsert', { path: 'work/OPEN.md', content: okapi }), '200 isError'],
  [
    'other letters of a folder',
    tool('note_upsert', { path: 'WORK/okapi.md', content: okapi }),
    '200 isError',
  ],
  ['a final dot', tool('note_upsert', { path: 'Work/Open.md.', content: okapi }), '200 isError'],
  ['a final space', tool('note_upsert', { path: 'Work/Open.md ', content: okapi }), '200 isError'],
  [
    'a folder with a final dot',
    tool('note_upsert', { path: 'Work./okapi.md', content: okapi }),
    '200 isError',
  ],
  [
    'a name of Windows',
    tool('note_upsert', { path: 'Work/CON.md', content: okapi }),
    '200 isError',
  ],
  [
    'a stream of Windows',
    tool('note_upsert', { path: 'Work/Open.md:okapi.md', content: okapi }),
    '200 isError',
  ],
  [
    'a long name',
    tool('note_upsert', { path: `${'k'.repeat(300)}.md`, content: okapi }),
    '200 isError A name in a path has at most 255 bytes.',
  ],
  [
    'a long path',
    tool('note_upsert', { path: `${'k/'.repeat(3_000)}k.md`, content: okapi }),
    '200 isError A path has at most 4096 bytes.',
  ],
  ['a name that is a folder', tool('note_upsert', { path: 'Work', content: okapi }), '200 isError'],
  [
    'a note as a folder',
    tool('note_upsert', { path: 'Work/Open.md/okapi.md', content: okapi }),
    '200 isError',
  ],
  ['a path that is a number', tool('note_read', { path: 7 }), '200'],
  ['a path that is a list', tool('note_read', { path: ['Work', '..'] }), '200 isError'],
  [
    'a link to the outside',
    tool('link_add', { from: 'Work/Open.md', to: '../beside.md' }),
    `200 ${dots}`,
  ],
  [
    'a link from the outside',
    tool('link_add', { from: '../beside.md', to: 'Work/Open.md' }),
    `200 ${dots}`,
  ],
  ['links to the outside', tool('backlinks_search', { path: '../beside.md' }), `200 ${dots}`],
  ['the graph of the outside', tool('graph_neighbors', { path: '/beside.md' }), `200 ${absolute}`],
  ['a note by name', tool('read_note', { name: '../beside' }), '200 isError'],
  [
    'a move to the outside',
    tool('obsidian_move_note', { name: 'Plain', to: '../okapi.md' }),
    '200 -320',
  ],
  [
    'a rename to the outside',
    tool('rename_note', { old_name: 'Plain', new_name: '../okapi' }),
    '200 isError',
  ],
  ['a list of the outside', tool('list_notes', { folder: '..' }), '200 isError'],
  [
    'lines of the outside',
    tool('vault_search', { query: 'beside', path_filter: '../**' }),
    '200 ok',
  ],
  [
    'lines of the machine',
    tool('vault_search', { query: 'root', path_filter: '/etc/passwd' }),
    '200 ok',
  ],
  [
    'lines of settings',
    tool('vault_search', { query: 'trashOption', path_filter: '.obsidian/**' }),
    '200 ok',
  ],
  [
    'lines through links',
    tool('vault_search', { query: 'beside', path_filter: 'Work/out/**' }),
    '200 ok',
  ],
  [
    'an option in place of an expression',
    tool('vault_search', { query: '--files', path_filter: '--follow' }),
    '200 ok',
  ],
  [
    'a program in place of one',
    tool('vault_search', { query: '--pre=cat', path_filter: '**' }),
    '200 ok',
  ],
  [
    'an expression without end',
    tool('vault_search', { query: '(((a{1000}){1000}){1000})' }),
    '200 isError',
  ],
  ['a resource outside', read('vault:///../beside.md'), '200 -32602'],
  ['the same, encoded', read('vault:///%2e%2e%2fbeside.md'), '200 -32602'],
  ['encoded twice', read('vault:///%252e%252e%252fbeside.md'), '200 -32002'],
  ['a resource that is a file', read('file:///etc/passwd'), '200 -32602'],
  ['a resource of settings', read('vault:///.obsidian/app.json'), '200 -32602'],
  ['a resource through a link', read('vault:///Work/way-out.md'), '200 -320'],
  ['another vault', read('vault://other/Work/Open.md'), '200 -320'],
];
