import { argument } from './guarded-vault.ts';
import type { Ask } from './knock.ts';

/** What is asked, whether that is `ok`, and a part of the answer. */
export type AskRow = readonly [what: string, ask: Ask, kind: string, part: string];

/** A call of a tool. */
export function tool(name: string, args: object): Ask {
  return { method: 'tools/call', params: { name, arguments: args } };
}

const absolute = 'A path is relative to the vault; leave out the leading "/" or drive.';
const backslash = 'A path uses "/" between names, never a backslash.';
const dots = 'A path cannot contain "." or ".."; name the file from the vault\'s root.';
const leadsOut = 'is reached through a symlink that may not be followed;';
const absent = '"structuredContent":{"content":"","exists":false';
const noLines = '"structuredContent":{"results":[],"truncated":false}';

const reading = (path: unknown): Ask => tool('note_read', { path });
const writing = (path: string): Ask => tool('note_upsert', { path, content: argument });
const looking = (query: string, path_filter: string): Ask =>
  tool('vault_search', { query, path_filter });
const resource = (uri: string): Ask => ({ method: 'resources/read', params: { uri } });

/** Names that could lead out of the vault, from someone with every right to be in it. */
export const pathRows: readonly AskRow[] = [
  ['the folder above', reading('../beside.md'), 'isError', dots],
  ['the folder above, from within', reading('Work/../../beside.md'), 'isError', dots],
  ['the folder itself', reading('./Work/Open.md'), 'isError', dots],
  ['encoded dots', reading('%2e%2e/beside.md'), 'ok', absent],
  ['a full path', reading('/etc/passwd'), 'isError', absolute],
  ['a drive', reading('C:/Windows/win.ini'), 'isError', absolute],
  ['a drive without a slash', writing('C:okapi.md'), 'isError', 'cannot contain ":"'],
  ['a backslash', reading('..\\beside.md'), 'isError', backslash],
  ['a NUL', reading('Work/Open.md\0.txt'), 'isError', 'cannot contain control characters'],
  ['a line break', reading('Work/Open.md\n'), 'isError', 'cannot contain control characters'],
  ['nothing', reading(''), 'isError', '"path": it must not be empty'],
  ['a number', reading(7), 'isError', '"path": it must be text'],
  ['a list', reading(['Work', '..']), 'isError', '"path": it must be text'],
  ['settings', reading('.obsidian/app.json'), 'ok', absent],
  ['settings in other letters', reading('.OBSIDIAN/app.json'), 'ok', absent],
  ['the trash', reading('.trash/zq.md'), 'ok', absent],
  ['a note in the settings', writing('.obsidian/okapi.md'), 'isError', 'cannot begin with a dot'],
  ['a plugin', writing('.obsidian/plugins/x/main.js'), 'isError', 'Only notes (.md), canvases'],
  ['a program', writing('okapi.js'), 'isError', 'Only notes (.md), canvases'],
  ['a link that leads out', reading('Work/way-out.md'), 'isError', leadsOut],
  ['writing through it', writing('Work/way-out.md'), 'isError', leadsOut],
  ['deleting it', tool('note_delete', { path: 'Work/way-out.md' }), 'isError', leadsOut],
  ['a folder that leads out', reading('Work/out/beside.md'), 'isError', leadsOut],
  ['writing through that', writing('Work/out/okapi.md'), 'isError', leadsOut],
  ['back in through it', reading('Work/out/vault/Secret/zq.md'), 'isError', leadsOut],
  ['other letters', reading('work/OPEN.md'), 'ok', absent],
  ['writing in other letters', writing('work/OPEN.md'), 'isError', 'is spelled differently'],
  ['a final dot', reading('Work/Open.md.'), 'ok', absent],
  ['a final space', reading('Work/Open.md '), 'ok', absent],
  ['writing with a final space', writing('Work/Open.md '), 'isError', 'ends with ".md"'],
  ['writing with a final dot', writing('Work/Open.md.'), 'isError', 'ends with ".md"'],
  ['the name of a folder', writing('Work'), 'isError', 'ends with ".md"'],
  ['a folder with a final dot', writing('Work./okapi.md'), 'isError', 'end with a dot or a space'],
  [
    'a folder with a final space',
    writing('Work /okapi.md'),
    'isError',
    'end with a dot or a space',
  ],
  ['a device of Windows', writing('Work/CON.md'), 'isError', 'the name of a Windows device'],
  ['a stream of Windows', writing('Work/Open.md:okapi.md'), 'isError', 'cannot contain ":"'],
  ['letters apart from their marks', reading('Work/Ope\u0301n.md'), 'ok', absent],
  ['wide dots', reading('\uff0e\uff0e/beside.md'), 'ok', absent],
  ['a long name', writing(`${'k'.repeat(300)}.md`), 'isError', 'has at most 255 bytes'],
  ['a long path', writing(`${'k/'.repeat(3_000)}k.md`), 'isError', 'has at most 4096 bytes'],
  ['a note as a folder', writing('Work/Open.md/okapi.md'), 'isError', 'is a file, not a folder'],
  ['a link to it', tool('link_add', { from: 'Work/Open.md', to: '../beside.md' }), 'isError', dots],
  ['a link in it', tool('link_add', { from: '../beside.md', to: 'Work/Open.md' }), 'isError', dots],
  ['links to it', tool('backlinks_search', { path: '../beside.md' }), 'isError', dots],
  ['the graph of it', tool('graph_neighbors', { path: '/beside.md' }), 'isError', absolute],
  ['it by name', tool('read_note', { name: '../beside' }), 'isError', dots],
  ['a list of it', tool('list_notes', { folder: '..' }), 'isError', dots],
  [
    'a rename to the outside',
    tool('rename_note', { old_name: 'Plain', new_name: '../okapi' }),
    'isError',
    dots,
  ],
  [
    'a move to the outside',
    tool('obsidian_move_note', { name: 'Plain', to: '../okapi.md' }),
    '-32005',
    dots,
  ],
  ['lines of the outside', looking('beside', '../**'), 'ok', noLines],
  ['lines of the machine', looking('root', '/etc/passwd'), 'ok', noLines],
  ['lines of settings', looking('trashOption', '.obsidian/**'), 'ok', noLines],
  ['lines through links', looking('beside', 'Work/out/**'), 'ok', noLines],
  ['an option as an expression', looking('--files', '--follow'), 'ok', noLines],
  ['a program as an expression', looking('--pre=cat', '**'), 'ok', noLines],
  ['an endless expression', looking('((a{999}){999}){999}', '**'), 'isError', 'exceeds size limit'],
  ['a resource outside', resource('vault:///../beside.md'), '-32602', dots],
  ['the same, encoded', resource('vault:///%2e%2e%2fbeside.md'), '-32602', dots],
  ['encoded twice', resource('vault:///%252e%252e%252fbeside.md'), '-32002', 'There is no file'],
  ['a file as a resource', resource('file:///etc/passwd'), '-32602', 'The URI of a note is'],
  ['a resource of settings', resource('vault:///.obsidian/app.json'), '-32002', 'There is no file'],
  ['a resource through a link', resource('vault:///Work/way-out.md'), '-32602', leadsOut],
  ['another vault', resource('vault://other/Work/Open.md'), '-32002', 'There is no vault "other"'],
];
