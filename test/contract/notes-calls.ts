import { makePng } from '../support/make-png.ts';
import type { ToolRow } from './tool-row.ts';

/** A picture of one pixel, in base64. */
const dot = Buffer.from(makePng({ width: 1, height: 1 })).toString('base64');

/** Every tool of the notes toolset on `examples/vault`, in an order in which all calls succeed. */
export const notesCalls: readonly ToolRow[] = [
  {
    tool: 'search_notes',
    effect: 'read',
    isOfSeed: true,
    calls: [
      [{ query: 'flood' }, 'Flood map'],
      [{ query: 'claude', mode: 'tag' }, 'How this vault works'],
      [{ query: 'борщ', mode: 'name_partial' }, 'Бабушкин борщ'],
      [{ query: 'no such words here' }, 'hint'],
    ],
  },
  {
    tool: 'list_notes',
    effect: 'read',
    isOfSeed: true,
    calls: [
      [{ limit: 5, sort: 'modified' }, '"next_offset":5'],
      [{ since: '2020-01-01', limit: 2 }, '"zone":'],
    ],
  },
  {
    tool: 'list_vault',
    effect: 'read',
    calls: [
      [{ what: 'folders' }, '"Recipes":3'],
      [{ what: 'tags' }, '"#water":2'],
      [{ what: 'broken_links' }, 'Tarnford land register'],
      [{ what: 'orphans' }, '"notes":{'],
      [{ what: 'dead_ends' }, '"notes":{'],
      [{ what: 'conflicts' }, '"total":0'],
      [{ what: 'duplicates' }, '"total":0'],
    ],
  },
  {
    tool: 'read_note',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ name: 'Home' }, 'Hello, future me.']],
    isShownOtherwise: true,
  },
  {
    tool: 'read_section',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ name: 'Home', section: 'Areas' }, '[[Cycling]]']],
    isShownOtherwise: true,
  },
  {
    tool: 'get_links',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ name: 'Flood map' }, '"incoming"']],
  },
  { tool: 'related_notes', effect: 'read', calls: [[{ name: 'Sourdough' }, '"related":']] },
  {
    tool: 'get_frontmatter',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ name: 'Example' }, '"status":"evergreen"']],
    isShownOtherwise: true,
  },
  {
    tool: 'query_notes',
    effect: 'read',
    calls: [
      [{ base: 'Reading' }, '"columns":["path","file.name"'],
      [{ filter: 'rating > 3', columns: ['rating'], sort: 'rating desc' }, '"total":'],
      [{ filter: 'file.hasTag("book")', format: 'md' }, '| path | file name |'],
      [{ filter: 'TABLE rating FROM "Reading" SORT rating DESC' }, '"columns":["path","rating"]'],
      [{ filter: 'TASK FROM "Projects" WHERE !completed' }, 'Compare with the flood of 1926'],
    ],
  },
  {
    tool: 'list_tasks',
    effect: 'read',
    calls: [[{ name: 'Flood map' }, '29: Compare with the flood of 1926']],
  },
  {
    tool: 'create_note',
    effect: 'write',
    isOfSeed: true,
    calls: [
      [
        { name: 'Trial', content: '# Trial\n\n## Log\n', frontmatter: '{"tags":["example"]}' },
        'Trial.md',
      ],
      [{ name: 'Trial.conflict1', content: '# Trial\n\nElsewhere.\n' }, 'Trial.conflict1.md'],
      [{ name: 'Persuasion', base: 'Reading', view: 'On the table' }, '"row":true'],
    ],
  },
  {
    tool: 'append_note',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ name: 'Trial', text: 'A line.' }, '"appended":true']],
  },
  {
    tool: 'append_section',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ name: 'Trial', section: 'Log', text: '- begun' }, '"section"']],
  },
  {
    tool: 'insert_note',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ name: 'Trial', text: 'Before it.', before: 'A line.' }, '"inserted":true']],
  },
  {
    tool: 'replace_note',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ name: 'Trial', old_text: 'begun', new_text: 'done' }, '"replaced":1']],
  },
  {
    tool: 'set_frontmatter',
    effect: 'write',
    isOfSeed: true,
    calls: [
      [{ name: 'Trial', key: 'status', value: 'draft' }, '"draft"'],
      [{ names: ['Trial', 'Home'], properties: { rating: '4' }, dry_run: true }, '"diff"'],
      [{ names: ['Trial'], properties: { rating: '4', status: null } }, '"changed":1'],
    ],
  },
  {
    tool: 'daily_note',
    effect: 'write',
    calls: [
      [{ date: '2026-11-10' }, '[Daily/2026-11-10.md]'],
      [{ date: '1999-12-31', text: 'The last day.', section: 'Notes' }, '"created":true'],
    ],
    isShownOtherwise: true,
  },
  {
    tool: 'update_note',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ name: 'Trial', content: '# Trial\n\nAnew.\n' }, '"updated":true']],
  },
  {
    tool: 'set_task',
    effect: 'write',
    calls: [[{ name: 'Flood map', text: 'flood of 1926' }, '"line":29']],
  },
  {
    tool: 'write_attachment',
    effect: 'write',
    calls: [
      [{ name: 'dot.png', data: dot, note: 'Trial' }, '"embed":"![[dot.png]]"'],
      [{ name: 'dot.png', data: dot }, 'Attachments/dot 1.png'],
    ],
  },
  {
    tool: 'rename_note',
    effect: 'write',
    isOfSeed: true,
    calls: [
      [{ old_name: 'Flood map', new_name: 'Flood atlas', dry_run: true }, '"diff"'],
      [{ old_name: 'Flood map', new_name: 'Flood atlas' }, '"renamed":true'],
      [{ old_name: 'Recipes/', new_name: 'Kitchen/' }, '"moved":3'],
      [{ old_name: '#water', new_name: '#river' }, '"tags":'],
      [{ old_name: 'property:finished', new_name: 'done' }, '"bases":1'],
      [{ old_name: 'Home#Areas', new_name: 'Fields' }, 'Home.md'],
    ],
  },
  {
    tool: 'delete_note',
    effect: 'destroy',
    isOfSeed: true,
    calls: [[{ name: 'Greenhouse' }, '.trash/']],
  },
  {
    tool: 'merge_conflict',
    effect: 'destroy',
    calls: [
      [{ name: 'Trial.conflict1' }, '"choices":['],
      [{ name: 'Trial.conflict1', choose: 'both', dry_run: true }, '"diff"'],
      [{ name: 'Trial.conflict1', choose: 'both' }, '"merged":true'],
    ],
  },
  {
    tool: 'list_changes',
    effect: 'read',
    calls: [[{ limit: 3 }, 'delete_note']],
  },
  {
    tool: 'undo_change',
    effect: 'destroy',
    calls: [[{ session: 'current' }, '"undone"']],
  },
];
