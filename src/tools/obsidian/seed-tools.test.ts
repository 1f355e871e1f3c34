import { describe, expect, it } from 'vitest';
import type { ObsidianRow } from '../../../test/support/obsidian-rows.ts';
import { checkRow } from '../../../test/support/obsidian-rows.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { limits } from '../../base/limits.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const vault: Readonly<Record<string, string>> = {
  'Note.md': '---\nkey: one\n---\n# Note\n\nSee [[Other]].\n',
  'Other.md': 'text\n',
  'x/Twin.md': 'a',
  'y/Twin.md': 'b',
};

const open = (given: object = {}) => openToolset({ ...vault, ...given }, obsidianToolset());

const rows: readonly ObsidianRow[] = [
  {
    it: 'creates a note as the seed shows',
    call: ['create_note', { name: 'Meeting Notes', content: '# Meeting Notes\n\n- Agenda item 1' }],
    data: { path: 'Meeting Notes.md', created: true },
    files: { 'Meeting Notes.md': '# Meeting Notes\n\n- Agenda item 1' },
  },
  {
    it: 'creates an empty note at a path, whatever a client adds',
    call: ['create_note', { name: 'a/b/New.md', content: null, color: null, _meta: {} }],
    data: { path: 'a/b/New.md', created: true },
    files: { 'a/b/New.md': '' },
  },
  {
    it: 'puts a bare name where the settings want new notes',
    given: { '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}' },
    call: ['create_note', { name: 'New' }],
    data: { path: 'Inbox/New.md', created: true },
  },
  {
    it: 'takes path in place of name, literally',
    given: { '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}' },
    call: ['create_note', { path: 'New' }],
    data: { path: 'New.md', created: true },
  },
  {
    it: 'creates nothing where a note is, and says how',
    call: ['create_note', { name: 'Note', content: 'x' }],
    refuses: ['already_exists', /"Note\.md".*overwrite.*obsidian_append_note/],
  },
  {
    it: 'overwrites when asked to',
    call: ['create_note', { name: 'Note', content: 'new', overwrite: 'true' }],
    data: { path: 'Note.md', created: true, overwritten: true },
    files: { 'Note.md': 'new' },
  },
  {
    it: 'needs a name',
    call: ['create_note', { content: 'x' }],
    refuses: ['invalid_input', /"name": it is missing/],
  },
  {
    it: 'creates nothing in a hidden folder',
    call: ['create_note', { name: '.obsidian/plugins/x' }],
    refuses: ['invalid_input', /dot/],
  },
  {
    it: 'reads a note by its name, as on disk',
    call: ['read_note', { name: 'note' }],
    data: { path: 'Note.md', content: vault['Note.md'] },
  },
  {
    it: 'reads some lines of a note, and says where the next begin',
    call: ['read_note', { name: 'Note', offset: '1', limit: 2 }],
    data: { path: 'Note.md', content: 'key: one\n---\n', next_offset: 3 },
  },
  {
    it: 'reads nothing behind the end',
    call: ['read_note', { name: 'Note', offset: 6 }],
    refuses: ['invalid_input', /has 6 lines/],
  },
  {
    it: 'reads no note that is not there, and names what comes close',
    call: ['read_note', { name: 'Nota' }],
    refuses: ['not_found', /no note "Nota".*"Note"/],
  },
  {
    it: 'reads none of several of one name',
    call: ['read_note', { name: 'Twin' }],
    refuses: ['ambiguous', /x\/Twin\.md, y\/Twin\.md/],
  },
  {
    it: 'reads no file of the app',
    given: { '.obsidian/app.json': '{}' },
    call: ['read_note', { path: '.obsidian/app.json' }],
    refuses: ['not_found', /no note/],
  },
  {
    it: 'appends',
    call: ['append_note', { name: 'Other', content: 'more' }],
    data: { path: 'Other.md', appended: true },
    files: { 'Other.md': 'text\nmore\n' },
  },
  {
    it: 'appends to no note that is not there',
    call: ['append_note', { name: 'Nothing', content: 'more' }],
    refuses: ['not_found', /no note/],
  },
  {
    it: 'needs a content to append',
    call: ['append_note', { name: 'Other' }],
    refuses: ['invalid_input', /"content": it is missing/],
  },
  {
    it: 'prepends after the properties',
    call: ['prepend_note', { name: 'Note', content: 'first' }],
    data: { path: 'Note.md', prepended: true },
    files: { 'Note.md': '---\nkey: one\n---\nfirst\n# Note\n\nSee [[Other]].\n' },
  },
  {
    it: 'deletes into .trash by default, and leaves links as they are (R17)',
    call: ['delete_note', { name: 'Other' }],
    data: { path: 'Other.md', deleted: true, trash: '.trash/Other.md' },
    files: { 'Note.md': vault['Note.md'] ?? '', '.trash/Other.md': 'text\n' },
  },
  {
    it: 'deletes where the vault says',
    given: { '.obsidian/app.json': '{"trashOption":"none"}' },
    call: ['delete_note', { name: 'Other' }],
    data: { path: 'Other.md', deleted: true },
  },
  {
    it: 'deletes for good when asked to',
    call: ['delete_note', { name: 'Other', permanent: true }],
    data: { path: 'Other.md', deleted: true },
  },
  {
    it: 'moves into a folder, and takes links along',
    call: ['move_note', { name: 'Other', to: 'x/Otter' }],
    data: { path: 'x/Otter.md', from: 'Other.md', moved: true, links: 1 },
    files: { 'Note.md': '---\nkey: one\n---\n# Note\n\nSee [[Otter]].\n', 'x/Otter.md': 'text\n' },
  },
  {
    it: 'moves into a folder under its own name',
    call: ['move_note', { path: 'Other.md', to: 'x/' }],
    data: { path: 'x/Other.md', from: 'Other.md', moved: true, links: 0 },
  },
  {
    it: 'says when a note was there already',
    call: ['move_note', { name: 'x/Twin', to: 'x' }],
    data: { path: 'x/Twin.md', from: 'x/Twin.md', moved: false, links: 0 },
  },
  {
    it: 'moves over no other note',
    call: ['move_note', { name: 'x/Twin', to: 'y' }],
    refuses: ['already_exists', /y\/Twin\.md/],
  },
  {
    it: 'moves nothing into a hidden folder',
    call: ['move_note', { name: 'Other', to: '.obsidian/' }],
    refuses: ['invalid_input', /dot/],
  },
  {
    it: 'renames in the folder',
    call: ['rename_note', { name: 'x/Twin', new_name: 'Solo' }],
    data: { path: 'x/Solo.md', from: 'x/Twin.md', renamed: true, links: 0 },
  },
  {
    it: 'renames to a path',
    call: ['rename_note', { name: 'x/Twin', new_name: 'z/Solo' }],
    data: { path: 'z/Solo.md', from: 'x/Twin.md', renamed: true, links: 0 },
  },
  {
    it: 'renames to no hidden name',
    call: ['rename_note', { name: 'Other', new_name: '.Other' }],
    refuses: ['invalid_input', /dot/],
  },
  {
    it: 'tells what is known of a file',
    given: { 'T.md': '---\naliases: [Tee]\n---\n#tag' },
    call: ['file_info', { name: 'T' }],
    data: {
      path: 'T.md',
      name: 'T',
      extension: 'md',
      kind: 'note',
      bytes: 27,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tags: ['#tag'],
      aliases: ['Tee'],
    },
  },
  {
    it: 'tells nothing of what is not there',
    call: ['file_info', { name: 'Nothing' }],
    refuses: ['not_found', /no note/],
  },
];

describe('a tool of the seed', () => {
  it.each(rows.map((row) => [row.it, row] as const))('%s', (_it, row) => checkRow(vault, row));

  it('answers with exactly the text of the seed, and nothing beside it', async () => {
    const tools = await open();
    const args = { name: 'Meeting Notes', content: 'x' };
    const { text, meta } = await tools.call('obsidian_create_note', args);
    expect(text).toBe('{"success":true,"data":{"path":"Meeting Notes.md","created":true}}');
    expect(meta).toBeUndefined();
    expect((await tools.call('obsidian_read_note', args)).meta).toBeUndefined();
    await tools.close();
  });

  it('leaves no file behind when it deletes for good', async () => {
    const tools = await open();
    await tools.call('obsidian_delete_note', { name: 'Other', permanent: true });
    expect(Object.keys(tools.files())).toEqual(['Note.md', 'x/Twin.md', 'y/Twin.md']);
    await tools.close();
  });
});

describe('obsidian_read_note', () => {
  it.each<[string, string]>([
    ['lines', 'a line of it\n'.repeat(10_000)],
    ['quotes', '"'.repeat(70).concat('\n').repeat(2_000)],
    ['control characters', '\u0001\u0002\n'.repeat(20_000)],
  ])('reads a long note of %s in parts that fit, with nothing lost', async (_what, text) => {
    const tools = await open({ 'Long.md': text });
    let content = '';
    for (let offset: unknown = 0; offset !== undefined; ) {
      const answer = await tools.call('obsidian_read_note', { name: 'Long', offset });
      expect(answer.text.length).toBeLessThanOrEqual(limits.answerCharsMax);
      const data = answer.json['data'] as Record<string, unknown>;
      content += data['content'];
      offset = data['next_offset'];
      expect(data['truncated']).toEqual(
        offset === undefined ? undefined : expect.stringContaining(`offset ${offset}.`),
      );
    }
    expect(content).toBe(text);
    await tools.close();
  });

  it('says that a line is longer than an answer, and how to read the rest', async () => {
    const whole = `${'x"'.repeat(25_000)}\nend`;
    const tools = await open({ 'Long.md': whole });
    const { text, json } = await tools.call('obsidian_read_note', { name: 'Long' });
    expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
    const first = json['data'] as { content: string; truncated: string; next_offset: number };
    expect(first.next_offset).toBe(1);
    const [, of, offset, skip] =
      /line 1 is cut .* its (\d+) characters; .* offset (\d+), skip (\d+)\.$/.exec(
        first.truncated,
      ) ?? [];
    expect([of, skip]).toEqual(['50001', String(first.content.length)]);
    const rest = await tools.call('obsidian_read_note', { name: 'Long', offset, skip });
    const { content } = rest.json['data'] as { content: string };
    expect(whole.startsWith(first.content + content)).toBe(true);
    expect(content.length).toBeGreaterThan(20_000);
    await tools.close();
  });
});
