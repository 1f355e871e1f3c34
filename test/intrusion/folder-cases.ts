import { argument } from './guarded-vault.ts';
import type { Ask } from './knock.ts';
import { type AskRow, tool } from './path-cases.ts';

const noNote = 'There is no note "';
const noLines = '"results":[]';
const nothing = '"values":[]';
const outOfSight = 'The change would have to touch files that this connection may not see;';

const lines = (query: string, path_filter?: string): Ask =>
  tool('vault_search', { query, path_filter });
const prompt = (name: string, args: object = {}): Ask => ({
  method: 'prompts/get',
  params: { name, arguments: args },
});
const completed = (ref: object, name: string, value: string, given: object = {}): Ask => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value }, context: { arguments: given } },
});
const note = { type: 'ref/prompt', name: 'note' };
const tagged = { type: 'ref/prompt', name: 'tagged' };
const template = { type: 'ref/resource', uri: 'vault:///{path}' };

/**
 * What someone asks whose token is for the folder "Work" alone. Whoever sees the whole vault and
 * asks the same is shown what is outside of it.
 */
export const folderRows: readonly AskRow[] = [
  ['a note', tool('note_read', { path: 'Secret/zq.md' }), 'ok', '"exists":false'],
  ['backlinks', tool('backlinks_search', { path: 'Work/Open.md' }), 'ok', '"total":0'],
  ['backlinks of a note', tool('backlinks_search', { path: 'Secret/zq.md' }), 'isError', noNote],
  ['neighbors', tool('graph_neighbors', { path: 'Work/Open.md', depth: 5 }), 'ok', 'Work/Plain.md'],
  ['neighbors of a note', tool('graph_neighbors', { path: 'Secret/zq.md' }), 'isError', noNote],
  ['lines', lines('# |striped'), 'ok', '"path":"Work/Open.md"'],
  ['lines of all files', lines('striped', '**'), 'ok', noLines],
  ['lines from the root', lines('striped', '/**'), 'ok', noLines],
  ['lines of all but some', lines('striped', '!x'), 'ok', noLines],
  ['lines of another folder', lines('striped', 'Secret/**'), 'ok', noLines],
  ['lines of several', lines('striped', '{Work,Secret}/*.md'), 'ok', noLines],
  ['resources', { method: 'resources/list' }, 'ok', 'vault:///Work/Open.md'],
  ['a resource', resource('vault:///Secret/zq.md'), '-32002', 'There is no file'],
  ['the prompt context', prompt('context'), 'ok', 'No personal notes found.'],
  ['the prompt note', prompt('note', { name: 'zq' }), '-32602', noNote],
  ['the prompt tagged', prompt('tagged', { tag: 'claude' }), '-32602', 'No note has the tag'],
  ['the prompt adr', prompt('adr', { title: 'zebra' }), 'ok', 'as ADR-001, the next free number'],
  ['completed names', completed(note, 'name', 'zebra'), 'ok', nothing],
  ['completed tags', completed(tagged, 'tag', 'z'), 'ok', nothing],
  ['completed headings', completed(note, 'section', '', { name: 'zq' }), 'ok', nothing],
  ['completed paths', completed(template, 'path', 'Sec'), 'ok', nothing],
  ['the list of notes', tool('list_notes', { sort: 'modified' }), 'ok', '\\"total\\":3'],
  ['notes of a folder', tool('list_notes', { folder: 'Secret' }), 'isError', 'There is no folder'],
  ['a search', tool('search_notes', { query: 'striped' }), 'ok', '\\"total\\":0'],
  [
    'a search of tags',
    tool('search_notes', { query: 'claude', mode: 'tag' }),
    'ok',
    '\\"total\\":0',
  ],
  ['a search of names', tool('search_notes', { query: 'zq', mode: 'name' }), 'ok', '\\"total\\":0'],
  ['a note by name', tool('read_note', { name: 'zq' }), 'isError', noNote],
  ['a name that is nearly one', tool('read_note', { name: 'zebra the' }), 'isError', noNote],
  ['properties', tool('get_frontmatter', { name: 'zq' }), 'isError', noNote],
  ['links', tool('get_links', { name: 'Open' }), 'ok', '\\"incoming\\":0'],
  ['changes', tool('list_changes', {}), 'ok', '\\"total\\":0'],
  ['a change', tool('undo_change', { id: 1, dry_run: true }), 'isError', 'There is no change 1'],
  ['tags', tool('obsidian_tags', {}), 'ok', '\\"total\\":1'],
  ['all properties', tool('obsidian_properties', {}), 'ok', 'tags'],
  ['files', tool('obsidian_files', {}), 'ok', '\\"total\\":3'],
  ['folders', tool('obsidian_folders', {}), 'ok', '\\"total\\":2'],
  ['a file', tool('obsidian_file_info', { name: 'zq' }), '-32003', noNote],
  ['an outline', tool('obsidian_outline', { name: 'zq' }), '-32003', noNote],
  ['tasks', tool('obsidian_tasks', {}), 'ok', '\\"total\\":1'],
  ['a search of the app', tool('obsidian_search', { query: 'striped' }), 'ok', '\\"total\\":0'],
  ['bookmarks', tool('obsidian_bookmarks', {}), 'ok', '\\"total\\":0'],
  ['templates', tool('obsidian_templates', {}), 'ok', '\\"total\\":0'],
  [
    'a template',
    tool('obsidian_template_read', { template: 'zt' }),
    '-32003',
    'There is no templa',
  ],
  ['aliases', tool('obsidian_aliases', {}), 'ok', '\\"total\\":0'],
  ['orphans', tool('obsidian_orphans', {}), 'ok', '\\"total\\":2'],
];

/** Where whoever sees the whole vault would be told no more, and what the same one would change. */
export const folderRefusals: readonly AskRow[] = [
  ['lines of the folder above', lines('striped', '../**'), 'ok', noLines],
  ['lines of a full path', lines('striped', '/Secret/zq.md'), 'ok', noLines],
  ['lines by way of the folder', lines('striped', 'Work/../Secret/zq.md'), 'ok', noLines],
  ['lines of hidden files', lines('quagga', '**/.*/**'), 'ok', noLines],
  ['templates of resources', { method: 'resources/templates/list' }, 'ok', 'vault:///{path}'],
  ['the prompt devlog', prompt('devlog', { topic: 'zebra' }), 'ok', 'does not exist yet'],
  ['a folder', tool('obsidian_folder_info', { folder: 'Secret' }), '-32003', 'There is no folder'],
  ['versions', tool('obsidian_history', { path: 'Secret/zq.md' }), '-32003', noNote],
  ['the daily note', tool('obsidian_daily_read', {}), '-32005', 'that this connection may not'],
  ['a name without its link', tool('obsidian_unresolved', {}), 'ok', '\\"total\\":1'],
  ['a new note', written('Secret/okapi.md'), 'isError', outOfSight],
  ['a note that is there', written('Secret/zq.md'), 'isError', outOfSight],
  ['the same in other letters', written('secret/ZQ.md'), 'isError', outOfSight],
  ['a note at the top', written('okapi.md'), 'isError', outOfSight],
  ['a note that is called as the folder', written('Work.md'), 'isError', outOfSight],
  ['a folder that begins as it', written('Workshop/okapi.md'), 'isError', outOfSight],
  [
    'the folder in other letters',
    written('WORK/okapi.md'),
    'isError',
    'use the path "Work/okapi.md"',
  ],
  ['deleting', tool('note_delete', { path: 'Secret/zq.md' }), 'ok', '"deleted":false'],
  [
    'a link to it',
    tool('link_add', { from: 'Work/Plain.md', to: 'Secret/zq.md' }),
    'isError',
    noNote,
  ],
  [
    'a link in it',
    tool('link_add', { from: 'Secret/zq.md', to: 'Work/Plain.md' }),
    'isError',
    noNote,
  ],
  ['creating', tool('create_note', { name: 'Secret/okapi' }), 'isError', outOfSight],
  ['appending', tool('append_note', { name: 'zq', text: argument }), 'isError', noNote],
  [
    'a new body',
    tool('update_note', { path: 'Secret/zq.md', content: argument }),
    'isError',
    noNote,
  ],
  ['a property', tool('set_frontmatter', { name: 'zq', key: 'a', value: 'b' }), 'isError', noNote],
  ['a rename that links outside follow', renamed('Open', 'okapi'), 'isError', outOfSight],
  ['a rename to the outside', renamed('Plain', 'Secret/okapi'), 'isError', outOfSight],
  ['undoing', tool('undo_change', { id: 1 }), 'isError', 'There is no change 1'],
  ['a move', tool('obsidian_move_note', { name: 'Plain', to: 'Secret/' }), '-32005', outOfSight],
  ['a daily note', tool('obsidian_daily_append', { content: argument }), '-32005', outOfSight],
  ['a unique note', tool('obsidian_unique_note', {}), '-32005', outOfSight],
  [
    'a bookmark',
    tool('obsidian_bookmark_add', { path: 'Secret/zq.md' }),
    '-32005',
    'Bookmarks belong',
  ],
  [
    'a template in a note',
    tool('obsidian_template_insert', { name: 'Plain', template: 'zt' }),
    '-32003',
    'There is no template',
  ],
  [
    'a version of before',
    tool('obsidian_history_restore', { path: 'Secret/zq.md', version: 1 }),
    '-32003',
    noNote,
  ],
  ['a sync', tool('vault_sync', {}), 'isError', 'The whole vault is synchronised'],
];

function resource(uri: string): Ask {
  return { method: 'resources/read', params: { uri } };
}

function written(path: string): Ask {
  return tool('note_upsert', { path, content: argument });
}

function renamed(old_name: string, new_name: string): Ask {
  return tool('rename_note', { old_name, new_name });
}
