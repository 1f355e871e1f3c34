type Arguments = Readonly<Record<string, unknown>>;

/** One tool on the example vault: calls that succeed with what they tell, and one that fails. */
export interface ToolRow {
  readonly tool: string;
  readonly calls: readonly (readonly [Arguments, string])[];
  readonly fails: readonly [Arguments, number];
}

const missing = [{ name: 'Nothing here' }, -32003] as const;
const noVault = [{ vault: 'Nowhere' }, -32002] as const;

const row = (tool: string, calls: ToolRow['calls'], fails: ToolRow['fails']): ToolRow => ({
  tool: `obsidian_${tool}`,
  calls,
  fails,
});

/** Every tool of the obsidian toolset on `examples/vault`, in an order in which all succeed. */
export const obsidianCalls: readonly ToolRow[] = [
  row(
    'create_note',
    [[{ name: 'Trial', content: '# Trial\n\nmiddle\n' }, '"path":"Trial.md","created":true']],
    [{ name: 'Home' }, -32000],
  ),
  row('read_note', [[{ name: 'Home' }, 'Hello, future me.']], [{ name: 'Log' }, -32004]),
  row(
    'append_note',
    [[{ name: 'Trial', content: 'end' }, '"appended":true']],
    [{ name: 'Nothing here', content: 'end' }, -32003],
  ),
  row(
    'prepend_note',
    [[{ name: 'Trial', content: 'begin' }, '"prepended":true']],
    [{ name: 'Home' }, -32602],
  ),
  row(
    'move_note',
    [[{ name: 'Swifts', to: 'Areas' }, '"path":"Areas/Swifts.md"']],
    [{ name: 'Swifts', to: '../Areas' }, -32005],
  ),
  row(
    'rename_note',
    [[{ name: 'Flood map', new_name: 'Flood atlas' }, '"path":"Projects/Flood atlas.md"']],
    [{ name: 'Nothing here', new_name: 'Something' }, -32003],
  ),
  row('open_note', [[{ name: 'Home' }, '"path":"Home.md","opened":true']], missing),
  row('file_info', [[{ name: 'crumb.png' }, '"path":"Attachments/crumb.png"']], missing),
  row(
    'search',
    [
      [{ query: 'polders' }, '"files":["'],
      [{ query: 'cellar', context: true }, 'how often your cellar will be wet'],
    ],
    [{ query: '' }, -32602],
  ),
  row(
    'daily_read',
    [
      [{ date: '2026-11-10' }, 'Dentist'],
      [{ date: '1999-12-31' }, '"path":"Daily/1999-12-31.md","exists":false'],
    ],
    [{ date: 'some day' }, -32602],
  ),
  row(
    'daily_append',
    [[{ date: '2026-11-10', content: 'x' }, '"path":"Daily/2026-11-10.md"']],
    [{}, -32602],
  ),
  row(
    'daily_prepend',
    [[{ date: '1999-12-31', content: 'x' }, '"created":true']],
    [{ date: 'some day', content: 'x' }, -32602],
  ),
  row(
    'properties',
    [
      [{}, '"property":"budget_eur"'],
      [{ name: 'Example' }, '"related":"[[How this vault works]]"'],
      [{ name: 'Example', property: 'status' }, '"value":"evergreen"'],
    ],
    [{ name: 'Example', property: 'colour' }, -32003],
  ),
  row(
    'property_set',
    [[{ name: 'Trial', property: 'rating', value: '4', type: 'number' }, '"value":4']],
    [{ name: 'Example', property: 'rating', value: 'many', type: 'number' }, -32602],
  ),
  row(
    'property_remove',
    [[{ name: 'Trial', property: 'rating' }, '"removed":true']],
    [{ name: 'Nothing here', property: 'rating' }, -32003],
  ),
  row(
    'tags',
    [
      [{}, '"tag":"#project/active"'],
      [{ tag: 'project' }, '"Projects/Flood atlas.md"'],
    ],
    noVault,
  ),
  row('aliases', [[{}, '"alias":"Start here","path":"Home.md"']], missing),
  row('links', [[{ name: 'Home' }, '"path":"Areas/Cycling.md"']], missing),
  row('backlinks', [[{ name: 'Cycling' }, '"path":"Home.md"']], missing),
  row('unresolved', [[{}, 'Cold frame']], noVault),
  row('orphans', [[{}, '"Trial.md"']], noVault),
  row('deadends', [[{}, '"Trial.md"']], noVault),
  row('outline', [[{ name: 'Home' }, '{"level":2,"text":"Areas","line":']], missing),
  row('word_count', [[{ name: 'Trial' }, '"words":']], missing),
  row(
    'tasks',
    [
      [{ folder: 'Recipes', status: 'todo' }, '250 °C, 20 minutes, lid on'],
      [{ name: '2026-11-10', status: '?' }, '"line":12'],
    ],
    [{ status: 'perhaps' }, -32602],
  ),
  row(
    'task_set',
    [[{ name: 'Sourdough', line: 31 }, '"status":"x"']],
    [{ name: 'Nothing here', line: 31 }, -32003],
  ),
  row('templates', [[{}, '"path":"Templates/Meeting.md"']], noVault),
  row(
    'template_read',
    [[{ template: 'Meeting', title: 'Board' }, '# Board\\n']],
    [{ template: 'Nothing here' }, -32003],
  ),
  row(
    'template_insert',
    [[{ template: 'Meeting', name: 'Trial' }, '"inserted":true']],
    [{ template: 'Nothing here', name: 'Home' }, -32003],
  ),
  row(
    'files',
    [[{ folder: 'Recipes', extension: 'md' }, '"Recipes/Sourdough.md"']],
    [{ folder: 'Nowhere' }, -32003],
  ),
  row('folders', [[{}, '"Projects/Greenhouse"']], [{ folder: 'Nowhere' }, -32003]),
  row('folder_info', [[{ folder: 'Recipes' }, '"files":3']], [{ folder: 'Nowhere' }, -32003]),
  row('vault_info', [[{}, '"name":"vault"']], noVault),
  row('vaults', [[{}, '{"vaults":["vault"]}']], noVault),
  row('bookmarks', [[{}, '"title":"Open tasks"']], noVault),
  row(
    'bookmark_add',
    [[{ path: 'Recipes/Miso soup.md', title: 'Soup' }, '"added":true']],
    [{ title: 'Nothing' }, -32602],
  ),
  row(
    'random_note',
    [[{ folder: 'Recipes' }, '"path":"Recipes/']],
    [{ folder: 'Nowhere' }, -32003],
  ),
  row('unique_note', [[{ content: 'x' }, '"created":true']], noVault),
  row('history', [[{ name: 'Trial' }, '"tool":"obsidian_create_note"']], missing),
  row(
    'history_read',
    [[{ name: 'Trial', version: 4 }, '# Trial']],
    [{ name: 'Home', version: 99 }, -32003],
  ),
  row(
    'history_diff',
    [[{ name: 'Trial', from: 2, to: 1 }, '+# Trial']],
    [{ name: 'Home', from: 99 }, -32003],
  ),
  row(
    'history_restore',
    [[{ name: 'Trial', version: 2 }, '"restored":true']],
    [{ name: 'Home', version: 99 }, -32003],
  ),
  row('commands', [[{ filter: 'app:' }, '"app:reload"']], noVault),
  row(
    'run_command',
    [[{ id: 'app:reload' }, '"executed":true']],
    [{ id: 'no:such-command' }, -32003],
  ),
  row('tabs', [[{}, '{"type":"graph","title":"Graph view"}']], noVault),
  row('recents', [[{}, '"Projects/Garden.md"']], noVault),
  row('delete_note', [[{ name: 'Bike shed' }, '"trash":".trash/']], missing),
];
