import type { ListedTool } from '../../src/tools/service/service.ts';

/** Arguments with which the tools that need some do something inside the folder. */
const usual: Readonly<Record<string, unknown>> = {
  path: 'Work/Plain.md',
  names: ['Work/Plain.md'],
  properties: { status: 'done' },
  from: 'Work/Plain.md',
  query: 'words',
  section: 'Plain',
  text: 'added',
  content: 'added',
  old_text: 'nothing',
  new_text: 'little',
  key: 'status',
  property: 'status',
  value: 'done',
  new_name: 'Simple',
  to: 'Work/Log.md',
  folder: 'Work',
  template: 'Work/Templates/Meeting',
  line: 10,
  version: 1,
  id: 'app:open',
  what: 'folders',
};

/** Where arguments have another meaning: versions of files are numbers, of contents texts. */
const ofTool: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  obsidian_history_diff: { path: 'Work/Alone.md', from: 1 },
  obsidian_history_read: { path: 'Work/Alone.md' },
  obsidian_history_restore: { path: 'Work/Alone.md' },
  obsidian_move_note: { to: 'Work/Sub' },
  obsidian_task_set: { path: 'Work/Open.md' },
  set_task: { line: 10 },
  undo_change: { session: 'current' },
  insert_note: { after: 'nothing' },
};

/** What rename_note takes beside notes: folders, tags, headings and blocks outside. */
const renamed = ['Secret/', 'Work/Sub/', '#claude', '#zebra', 'zq#Second', 'zq#^block'];

/** A call of a tool. */
export type Row = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Calls of a tool in which each argument takes each of these values in turn. */
export function rowsOf({ name, inputSchema }: ListedTool, values: readonly string[]): Row[] {
  const schema = inputSchema as {
    properties?: Record<string, { type?: string; enum?: readonly string[] }>;
    required?: readonly string[];
  };
  const properties = Object.entries(schema.properties ?? {});
  const { required = [] } = schema;
  const isNamed = properties.some(([key]) => key === 'path' || key === 'from');
  const base = Object.fromEntries(
    Object.entries({ ...usual, ...ofTool[name] }).filter(
      ([key]) =>
        required.includes(key) || (key === 'path' && isNamed) || ofTool[name]?.[key] !== undefined,
    ),
  );
  const rows: Row[] = [[name, base]];
  for (const [key, { type, enum: choices }] of properties) {
    for (const value of choices ?? []) rows.push([name, { ...base, [key]: value }]);
    if (key === 'names') for (const value of values) rows.push([name, { ...base, names: [value] }]);
    if (type !== 'string' || choices !== undefined) continue;
    const { path: _, ...unnamed } = base;
    const rest = key === 'name' || key === 'old_name' ? unnamed : base;
    const more = key === 'old_name' ? renamed : [];
    for (const value of [...values, ...more]) rows.push([name, { ...rest, [key]: value }]);
  }
  if (isNamed && !required.includes('path')) {
    const { path: _, ...unnamed } = base;
    rows.push([name, unnamed]); // Of the whole vault.
  }
  return rows;
}
