import { describe, expect, it } from 'vitest';
import type { ObsidianRow } from '../../../test/support/obsidian-rows.ts';
import { checkRow, variedVault as vault } from '../../../test/support/obsidian-rows.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const rows: readonly ObsidianRow[] = [
  {
    it: 'daily_read reads the note of a day',
    call: ['daily_read', { date: '2026-03-09' }],
    data: { path: 'Days/2026-03-09.md', exists: true, content: 'a day\n' },
  },
  {
    it: 'daily_read tells where one would be',
    call: ['daily_read', { date: '2026-03-10' }],
    data: { path: 'Days/2026-03-10.md', exists: false, content: '' },
  },
  {
    it: 'daily_read refuses what is no date',
    call: ['daily_read', { date: 'someday' }],
    refuses: ['invalid_input', /YYYY-MM-DD/],
  },
  {
    it: 'daily_append makes the note first',
    call: ['daily_append', { content: 'x', date: '2026-03-10' }],
    data: { path: 'Days/2026-03-10.md', appended: true, created: true },
    files: { 'Days/2026-03-10.md': 'x\n' },
  },
  {
    it: 'daily_prepend adds at the beginning',
    call: ['daily_prepend', { content: 'x', date: '2026-03-09' }],
    data: { path: 'Days/2026-03-09.md', prepended: true, created: false },
    files: { 'Days/2026-03-09.md': 'x\na day\n' },
  },
  {
    it: 'properties lists those of the vault with counts',
    call: ['properties', {}],
    data: {
      total: 3,
      properties: [
        { property: 'aliases', files: 1, types: ['list'] },
        { property: 'kind', files: 1, types: ['text'] },
        { property: 'status', files: 2, types: ['number', 'text'] },
      ],
    },
  },
  {
    it: 'properties counts one, in any case',
    call: ['properties', { property: 'STATUS' }],
    data: { property: 'status', files: 2, types: ['number', 'text'] },
  },
  {
    it: 'properties reads those of a note',
    call: ['properties', { name: 'A' }],
    data: { path: 'A.md', properties: { status: 'open', aliases: ['Aye'] } },
  },
  {
    it: 'properties reads one value',
    call: ['properties', { path: 'B.md', property: 'status' }],
    data: { path: 'B.md', property: 'Status', value: 3 },
  },
  {
    it: 'properties refuses one that a note does not have',
    call: ['properties', { name: 'B', property: 'aliases' }],
    refuses: ['not_found', /"B\.md" has no property "aliases"/],
  },
  {
    it: 'property_set converts to a type',
    call: ['property_set', { name: 'B', property: 'rating', value: '5', type: 'number' }],
    data: { path: 'B.md', property: 'rating', value: 5 },
    files: { 'B.md': '---\nStatus: 3\nrating: 5\n---\nbanana text #tag\n' },
  },
  {
    it: 'property_set refuses what does not fit the type',
    call: ['property_set', { name: 'B', property: 'due', value: 'soon', type: 'date' }],
    refuses: ['invalid_input', /YYYY-MM-DD/],
  },
  {
    it: 'property_set refuses another type',
    call: ['property_set', { name: 'B', property: 'due', value: 'soon', type: 'moment' }],
    refuses: ['invalid_input', /"type": it must be "text" or/],
  },
  {
    it: 'property_remove removes',
    call: ['property_remove', { name: 'B', property: 'Status' }],
    data: { path: 'B.md', property: 'Status', removed: true },
    files: { 'B.md': 'banana text #tag\n' },
  },
  {
    it: 'property_remove says when there was none',
    call: ['property_remove', { name: 'B', property: 'x' }],
    data: { path: 'B.md', property: 'x', removed: false },
  },
  {
    it: 'outline lists headings',
    call: ['outline', { name: 'A' }],
    data: {
      path: 'A.md',
      total: 2,
      headings: [
        { level: 1, text: 'One', line: 5 },
        { level: 2, text: 'Two', line: 9 },
      ],
    },
  },
  {
    it: 'word_count leaves properties out',
    call: ['word_count', { name: 'B' }],
    data: { path: 'B.md', words: 3, characters: 17 },
  },
  {
    it: 'tasks lists those of the vault by status',
    call: ['tasks', { status: 'todo' }],
    data: {
      total: 1,
      tasks: [{ path: 'A.md', line: 7, status: ' ', text: 'do it', heading: 'One' }],
    },
  },
  {
    it: 'tasks lists those of a note, in pages',
    call: ['tasks', { name: 'A', limit: 1 }],
    data: {
      total: 2,
      tasks: [{ path: 'A.md', line: 7, status: ' ', text: 'do it', heading: 'One' }],
      next_offset: 1,
    },
  },
  {
    it: 'tasks lists those of a folder with a character',
    call: ['tasks', { folder: 'x', status: '/' }],
    data: { total: 1, tasks: [{ path: 'x/C.md', line: 2, status: '/', text: 'half' }] },
  },
  {
    it: 'tasks lists none of a note outside of the folder',
    call: ['tasks', { name: 'A', folder: 'x' }],
    data: { total: 0, tasks: [] },
  },
  {
    it: 'tasks refuses a status that is none',
    call: ['tasks', { status: 'maybe' }],
    refuses: ['invalid_input', /one character/],
  },
  {
    it: 'task_set toggles',
    call: ['task_set', { name: 'A', line: '7' }],
    data: { path: 'A.md', line: 7, status: 'x', text: 'do it' },
    files: { 'A.md': (vault['A.md'] ?? '').replace('[ ]', '[x]') },
  },
  {
    it: 'task_set gives a status',
    call: ['task_set', { name: 'x/C', line: 2, status: '-' }],
    data: { path: 'x/C.md', line: 2, status: '-', text: 'half' },
    files: { 'x/C.md': 'banana\n- [-] half\n' },
  },
  {
    it: 'task_set refuses a line without a task',
    call: ['task_set', { name: 'A', line: 8 }],
    refuses: ['not_found', /no task on line 8.*lines 7, 11/],
  },
  {
    it: 'task_set needs a line',
    call: ['task_set', { name: 'A' }],
    refuses: ['invalid_input', /"line": it/],
  },
  {
    it: 'templates lists them',
    call: ['templates', {}],
    data: { folder: 'Templates', total: 1, templates: [{ name: 'T', path: 'Templates/T.md' }] },
  },
  {
    it: 'template_read fills in',
    call: ['template_read', { template: 'T', title: 'Hi' }],
    data: { path: 'Templates/T.md', content: '---\nkind: new\n---\nHi!' },
  },
  {
    it: 'template_insert adds properties and text',
    call: ['template_insert', { template: 'T', name: 'x/C' }],
    data: { path: 'x/C.md', inserted: true },
    files: { 'x/C.md': '---\nkind: new\n---\nbanana\n- [/] half\nC!\n' },
  },
  {
    it: 'template_insert refuses a template that is not there',
    call: ['template_insert', { template: 'None', name: 'A' }],
    refuses: ['not_found', /None.*Give one as "template"\./],
  },
  {
    it: 'template_read is told which argument is missing',
    call: ['template_read', { name: 'T' }],
    refuses: ['invalid_input', /no argument "name": use "template"/],
  },
  {
    it: 'template_read takes title for the title',
    call: ['template_read', { template: 'T', heading: 'x' }],
    refuses: ['invalid_input', /no argument "heading": it takes template, title/],
  },
  {
    it: 'random_note reads one',
    call: ['random_note', { folder: 'x' }],
    data: { path: 'x/C.md', content: vault['x/C.md'] },
  },
  {
    it: 'random_note refuses a folder without notes',
    call: ['random_note', { folder: 'x/y' }],
    refuses: ['not_found', /no note in "x\/y"/],
  },
  {
    it: 'unique_note makes one, named by the time',
    call: ['unique_note', { content: 'hi' }],
    data: { path: expect.stringMatching(/^\d{12}\.md$/), created: true },
  },
  {
    it: 'history knows nothing of what was never changed here',
    call: ['history', { name: 'A' }],
    data: { path: 'A.md', total: 0, versions: [] },
  },
  {
    it: 'history_read refuses a version that is not there',
    call: ['history_read', { name: 'A', version: 1 }],
    refuses: ['not_found', /no version 1/],
  },
  {
    it: 'history_diff needs a version',
    call: ['history_diff', { name: 'A' }],
    refuses: ['invalid_input', /"from": it/],
  },
];

describe('a tool about notes', () => {
  it.each(rows.map((row) => [row.it, row] as const))('%s', (_it, row) => checkRow(vault, row));

  it('list, read, compare and restore the versions of a note', async () => {
    const tools = await openToolset(vault, obsidianToolset());
    const data = async (tool: string, args: object) => {
      const { text, json } = await tools.call(`obsidian_${tool}`, { name: 'x/C', ...args });
      expect(text).toContain('"success":true');
      return json['data'];
    };
    await data('append_note', { content: 'more' });
    expect(await data('history', {})).toEqual({
      path: 'x/C.md',
      total: 2,
      versions: [
        { version: 1, time: expect.any(String), tool: 'obsidian_append_note' },
        { version: 2, time: expect.any(String) },
      ],
    });
    const before = vault['x/C.md'];
    expect(await data('history_read', { version: 2 })).toEqual({
      path: 'x/C.md',
      version: 2,
      content: before,
    });
    const diff = { path: 'x/C.md', diff: expect.stringContaining('\n+more\n') };
    expect(await data('history_diff', { from: 2 })).toEqual(diff);
    expect(await data('history_diff', { from: 2, to: 1 })).toEqual(diff);
    expect(await data('history_restore', { version: '2' })).toEqual({
      path: 'x/C.md',
      restored: true,
    });
    expect(tools.text('x/C.md')).toBe(before);
    expect(await data('history_restore', { version: 1 })).toEqual({
      path: 'x/C.md',
      restored: false,
    });
    await tools.close();
  });

  it('bring back a note that was deleted for good', async () => {
    const tools = await openToolset(vault, obsidianToolset());
    const call = (tool: string, args: object) =>
      tools.call(`obsidian_${tool}`, { name: 'x/C', ...args });
    await call('delete_note', { permanent: true });
    const { code, text } = await call('history', {});
    expect([code, text]).toEqual(['not_found', expect.stringContaining('obsidian_create_note')]);
    await call('create_note', {});
    expect((await call('history', {})).json).toMatchObject({ data: { total: 2 } });
    expect((await call('history_restore', { version: 2 })).ok).toBe(true);
    expect(tools.text('x/C.md')).toBe(vault['x/C.md']);
    await tools.close();
  });
});

describe('a note with the tag claude', () => {
  const needed = /needs the property \\?"description/;
  const files = {
    'A.md': 'text\n',
    'B.md': '---\ntags: [claude]\ndescription: Read first.\n---\n',
    'T.md': '---\ntags: [claude]\n---\n',
    '.obsidian/templates.json': '{"folder":"/"}',
  };
  const calls: readonly (readonly [string, object])[] = [
    ['obsidian_create_note', { name: 'C', content: '---\ntags: [claude]\n---\n' }],
    ['obsidian_property_set', { name: 'A', property: 'tags', value: ['claude'] }],
    ['obsidian_property_remove', { name: 'B', property: 'description' }],
    ['obsidian_template_insert', { name: 'A', template: 'T' }],
  ];

  it.each(calls)('is answered with a request for its description by %s', async (tool, args) => {
    const opened = await openToolset(files, obsidianToolset());
    const answer = await opened.call(tool, args);
    expect(answer).toMatchObject({ ok: true, text: expect.stringMatching(needed) });
    expect(answer.text).toContain('obsidian_property_set');
  });

  it.each(calls)('is refused without one by %s under strict', async (tool, args) => {
    const opened = await openToolset(files, obsidianToolset({ refusesUndescribed: true }));
    const answer = await opened.call(tool, args);
    expect(answer).toMatchObject({ ok: false, code: 'invalid_input' });
    expect(answer.text).toMatch(needed);
    expect(opened.files()).toEqual(files);
  });
});
