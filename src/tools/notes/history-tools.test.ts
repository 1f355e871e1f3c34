import { describe, expect, it } from 'vitest';
import { openNotes } from '../../../test/support/notes-service.ts';
import { limits } from '../../base/limits.ts';

const vault = {
  'Old.md': 'x\n',
  'sub/B.md': 'see [[Old]] and ![[Old]]\n',
  '.obsidian/app.json': '{"trashOption":"none"}',
};

describe('delete_note', () => {
  it('moves to .trash and turns links into text, whatever the settings say', async () => {
    const notes = await openNotes(vault);
    const { json } = await notes.call('delete_note', { name: 'Old' });
    expect(json).toEqual({
      path: 'Old.md',
      deleted: true,
      trash: '.trash/Old.md',
      unlinked: 1,
      files: [{ path: 'sub/B.md', line: 1 }],
      files_total: 1,
      left: [{ path: 'sub/B.md', line: 1, kind: 'embed' }],
      change: 1,
    });
    expect(notes.files()).toMatchObject({
      '.trash/Old.md': 'x\n',
      'sub/B.md': 'see Old and ![[Old]]\n',
    });
    await notes.close();
  });

  it('is taken back with the note restored, which was not created', async () => {
    const notes = await openNotes(vault);
    await notes.call('delete_note', { name: 'Old' });
    const undone = await notes.call('undo_change', { id: 1 });
    expect(undone.json).toEqual({
      change: 2,
      undone: [1],
      restored: ['Old.md'],
      changed: ['sub/B.md'],
    });
    const { text } = await notes.call('list_changes', { limit: 1 });
    expect(text).toContain('"restored":["Old.md"]');
    expect(notes.files()).toEqual(vault);
    await notes.close();
  });

  it('only shows it in a dry run', async () => {
    const notes = await openNotes(vault);
    const { json } = await notes.call('delete_note', { path: 'Old', dry_run: 'true' });
    expect(json).toMatchObject({ deleted: false, dry_run: true, change: null, unlinked: 1 });
    expect(json['diff']).toContain('+see Old and ![[Old]]');
    expect(notes.files()).toEqual(vault);
    await notes.close();
  });

  it('refuses another version than the one asked for', async () => {
    const notes = await openNotes(vault);
    const { code } = await notes.call('delete_note', { name: 'Old', version: 'a'.repeat(64) });
    expect(code).toBe('conflict');
    expect(notes.files()).toEqual(vault);
    await notes.close();
  });

  it('lists twenty places of many, and fits even as a diff', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `${'n'.repeat(100)}${n}.md`,
        `[[Old]] ${'x'.repeat(200)}`,
      ]),
    );
    const notes = await openNotes({ ...links, 'Old.md': '' });
    const { text, json } = await notes.call('delete_note', { name: 'Old', dry_run: true });
    expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
    expect(json['files']).toHaveLength(20);
    expect(json).toMatchObject({ files_total: 300, unlinked: 300 });
    expect(json['diff']).toMatch(/… and \d+ more lines$/);
    await notes.close();
  });
});

describe('rename_note', () => {
  it.each<[object, string]>([
    [{ old_name: 'B', new_name: 'C' }, 'sub/C.md'],
    [{ path: 'sub/B', new_name: 'C.md' }, 'sub/C.md'],
    [{ old_name: 'sub/B.md', new_name: 'other/C' }, 'other/C.md'],
    [{ old_name: 'B', new_name: 'other/' }, 'other/B.md'],
    [{ old_name: 'B', new_name: '/C' }, 'C.md'],
    [{ old_name: 'B', new_name: '/' }, 'B.md'],
  ])('%j makes it %s', async (args, path) => {
    const notes = await openNotes(vault);
    const { json } = await notes.call('rename_note', args);
    expect(json).toMatchObject({ path, old_path: 'sub/B.md', renamed: true, change: 1 });
    expect(notes.text(path)).toBe(vault['sub/B.md']);
    await notes.close();
  });

  it('updates links and says where', async () => {
    const notes = await openNotes(vault);
    const { json } = await notes.call('rename_note', { old_name: 'Old', new_name: 'New' });
    expect(json).toMatchObject({ links: 2, files: ['sub/B.md'], files_total: 1 });
    expect(notes.text('sub/B.md')).toBe('see [[New]] and ![[New]]\n');
    await notes.close();
  });

  it.each<[object, RegExp]>([
    [{ new_name: 'C' }, /"old_name": it is missing/],
    [{ old_name: 'B' }, /"new_name": it is missing/],
    [{ old_name: 'sub', new_name: 'other' }, /folder/],
    [{ old_name: 'B', new_name: '/sub/Old' }, /relative to the vault/],
    [{ old_name: 'B', new_name: '/Old' }, /already "Old\.md"/],
    [{ old_name: 'B', new_name: '/..' }, /cannot/],
    [{ old_name: 'Old', new_name: 'sub/B' }, /already "sub\/B\.md"/],
    [{ old_name: 'Old', new_name: 'New', version: 'b'.repeat(64) }, /has changed/],
  ])('refuses %j', async (args, expected) => {
    const notes = await openNotes(vault);
    const { ok, text } = await notes.call('rename_note', args);
    expect(ok).toBe(false);
    expect(text).toMatch(expected);
    expect(notes.files()).toEqual(vault);
    await notes.close();
  });

  it('only shows it in a dry run', async () => {
    const notes = await openNotes(vault);
    const args = { old_name: 'Old', new_name: 'New', dry_run: true };
    const { json } = await notes.call('rename_note', args);
    expect(json).toMatchObject({ path: 'New.md', renamed: false, dry_run: true, change: null });
    expect(notes.files()).toEqual(vault);
    await notes.close();
  });
});

describe('list_changes', () => {
  it('lists who changed what, newest first, by note and by time', async () => {
    const notes = await openNotes(vault);
    await notes.call('append_note', { name: 'B', text: 'one' }, { client: 'first' });
    await notes.call('rename_note', { old_name: 'Old', new_name: 'New' }, { connection: 'c2' });
    const all = await notes.call('list_changes');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(all.json).toEqual({
      total: 2,
      changes: [
        {
          id: 2,
          time,
          tool: 'rename_note',
          client: null,
          session: 'c2',
          changed: ['sub/B.md'],
          moved: { 'Old.md': 'New.md' },
        },
        {
          id: 1,
          time,
          tool: 'append_note',
          client: 'first',
          session: 'c1',
          changed: ['sub/B.md'],
        },
      ],
    });
    const ids = async (args: object): Promise<unknown> => {
      const { json } = await notes.call('list_changes', args);
      return (json['changes'] as { id: number }[]).map(({ id }) => id);
    };
    expect(await ids({ limit: '1' })).toEqual([2]);
    expect(await ids({ offset: 1 })).toEqual([1]);
    expect(await ids({ name: 'B' })).toEqual([2, 1]);
    expect(await ids({ name: 'New' })).toEqual([2]);
    expect(await ids({ name: 'Old' })).toEqual([2]);
    expect(await ids({ path: 'Old.md' })).toEqual([2]);
    expect(await ids({ name: 'sub' })).toEqual([2, 1]);
    expect(await ids({ name: 'Never' })).toEqual([]);
    const never = await notes.call('list_changes', { name: 'Never' });
    expect(never.json['hint']).toMatch(/deleted.*whole old path/);
    expect(await ids({ since: '1h' })).toEqual([2, 1]);
    expect((await notes.call('list_changes', { since: 'lunch' })).text).toMatch(/is not a time/);
    await notes.close();
  });
});

describe('undo_change', () => {
  it.each<[object, object]>([
    [{ id: 1 }, { undone: [1], changed: ['Old.md'] }],
    [{ id: [1, '2'] }, { undone: [2, 1], changed: ['Old.md', 'sub/B.md'] }],
    [{ id: '[2, 1]' }, { undone: [2, 1] }],
    [{ id: '1' }, { undone: [1] }],
    [{ session: 'current' }, { undone: [2, 1] }],
    [{ session: 'c1', id: '' }, { undone: [2, 1] }],
  ])('%j takes back %j', async (args, expected) => {
    const notes = await openNotes(vault);
    await notes.call('append_note', { name: 'Old', text: 'one' });
    await notes.call('append_note', { name: 'B', text: 'two' });
    const tried = await notes.call('undo_change', { ...args, dry_run: true });
    expect(tried.json).toMatchObject({ ...expected, change: null, dry_run: true });
    expect(tried.json['diff']).toContain('-one');
    expect(notes.text('Old.md')).toBe('x\none\n');
    expect((await notes.call('undo_change', args)).json).toMatchObject({ ...expected, change: 3 });
    expect(notes.text('Old.md')).toBe('x\n');
    const { json } = await notes.call('list_changes', { limit: 1 });
    expect(json).toMatchObject({ changes: [{ id: 3, ...pick(expected) }] });
    await notes.close();
  });

  it('takes back the last change of the connection when nothing is given, and then the one before', async () => {
    const notes = await openNotes(vault);
    await notes.call('append_note', { name: 'Old', text: 'one' });
    await notes.call('append_note', { name: 'Old', text: 'two' });
    await notes.call('append_note', { name: 'B', text: 'other' }, { connection: 'c2' });
    const first = await notes.call('undo_change', {});
    expect(first.json).toEqual({ change: 4, undone: [2], changed: ['Old.md'] });
    expect(notes.text('Old.md')).toBe('x\none\n');
    expect((await notes.call('undo_change')).json).toMatchObject({ undone: [1] });
    expect(notes.text('Old.md')).toBe('x\n');
    for (const args of [{}, { session: 'current' }]) {
      expect((await notes.call('undo_change', args)).text).toMatch(/made none.*list_changes/);
    }
    expect(notes.text('sub/B.md')).toContain('other');
    const nobody = await notes.call('undo_change', {}, nobodysConnection);
    expect([nobody.code, nobody.text]).toEqual([
      'invalid_input',
      expect.stringMatching(/^Give id: .*list_changes/),
    ]);
    await notes.close();
  });

  it('lists ten files of many, and counts them all', async () => {
    const links = Array.from({ length: 30 }, (_, n) => [`n${n}.md`, '[[Old]]'] as const);
    const notes = await openNotes({ ...vault, ...Object.fromEntries(links) });
    await notes.call('rename_note', { old_name: 'Old', new_name: 'New' });
    await notes.call('append_note', { name: 'New', text: 'more' });
    const { json: both } = await notes.call('list_changes');
    expect(both).toMatchObject({
      changes: [{ session: 'c1' }, { files_total: 32 }],
      hint: expect.stringContaining('limit=1'),
    });
    expect((both['changes'] as object[])[1]).not.toHaveProperty('session');
    const { json: one } = await notes.call('list_changes', { offset: 1, limit: 1 });
    expect((one['changes'] as { changed: object[] }[])[0]?.changed).toHaveLength(19);
    const { json } = await notes.call('undo_change', { session: 'current' });
    expect(json).toMatchObject({ undone: [2, 1], files_total: 32 });
    expect(json['changed']).toHaveLength(9);
    await notes.close();
  });

  it('says how to bring a change back that is undone', async () => {
    const notes = await openNotes(vault);
    await notes.call('append_note', { name: 'Old', text: 'one' });
    await notes.call('undo_change', { id: 1 });
    const { text } = await notes.call('undo_change', { id: 1 });
    expect(text).toMatch(/undone already, by change 2.*undo the change that took it back\.$/);
    await notes.call('undo_change', { id: 2 });
    expect(notes.text('Old.md')).toBe('x\none\n');
    await notes.close();
  });

  it.each<[object, RegExp]>([
    [{ id: 1, session: 'current' }, /one of "id" and "session"/],
    [{ id: [] }, /"id": it must/],
    [{ id: [1, 7] }, /no change 7/],
    [{ id: 7 }, /7/],
    [{ session: 'c9' }, /no matching change/],
    [{ id: 'first' }, /"id": it must be the number of a change, or a word such as c-/],
  ])('refuses %j', async (args, expected) => {
    const notes = await openNotes(vault);
    await notes.call('append_note', { name: 'Old', text: 'one' });
    const { ok, text } = await notes.call('undo_change', args);
    expect(ok).toBe(false);
    expect(text).toMatch(expected);
    await notes.close();
  });
});

/** A caller without a connection. */
const nobodysConnection = { connection: undefined } as unknown as { connection: string };

/** What history says of an undo. */
function pick(expected: object): object {
  return 'undone' in expected ? { undoes: expected.undone } : {};
}
