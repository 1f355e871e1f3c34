import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { allScopes } from '../src/base/caller.ts';
import { notesElsewhere } from '../src/tools/notes/elsewhere.ts';
import { notesToolset } from '../src/tools/notes/notes-toolset.ts';
import { listedTool } from '../src/tools/service/listed-tool.ts';
import { openNotes } from './support/notes-service.ts';

// Mistakes that models make with the notes toolset. Every answer must name a tool that the caller
// can use next, or an argument of the tool that was called.

const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
const listed = new Map(toolset.tools.map((tool) => [tool.name, listedTool(tool)]));

const files = {
  '.obsidian/daily-notes.json': '{"folder":"Journal/Daily","format":"YYYY/MM/YYYY-MM-DD"}',
  '.obsidian/types.json': '{"types":{"rating":"number"}}',
  'Plan.md': '---\nrating: 7\ntags: [work]\n---\n# Aims\n\nBuy milk. Buy milk.\n\n## Next\n\nx\n',
  'Twice.md': '# Log\n\n## Day\n\na\n\n# Other\n\n## Day\n\nb\n',
  'Plain.md': 'no headings\n',
  'Broken.md': '---\na: [\n---\nx\n',
  'a/Log.md': '',
  'b/Log.md': '',
  'Projects/Boat.md': '',
  'Drawing.canvas': '{}',
  'Plan.conflict1.md': 'x\n',
  'Gone.conflict1.md': 'x\n',
  'Journal/Daily/2026/11/2026-11-16.md': '',
};

type Row = readonly [call: string, args: object, names: readonly string[], words?: string];

/** A call, and what its failure must name: tools or arguments. */
const rows: readonly Row[] = [
  // Wrong names
  ['read_note', { name: 'Plann' }, ['name', 'search_notes'], '"Plan"'],
  ['read_note', { name: 'Zeppelin' }, ['search_notes', 'list_notes']],
  ['read_note', { path: 'Zeppelin.md' }, ['search_notes']],
  ['rename_note', { old_name: 'Plann', new_name: 'X' }, ['old_name', 'search_notes']],
  ['get_links', { name: 'Plann' }, ['name', 'search_notes']],
  ['delete_note', { name: 'Plann' }, ['name', 'search_notes']],
  ['append_note', { name: 'Plann', text: 'x' }, ['name', 'search_notes']],
  ['set_frontmatter', { name: 'Plann', key: 'a', value: 1 }, ['name', 'search_notes']],
  // A folder in place of a note, and a note in place of a folder
  ['read_note', { name: 'Projects' }, ['list_notes', 'folder']],
  ['list_notes', { folder: 'Project' }, ['list_vault', 'what']],
  ['search_notes', { query: 'x', folder: 'Nowhere' }, ['folder']],
  ['list_notes', { folder: 'Plan.md' }, ['read_note']],
  // Names that several notes have
  ['read_note', { name: 'Log' }, ['name'], 'a/Log.md, b/Log.md'],
  ['rename_note', { old_name: 'Log', new_name: 'X' }, ['old_name'], 'a/Log.md'],
  // Days
  ['read_note', { name: '2026-11-17' }, ['daily_note', 'date'], 'in "Journal/Daily"'],
  ['append_note', { name: '2026-11-17', text: 'x' }, ['name'], 'in "Journal/Daily"'],
  // Headings
  ['read_section', { name: 'Plan', section: 'Aim' }, ['section'], 'It has: # Aims'],
  ['append_section', { name: 'Plan', section: 'Later', text: 'x' }, ['section']],
  ['read_section', { name: 'Twice', section: 'Day' }, ['read_note'], 'Log > Day, Other > Day'],
  ['append_section', { name: 'Twice', section: 'Day', text: 'x' }, ['insert_note']],
  ['read_section', { name: 'Plain', section: 'Aims' }, ['read_note']],
  ['append_section', { name: 'Plain', section: 'Aims', text: 'x' }, ['append_note']],
  // Text that is not there, that is there twice, that is in the properties
  ['replace_note', { name: 'Plan', old_text: 'Buy mlik', new_text: '' }, ['read_note']],
  ['replace_note', { name: 'Plan', old_text: 'Buy milk', new_text: '' }, ['replace_all']],
  ['replace_note', { name: 'Plan', old_text: 'rating: 7', new_text: '' }, ['set_frontmatter']],
  ['insert_note', { name: 'Plan', text: 'x', after: 'Buy bread' }, ['read_note']],
  ['insert_note', { name: 'Plan', text: 'x', after: 'Buy milk' }, ['after']],
  ['insert_note', { name: 'Plan', text: 'x' }, ['before', 'after']],
  ['insert_note', { name: 'Plan', text: 'x', before: 'a', after: 'b' }, ['before', 'after']],
  // Types
  ['set_frontmatter', { name: 'Plan', key: 'rating' }, ['value']],
  ['set_frontmatter', { name: 'Broken', key: 'a', value: 1 }, [], 'ask the user'],
  ['get_frontmatter', { name: 'Broken' }, ['read_note']],
  ['create_note', { name: 'New', frontmatter: '[1]' }, ['frontmatter']],
  ['read_note', { name: 'Plan', limit: 'many' }, ['limit']],
  ['list_notes', { sort: 'size' }, ['sort']],
  // Versions
  ['append_note', { name: 'Plan', text: 'x', version: '0'.repeat(64) }, ['read_note']],
  ['update_note', { name: 'Plan', content: 'x', version: '0'.repeat(64) }, ['read_note']],
  ['append_note', { name: 'Plan', text: 'x', version: 'old' }, ['version']],
  // What exists already, or cannot
  ['create_note', { name: 'Plan' }, ['append_note', 'replace_note', 'update_note']],
  ['rename_note', { old_name: 'Plan', new_name: 'Plain' }, ['new_name']],
  ['create_note', { name: 'a:b' }, ['name']],
  ['rename_note', { old_name: 'Plan', new_name: '../x' }, ['new_name']],
  ['read_note', { name: '../x' }, ['name']],
  ['append_note', { name: 'Drawing.canvas', text: 'x' }, [], 'notes (.md) only'],
  ['replace_note', { name: 'Log', old_text: 'a', new_text: 'b' }, ['name'], 'a/Log.md'],
  // Tags
  [
    'create_note',
    { name: 'New', content: 'x', frontmatter: { tags: ['wrok'] } },
    ['new_tags'],
    'work',
  ],
  ['set_frontmatter', { name: 'Plan', key: 'tags', value: ['wrok'] }, ['new_tags'], 'work'],
  // History
  ['undo_change', { id: 999 }, ['list_changes']],
  ['undo_change', { session: 'nobody' }, ['list_changes']],
  ['undo_change', { id: 1, session: 'current' }, ['id', 'session']],
  ['list_changes', { since: 'lately' }, ['since']],
  ['list_changes', { name: '../x' }, ['name']],
  // Conflict copies
  ['merge_conflict', { name: 'Plain' }, ['list_vault', 'what'], '"conflicts"'],
  ['merge_conflict', { name: 'Plann.conflict1' }, ['name', 'search_notes'], 'Plan.conflict1'],
  ['merge_conflict', { name: 'Gone.conflict1' }, ['rename_note'], '"Gone.md"'],
  ['merge_conflict', { name: 'Plan.conflict1', choose: 'mine' }, ['choose'], '"both"'],
  ['merge_conflict', { name: 'Plan.conflict1', choose: '9=copy' }, ['choose'], 'no place 9'],
  ['merge_conflict', { name: 'Plan.conflict1', choose: '1=copy' }, ['choose', 'token']],
  ['merge_conflict', { name: 'Plan.conflict1', choose: 'both', token: 'x' }, ['token']],
  ['resolve_conflict', { name: 'Plan.conflict1' }, ['merge_conflict']],
  // Searches
  ['search_notes', { query: 'due:<2026-12-01' }, ['list_tasks', 'due'], '[due:<2026-12-01]'],
  ['search_notes', { query: 'tga:work' }, [], '"tag:"'],
  ['search_notes', { query: '/(/' }, ['query']],
  ['search_notes', { query: '-milk' }, ['query']],
  ['search_notes', { query: 'x', mode: 'tags' }, ['mode'], '"tag"'],
  // Arguments of other tools
  ['read_note', { name: 'Plan', section: 'Aims' }, ['read_section']],
  ['append_note', { name: 'Plan', text: 'x', heading: 'Aims' }, ['append_section']],
  ['create_note', { name: 'X', tags: ['a'] }, ['frontmatter']],
  ['create_note', { name: 'X', folder: 'a' }, ['name']],
  ['search_notes', { query: 'x', tag: 'work' }, ['mode']],
  ['list_notes', { tag: 'work' }, ['search_notes']],
  ['rename_note', { name: 'Plan', new_name: 'X' }, ['old_name']],
  ['replace_note', { name: 'Plan', old: 'a', new: 'b' }, ['old_text', 'new_text']],
  ['update_note', { name: 'Plan', content: 'x', frontmatter: {} }, ['set_frontmatter']],
  // Tools that do not exist
  ['get_note', { name: 'Plan' }, ['read_note']],
  ['serach_notes', { query: 'x' }, ['search_notes']],
  ['move_note', { name: 'Plan' }, ['rename_note', 'new_name']],
  // What users of mcpvault have in their habits.
  [
    'write_note',
    { path: 'Plan', content: 'x', mode: 'prepend' },
    ['create_note', 'append_note', 'update_note', 'insert_note'],
    'insert_note with before prepends',
  ],
  ['manage_tags', { path: 'Plan', operation: 'add' }, ['set_frontmatter', 'get_frontmatter']],
  ['search_notes', { query: 'x', searchFrontmatter: false }, [], 'always searched'],
  ['read_note', { names: ['Plan'], includeContent: false }, ['get_frontmatter']],
  ['append_note', { name: 'Plan', text: 'x', frontmatter: {} }, ['set_frontmatter']],
  ['append_note', { path: 'Zeppelin.md', text: 'x' }, ['create_note']],
  ['update_note', { name: 'Plan', content: '---\na: 1\n---\nx' }, ['set_frontmatter']],
  ['read_note', { path: '/Plan.md' }, ['path'], 'Correct "path".'],
  ['update_frontmatter', { path: 'Plan', frontmatter: {} }, ['set_frontmatter', 'properties']],
  ['list_all_tags', {}, ['list_vault', 'what'], '"tags"'],
  ['get_vault_stats', {}, ['list_vault', 'list_notes'], '"/" has all notes'],
  ['get_notes_info', { paths: ['Plan'] }, ['query_notes', 'columns'], 'file.size'],
  ['list_directory', { path: 'a' }, ['list_notes', 'list_vault', 'query_notes'], 'file.folder =='],
  ['rename_note', { oldPath: 'Plan', newPath: 'X' }, ['old_name', 'new_name']],
  ['rename_note', { old_name: 'Plan', new_name: 'X', overwrite: true }, ['delete_note']],
  ['set_frontmatter', { name: 'Plan', properties: {}, merge: false }, [], 'set it to null'],
  ['create_note', { name: 'X', mode: 'overwrite' }, ['update_note', 'append_note']],
  ['read_note', { name: 'Plan', startLine: 1 }, ['offset'], 'startLine 1 is offset 0'],
  ['read_note', { name: 'Plan', endLine: 9 }, ['limit']],
  ['append_note', { name: 'Plan', text: '#wrok' }, ['new_tags'], 'also where it is not listed'],
  ['delete_note', { name: 'Plan', ' dry_run': true }, ['dry_run'], '" dry_run": use "dry_run"'],
  ['wiki_link', { document: 'Plan' }, ['read_note', 'name']],
  ['get_note_outline', { path: 'Plan.md' }, ['read_section', 'section']],
  ['read_note_lines', { path: 'Plan.md', startLine: 3 }, ['read_note', 'offset', 'limit']],
  [
    'delete_note',
    { path: 'Plan.md', confirmPath: 'Plain.md' },
    ['path'],
    '"confirmPath": it differs from "path"',
  ],
  ['delete_note', { path: 'Plan.md', trashMode: 'none' }, [], '.trash'],
  ['search_notes', { query: 'x', caseSensitive: true }, ['query'], 'match-case:'],
  ['search_notes', { query: 'x', searchContent: false }, ['mode'], '"name_partial"'],
  ['search_notes', { query: 'x', excludePaths: ['a'] }, ['query'], '-path:'],
  ['search_notes', { query: 'x', pathPrefix: 'a' }, ['folder']],
  ['recent_notes', {}, ['list_notes', 'sort']],
  ['list_tags', {}, ['list_vault', 'what'], '"tags"'],
  ['rename_tag', {}, ['rename_note', 'old_name'], '"#tag"'],
  ['read_notes', {}, ['read_note', 'names']],
  ['set_frontmatter', { name: 'Plan', frontmatter: {} }, ['properties']],
];

describe('a mistake leads on', () => {
  it('with a tool or an argument that exists', async () => {
    const notes = await openNotes(files);
    const answers: unknown[] = [];
    const expected: unknown[] = [];
    for (const [call, args, names, words = ''] of rows) {
      const { ok, text } = await notes.call(call, args);
      const isSaid = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
      const missing = [
        ...names.filter((name) => !isSaid(name)),
        ...(text.includes(words) ? [] : [words]),
      ];
      const foreign = names.filter((name) => !listed.has(name) && !isArgument(name));
      answers.push({ call, args, ok, ...(missing.length > 0 ? { text, missing } : {}), foreign });
      expected.push({ call, args, ok: false, foreign: [] });
    }
    expect(answers).toEqual(expected);
    await notes.close();
  });

  it('but does not tell of a folder that the caller may not see', async () => {
    const notes = await openNotes(files);
    const scopes = { ...allScopes, hide: ['Journal'] };
    const { text } = await notes.call('read_note', { name: '2026-11-17' }, { scopes });
    expect(text).toBe(
      'There is no note "2026-11-17" in the vault. Search for it, or list the notes, to find its name. search_notes and list_notes do that.',
    );
    await notes.close();
  });

  it('and names no tool that the caller may not use', async () => {
    const notes = await openNotes(files);
    const scopes = { ...allScopes, effects: ['read' as const] };
    const { text } = await notes.call('read_section', { name: 'Plain', section: 'A' }, { scopes });
    expect(text).toBe(
      'The note has no heading "A". It has no headings at all. read_note shows it.',
    );
    expect((await notes.call('edit_note', {}, { scopes })).text).toBe(
      'There is no tool "edit_note"; what it does is not allowed here; "tools/list" lists the tools that you may use.',
    );
    const { text: tags } = await notes.call('manage_tags', { operation: 'list' }, { scopes });
    expect(tags).toContain('use query_notes with columns ["file.tags"]');
    await notes.close();
  });

  it('in words of few bytes', async () => {
    const notes = await openNotes(files);
    for (const [call, args] of rows) {
      expect((await notes.call(call, args)).text.length, call).toBeLessThan(420);
    }
    await notes.close();
  });
});

/** Calls as mcpvault takes them, with arguments that change nothing. They do what they say. */
const habits: readonly (readonly [call: string, args: object])[] = [
  ['read_note', { path: 'Plan.md', prettyPrint: true }],
  ['get_frontmatter', { path: 'Plan.md', prettyPrint: false }],
  ['search_notes', { query: 'plan', limit: 5, searchContent: true, searchFrontmatter: true }],
  ['search_notes', { query: 'plan', caseSensitive: false, excludePaths: [], prettyPrint: true }],
  ['search_notes', { query: 'plan', mode: 'name_partial', searchContent: false }],
  ['read_note', { names: ['Plan'], includeContent: true, includeFrontmatter: true }],
  ['read_note', { name: '[[Plan|The plan]]' }],
  ['append_note', { name: 'Plan', text: 'x', mode: 'append' }],
  ['delete_note', { path: 'Plain.md', confirmPath: 'Plain.md', trashMode: 'local' }],
  ['rename_note', { old_name: 'Plain', new_name: 'X', overwrite: false }],
  ['set_frontmatter', { name: 'Plan', properties: { a: 1 }, merge: true }],
];

describe('a habit from mcpvault', () => {
  it.each(habits)('is no mistake where it changes nothing: %s %j', async (call, args) => {
    const notes = await openNotes(files);
    expect(await notes.call(call, args)).toMatchObject({ ok: true });
    await notes.close();
  });
});

/** Whether any tool of the list has this argument. */
function isArgument(name: string): boolean {
  return [...listed.values()].some(({ inputSchema }) =>
    Object.hasOwn((inputSchema['properties'] ?? {}) as object, name),
  );
}

/** The tools of mcpvault 0.16.0, which docs/compare.md has a table for. */
const toolsOfMcpvault = [
  ...['delete_note', 'get_frontmatter', 'get_note_outline', 'get_notes_info', 'get_vault_stats'],
  ...['list_all_tags', 'list_directory', 'manage_tags', 'move_file', 'move_note', 'patch_note'],
  ...['read_multiple_notes', 'read_note', 'read_note_lines', 'search_notes'],
  ...['update_frontmatter', 'wiki_link', 'write_note'],
];

describe('advice about what does not exist', () => {
  it('has every tool of mcpvault that is not there under its name, and so has the table', async () => {
    const page = await readFile(new URL('../docs/compare.md', import.meta.url), 'utf8');
    const known = (name: string) => listed.has(name) || Object.hasOwn(notesElsewhere.tools, name);
    expect(toolsOfMcpvault.filter((name) => !known(name))).toEqual([]);
    expect(toolsOfMcpvault.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('is about tools and arguments that do not exist', () => {
    for (const name of Object.keys(notesElsewhere.tools))
      expect(listed.has(name), name).toBe(false);
    for (const [tool, table] of Object.entries(notesElsewhere.arguments)) {
      const shape = toolset.tools.find(({ name }) => name === tool)?.input.shape;
      expect(shape, tool).toBeDefined();
      for (const argument of Object.keys(table))
        expect(Object.hasOwn(shape ?? {}, argument), `${tool} ${argument}`).toBe(false);
    }
  });
});
