import type { ToolRow } from './tool-row.ts';

const demoNote = 'Important Project.md';
const demoTemplate = '_meta/templates/tasks with range of due dates - Templater plugin';

const missing = [{ name: 'Nothing here' }, -32003] as const;
const noVault = [{ vault: 'Nowhere' }, -32002] as const;

type Row = ToolRow & Required<Pick<ToolRow, 'fails'>>;
type Facts = Pick<ToolRow, 'isOfSeed' | 'namesNoNote'>;

const rowOf =
  (effect: Row['effect']) =>
  (tool: string, calls: Row['calls'], fails: Row['fails'], facts: Facts = {}): Row => ({
    tool: `obsidian_${tool}`,
    effect,
    calls,
    fails,
    ...facts,
  });

const reads = rowOf('read');
const writes = rowOf('write');
const destroys = rowOf('destroy');

/** Every tool of the obsidian toolset on `examples/vault`, in an order in which all succeed. */
export const obsidianCalls: readonly Row[] = [
  writes(
    'create_note',
    [[{ name: 'Trial', content: '# Trial\n\nmiddle\n' }, '"path":"Trial.md","created":true']],
    [{ name: 'Home' }, -32000],
    { isOfSeed: true },
  ),
  reads('read_note', [[{ name: 'Home' }, 'Hello, future me.']], [{ name: 'Log' }, -32004], {
    isOfSeed: true,
  }),
  writes(
    'append_note',
    [[{ name: 'Trial', content: 'end' }, '"appended":true']],
    [{ name: 'Nothing here', content: 'end' }, -32003],
    { isOfSeed: true },
  ),
  writes(
    'prepend_note',
    [[{ name: 'Trial', content: 'begin' }, '"prepended":true']],
    [{ name: 'Home' }, -32602],
    { isOfSeed: true },
  ),
  writes(
    'move_note',
    [[{ name: 'Swifts', to: 'Areas' }, '"path":"Areas/Swifts.md"']],
    [{ name: 'Swifts', to: '../Areas' }, -32005],
    { isOfSeed: true },
  ),
  writes(
    'rename_note',
    [[{ name: 'Flood map', new_name: 'Flood atlas' }, '"path":"Projects/Flood atlas.md"']],
    [{ name: 'Nothing here', new_name: 'Something' }, -32003],
    { isOfSeed: true },
  ),
  reads('open_note', [[{ name: 'Home' }, '"path":"Home.md","opened":true']], missing, {
    isOfSeed: true,
  }),
  reads('file_info', [[{ name: 'crumb.png' }, '"path":"Attachments/crumb.png"']], missing, {
    isOfSeed: true,
  }),
  reads(
    'search',
    [
      [{ query: 'polders' }, '"files":["'],
      [{ query: 'cellar', context: true }, 'how often your cellar will be wet'],
    ],
    [{ query: '' }, -32602],
  ),
  reads(
    'daily_read',
    [
      [{ date: '2026-11-10' }, 'Dentist'],
      [{ date: '1999-12-31' }, '"path":"Daily/1999-12-31.md","exists":false'],
    ],
    [{ date: 'some day' }, -32602],
  ),
  writes(
    'daily_append',
    [[{ date: '2026-11-10', content: 'x' }, '"path":"Daily/2026-11-10.md"']],
    [{}, -32602],
  ),
  writes(
    'daily_prepend',
    [[{ date: '1999-12-31', content: 'x' }, '"created":true']],
    [{ date: 'some day', content: 'x' }, -32602],
  ),
  reads(
    'properties',
    [
      [{}, '"property":"budget_eur"'],
      [{ name: 'Example' }, '"related":"[[How this vault works]]"'],
      [{ name: 'Example', property: 'status' }, '"value":"evergreen"'],
    ],
    [{ name: 'Example', property: 'colour' }, -32003],
  ),
  writes(
    'property_set',
    [[{ name: 'Trial', property: 'rating', value: '4', type: 'number' }, '"value":4']],
    [{ name: 'Example', property: 'rating', value: 'many', type: 'number' }, -32602],
  ),
  writes(
    'property_remove',
    [[{ name: 'Trial', property: 'rating' }, '"removed":true']],
    [{ name: 'Nothing here', property: 'rating' }, -32003],
  ),
  reads(
    'tags',
    [
      [{}, '"tag":"#project/active"'],
      [{ tag: 'project' }, '"Projects/Flood atlas.md"'],
    ],
    noVault,
  ),
  reads('aliases', [[{}, '"alias":"Start here","path":"Home.md"']], missing),
  reads('links', [[{ name: 'Home' }, '"path":"Areas/Cycling.md"']], missing),
  reads('backlinks', [[{ name: 'Cycling' }, '"path":"Home.md"']], missing),
  reads('unresolved', [[{}, 'Cold frame']], noVault),
  reads('orphans', [[{}, '"Trial.md"']], noVault),
  reads('deadends', [[{}, '"Trial.md"']], noVault),
  reads('outline', [[{ name: 'Home' }, '{"level":2,"text":"Areas","line":']], missing),
  reads('word_count', [[{ name: 'Trial' }, '"words":']], missing),
  reads(
    'tasks',
    [
      [{ folder: 'Recipes', status: 'todo' }, '250 °C, 20 minutes, lid on'],
      [{ name: '2026-11-10', status: '?' }, '"line":12'],
      [{ folder: 'Recipes', due: '<2030' }, '"total":0'],
    ],
    [{ status: 'perhaps' }, -32602],
  ),
  writes(
    'task_set',
    [[{ name: 'Sourdough', line: 31 }, '"status":"x"']],
    [{ name: 'Nothing here', line: 31 }, -32003],
  ),
  reads('templates', [[{}, '"path":"Templates/Meeting.md"']], noVault),
  reads(
    'template_read',
    [[{ template: 'Meeting', title: 'Board' }, '# Board\\n']],
    [{ template: 'Nothing here' }, -32003],
  ),
  writes(
    'template_insert',
    [[{ template: 'Meeting', name: 'Trial' }, '"inserted":true']],
    [{ template: 'Nothing here', name: 'Home' }, -32003],
  ),
  reads('bases', [[{}, '"bases":["Reading/Reading.base"]']], noVault, { namesNoNote: true }),
  reads('base_views', [[{ name: 'Reading' }, '"name":"On the table","type":"cards"']], missing),
  reads(
    'base_query',
    [
      [{ name: 'Reading' }, '"columns":["file.name","note.author"'],
      [{ name: 'Reading', view: 'On the table', format: 'paths' }, '"text":"Reading/'],
    ],
    missing,
  ),
  writes(
    'base_create',
    [
      [
        { file: 'Reading', view: 'On the table', name: 'Persuasion' },
        '"row":true,"set":{"tags":["book"]}',
      ],
      [{ file: 'Reading', name: 'Emma' }, '"row":false,"set":{"tags":["book"]},"unmet":["finished'],
    ],
    [{ file: 'Nothing here', name: 'Emma' }, -32003],
  ),
  reads(
    'files',
    [[{ folder: 'Recipes', extension: 'md' }, '"Recipes/Sourdough.md"']],
    [{ folder: 'Nowhere' }, -32003],
  ),
  reads('folders', [[{}, '"Projects/Greenhouse"']], [{ folder: 'Nowhere' }, -32003]),
  reads('folder_info', [[{ folder: 'Recipes' }, '"files":3']], [{ folder: 'Nowhere' }, -32003], {
    namesNoNote: true,
  }),
  reads('vault_info', [[{}, '"name":"vault"']], noVault, { namesNoNote: true }),
  reads('vaults', [[{}, '{"vaults":["vault"]}']], noVault, { namesNoNote: true }),
  reads('bookmarks', [[{}, '"title":"Open tasks"']], noVault),
  writes(
    'bookmark_add',
    [[{ path: 'Recipes/Miso soup.md', title: 'Soup' }, '"added":true']],
    [{ title: 'Nothing' }, -32602],
  ),
  reads(
    'random_note',
    [[{ folder: 'Recipes' }, '"path":"Recipes/']],
    [{ folder: 'Nowhere' }, -32003],
  ),
  writes('unique_note', [[{ content: 'x' }, '"created":true']], noVault),
  reads('history', [[{ name: 'Trial' }, '"tool":"obsidian_create_note"']], missing),
  reads(
    'history_read',
    [[{ name: 'Trial', version: 4 }, '# Trial']],
    [{ name: 'Home', version: 99 }, -32003],
  ),
  reads(
    'history_diff',
    [[{ name: 'Trial', from: 2, to: 1 }, '+# Trial']],
    [{ name: 'Home', from: 99 }, -32003],
  ),
  destroys(
    'history_restore',
    [[{ name: 'Trial', version: 2 }, '"restored":true']],
    [{ name: 'Home', version: 99 }, -32003],
  ),
  reads('commands', [[{ filter: 'app:' }, '"app:reload"']], noVault, { namesNoNote: true }),
  destroys(
    'run_command',
    [[{ id: 'app:reload' }, '"executed":true']],
    [{ id: 'no:such-command' }, -32003],
  ),
  reads('tabs', [[{}, '{"type":"graph","title":"Graph view"}']], noVault, { namesNoNote: true }),
  reads('recents', [[{}, '"Projects/Garden.md"']], noVault, { namesNoNote: true }),
  destroys('delete_note', [[{ name: 'Bike shed' }, '"trash":".trash/']], missing, {
    isOfSeed: true,
  }),
];

/**
 * Every tool that writes, but for the one that needs the app, on the vault tasks-demo, in an order in
 * which all succeed.
 */
export const tasksDemoCalls: readonly (readonly [tool: string, args: object])[] = [
  ['obsidian_create_note', { name: 'New/Note', content: '- [ ] #task something\n' }],
  ['obsidian_base_create', { file: 'Check Tags', name: 'New/From a base' }],
  ['obsidian_append_note', { name: demoNote, content: '- [ ] #task appended' }],
  ['obsidian_prepend_note', { name: demoNote, content: 'First' }],
  ['obsidian_task_set', { name: 'New/Note.md', line: 1 }],
  ['obsidian_property_set', { name: demoNote, property: 'due', value: '2026-11-16', type: 'date' }],
  ['obsidian_property_remove', { name: demoNote, property: 'due' }],
  ['obsidian_template_insert', { template: demoTemplate, name: 'New/Note.md' }],
  // The template of a new daily note would run JavaScript, so one that exists is taken.
  ['obsidian_daily_append', { content: '- [ ] #task today', date: '2025-06-17' }],
  ['obsidian_daily_prepend', { content: 'Morning', date: '2025-06-17' }],
  ['obsidian_unique_note', { content: 'A thought' }],
  ['obsidian_bookmark_add', { path: demoNote, title: 'Mine' }],
  ['obsidian_move_note', { name: demoNote, to: 'New/Moved.md' }],
  ['obsidian_rename_note', { name: 'ACME', new_name: 'ACME Ltd' }],
  ['obsidian_history_restore', { name: 'New/Note.md', version: 2 }],
  ['obsidian_delete_note', { name: 'Tasks.md' }],
];
