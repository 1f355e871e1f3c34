import type { HostileFamily } from './hostile-notes.ts';
import { hostileFamilies } from './hostile-notes.ts';

/** The families of hostile files that are tried with every tool: one or two for each cause. */
const names = [
  'links on a line',
  'links in a note',
  'links that are not closed',
  'markdown links in a note',
  'deep lists',
  'deep lists that come back',
  'deep quotes',
  'deep lists and quotes',
  'a long line',
  'empty lines',
  'tags in a note',
  'headings',
  'equal headings',
  'tasks',
  'deep tasks',
  'block ids',
  'callouts',
  'a table of many rows',
  'a table of many columns',
  'properties',
  'properties with links',
  'properties in a map',
  'a list property',
  'a canvas of files',
  'a canvas with one card of links',
  'a base of links',
];

/** Those families, and files in which everything leads to one note. */
export const heavyFamilies: readonly HostileFamily[] = [
  ...hostileFamilies.filter(({ name }) => names.includes(name)),
  { name: 'links to one note', kind: 'note', make: (chars) => '[[T]]\n'.repeat(chars / 6) },
  {
    name: 'links to one heading',
    kind: 'note',
    make: (chars) => '[[T#Target]] [[#Last]] [[#^id]]\n'.repeat(chars / 32),
  },
  {
    name: 'properties that lead to one note',
    kind: 'note',
    make: (chars) => {
      const lines = Array.from({ length: chars / 16 }, (_, index) => `p${index}: "[[T]]"\n`);
      return `---\n${lines.join('')}---\n`;
    },
  },
  {
    name: 'a canvas that leads to one note',
    kind: 'canvas',
    make: (chars) => {
      const nodes = Array.from(
        { length: chars / 70 },
        (_, index) =>
          `{"id":"n${index}","type":"file","file":"T.md","x":0,"y":0,"width":9,"height":9}`,
      );
      return `{"nodes":[${nodes.join(',\n')}],"edges":[]}`;
    },
  },
];

/** The day whose daily note the heavy note is, and the folder of daily notes and templates. */
const day = '2026-11-10';

/** The path of the heavy file of a family. */
export function heavyPath({ kind }: HostileFamily): string {
  return `Heavy/${day}.${kind === 'note' ? 'md' : kind}`;
}

/**
 * The files of a vault with one heavy file. It is a daily note and a template too, so that the
 * tools for these find it.
 */
export function heavyVault(family: HostileFamily, chars: number): Record<string, string> {
  const text = family.make(chars);
  return {
    '.obsidian/app.json': '{}',
    '.obsidian/daily-notes.json': '{"folder":"Heavy"}',
    '.obsidian/templates.json': '{"folder":"Heavy"}',
    [heavyPath(family)]:
      family.kind === 'note' ? `${text}\n\n# Last\n\n- [ ] the needle #word\n` : text,
    'T.md': '# Target\n\nA note.\n',
    'Other.md': '# Other\n\nAnother note.\n',
  };
}

/** Properties of the heavy notes that one call removes. */
const manyRemoved = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, null]));

/** Calls of tools, all by one connection except where another one is named. */
type Calls = readonly (readonly [
  tool: string,
  args: Readonly<Record<string, unknown>>,
  connection?: string,
])[];

/** Calls of the notes toolset that look into the heavy file or at what it says, in this order. */
export function heavyNotesCalls(name: string): Calls {
  return [
    ['search_notes', { query: 'word needle' }],
    ['search_notes', { query: 'word', mode: 'tag' }],
    ['search_notes', { query: 'line:(the needle)' }],
    ['search_notes', { query: 'section:(the needle)' }],
    ['search_notes', { query: 'block:(the needle)' }],
    ['search_notes', { query: 'task:needle' }],
    ['search_notes', { query: '/nee+dle/' }],
    ['read_note', { name }],
    ['read_note', { name, images: true }],
    ['write_attachment', { name: 'x.gif', data: 'R0lGODlhAQABAAAAACw=', note: name }],
    ['read_section', { name, section: 'Last' }],
    ['read_section', { name, section: 'Lost' }],
    ['get_links', { name }],
    ['get_links', { name: 'T' }],
    ['related_notes', { name }],
    ['get_frontmatter', { name }],
    ['append_note', { name, text: 'Not seen.' }, 'another'],
    ['update_note', { name, content: 'x' }], // Refused, with what became different.
    ['append_note', { name, text: 'A line.' }],
    ['append_section', { name, section: 'Last', text: '- more' }],
    ['daily_note', { date: day }],
    ['daily_note', { date: day, text: 'x' }],
    ['set_frontmatter', { names: [name, 'Other'], properties: { area: 'x', status: null } }],
    ['list_tasks', {}],
    ['list_tasks', { status: 'open', limit: 5 }],
    ['set_task', { name, text: 'the needle', status: 'done' }],
    ['query_notes', { filter: 'file.hasTag("word") || file.links.length > 2' }],
    ['query_notes', { columns: ['file.tags', 'file.links', 'key7'], this: name }],
    ['query_notes', { filter: 'TASK WHERE !completed SORT text GROUP BY section' }],
    [
      'query_notes',
      { filter: 'TABLE file.lists.text, file.tags, file.outlinks, key7', this: name },
    ],
    ['list_vault', { what: 'tags' }],
    ['list_vault', { what: 'broken_links' }],
    ['list_vault', { what: 'duplicates' }],
    ['insert_note', { name, text: 'Before it.', before: 'A line.' }],
    ['insert_note', { name, text: 'Before it.', before: 'A lime.' }],
    ['replace_note', { name, old_text: 'A line.', new_text: 'One line.' }],
    ['replace_note', { name, old_text: 'needle', new_text: 'pin', all: true }],
    ['set_frontmatter', { name, key: 'status', value: 'draft' }],
    ['set_frontmatter', { names: [name, 'Other'], properties: { status: 'done', rating: '4' } }],
    ['set_frontmatter', { names: [name], properties: manyRemoved }],
    ['daily_note', { date: day }],
    ['daily_note', { date: day, text: 'A line.', section: 'Last' }],
    ['create_note', { name: 'Elsewhere/From', template: day, content: 'x' }],
    ['create_note', { name: 'Elsewhere/T', content: 'x' }],
    ['create_note', { name: `Heavy/${day}.conflict1`, template: day, content: 'x' }],
    ['merge_conflict', { name: `Heavy/${day}.conflict1` }],
    ['merge_conflict', { name: `Heavy/${day}.conflict1`, choose: 'both' }],
    ['rename_note', { old_name: 'T.md', new_name: 'Aim', dry_run: true }],
    ['rename_note', { old_name: 'T.md', new_name: 'Aim' }],
    ['rename_note', { old_name: name, new_name: 'Renamed' }],
    ['list_changes', { limit: 3 }],
    ['delete_note', { name: 'Aim' }],
    ['update_note', { name: 'Renamed', content: '# Anew\n' }],
    ['delete_note', { name: 'Renamed' }],
    ['undo_change', { session: 'current' }],
  ];
}

/** The same of the agent toolset. */
export function heavyAgentCalls(path: string): Calls {
  return [
    ['note_read', { path }],
    ['vault_search', { query: 'needle' }],
    ['backlinks_search', { path: 'T.md' }],
    ['backlinks_search', { path }],
    ['graph_neighbors', { path }],
    ['graph_neighbors', { path: 'T.md', depth: 2 }],
    ['link_add', { from: path, to: 'Other.md' }],
    ['link_add', { from: 'Other.md', to: path, heading: 'Last' }],
    ['note_upsert', { path, content: 'More.', frontmatter: { status: 'draft' } }],
    ['note_delete', { path }],
  ];
}

/** The same of the obsidian toolset. */
export function heavyObsidianCalls(name: string): Calls {
  return [
    ['obsidian_read_note', { name }],
    ['obsidian_file_info', { name }],
    ['obsidian_search', { query: 'needle', context: true }],
    ['obsidian_daily_read', { date: day }],
    ['obsidian_properties', {}],
    ['obsidian_properties', { name }],
    ['obsidian_properties', { name, property: 'key7' }],
    ['obsidian_tags', {}],
    ['obsidian_tags', { name }],
    ['obsidian_tags', { tag: 'word' }],
    ['obsidian_aliases', { name }],
    ['obsidian_links', { name }],
    ['obsidian_backlinks', { name: 'T' }],
    ['obsidian_base_views', { name }],
    ['obsidian_base_query', { name }],
    ['obsidian_base_create', { file: name, name: 'Elsewhere/In a base' }],
    ['obsidian_unresolved', {}],
    ['obsidian_orphans', {}],
    ['obsidian_deadends', {}],
    ['obsidian_outline', { name }],
    ['obsidian_word_count', { name }],
    ['obsidian_tasks', {}],
    ['obsidian_tasks', { name }],
    ['obsidian_template_read', { template: day, title: 'x' }],
    ['obsidian_random_note', { folder: 'Heavy' }],
    ['obsidian_append_note', { name, content: 'end' }],
    ['obsidian_prepend_note', { name, content: 'begin' }],
    ['obsidian_daily_append', { date: day, content: 'x' }],
    ['obsidian_daily_prepend', { date: day, content: 'x' }],
    ['obsidian_property_set', { name, property: 'rating', value: '4', type: 'number' }],
    ['obsidian_property_remove', { name, property: 'rating' }],
    ['obsidian_task_set', { name, line: 3 }],
    ['obsidian_template_insert', { template: day, name: 'Other' }],
    ['obsidian_create_note', { name: 'Elsewhere/T', content: 'x' }],
    ['obsidian_history', { name }],
    ['obsidian_history_read', { name, version: 1 }],
    ['obsidian_history_diff', { name, from: 2, to: 1 }],
    ['obsidian_history_restore', { name, version: 2 }],
    ['obsidian_move_note', { name: 'T.md', to: 'Elsewhere/Moved.md' }],
    ['obsidian_rename_note', { name: 'Elsewhere/Moved.md', new_name: 'Aim' }],
    ['obsidian_move_note', { name, to: 'Elsewhere' }],
    ['obsidian_delete_note', { name: 'Aim' }],
  ];
}

/** Commands that do what no other toolset does. */
export function heavyCliCalls(name: string): Calls {
  return [
    ['facts', { name }],
    ['append', { name, text: 'A block ^id' }],
    ['tag rename', { tag: 'word', newTag: 'term' }],
    ['tag remove', { name, tags: ['term'] }],
    ['property rename', { property: 'p3', newProperty: 'third' }],
    ['rename-heading', { name, heading: 'Last', newHeading: 'End' }],
    ['rename-heading', { name: 'T', heading: 'Target', newHeading: 'Aim' }],
    ['rename-block', { name, block: 'id', newBlock: 'other' }],
    ['show', { id: 2 }],
    ['undo', { ids: [1], dryRun: true }],
  ];
}
