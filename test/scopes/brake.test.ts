import { describe, expect, it } from 'vitest';
import { allScopes, type Caller, type Scopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import type { Outcome } from '../../src/tools/define/outcome.ts';
import { change, make, write } from '../support/change-records.ts';
import { openFsVault } from '../support/fs-vault.ts';
import { testCaller } from '../support/written-vault.ts';
import { asked, type Braked, noteName, openBraked } from './braked-vault.ts';

// The brake, on a clock that the tests drive: what counts, and whose deletions count together.

const open = (): Promise<Braked> => openBraked(60);

function overwrite(opened: Braked, name: string, content: string, caller: Partial<Caller> = {}) {
  const args = { name, content, overwrite: true };
  return opened.call('obsidian_create_note', args, caller);
}

/** The numbers of the latest changes, newest first. */
async function latest({ vault }: Braked, limit = 2): Promise<readonly number[]> {
  const { items } = await vault.whole.parts.state.changes({}, { limit, offset: 0 });
  return items.map(({ id }) => id);
}

describe('the brake', () => {
  it('asks after more than 25 deletions of one connection, and leaves other clients alone', async () => {
    const opened = await open();
    await opened.deleteMany(0, 26);
    expect(await opened.delete(26)).toMatchObject(asked('q1'));
    expect(opened.has(26)).toBe(true);
    expect(await opened.questions()).toMatchObject([
      {
        about: 'brake',
        text: 'May this app delete or overwrite a file? It had already done that to 26 files in the 10 minutes before.',
        tool: 'delete_note',
        files: 1,
        paths: ['N26.md'],
        asker: { client: 'agent', connection: 'c1', door: 'mcp-stdio' },
      },
    ]);
    const other = { client: 'other', connection: 'c2' };
    expect(await opened.delete(27, other)).toMatchObject({ ok: true });
    // What deletes nothing goes on.
    const append = await opened.call('append_note', { name: 'N26', text: 'more' });
    expect(append).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('shows the owner what would be written over a note, and which one would be deleted', async () => {
    const opened = await openBraked(2);
    const scopes = { ...allScopes, brakeFiles: 0 };
    const long = 'x'.repeat(limits.questionDiffBytesMax);
    expect(await overwrite(opened, 'N00', 'other\n', { scopes })).toMatchObject(asked('q1'));
    expect(await overwrite(opened, 'N00', long, { scopes })).toMatchObject(asked('q2'));
    expect(await opened.delete(1, { scopes })).toMatchObject(asked('q3'));
    const [deleted, tooLong, written] = await opened.questions();
    expect(written).toMatchObject({ paths: ['N00.md'], overwrites: ['N00.md'] });
    expect(written?.diff).toMatch(/^-.*\n\+other$/m);
    expect(tooLong).toMatchObject({ overwrites: ['N00.md'] });
    expect(deleted).toMatchObject({ paths: ['N01.md'], overwrites: [] });
    expect([tooLong?.diff, deleted?.diff]).toEqual([undefined, undefined]);
    await opened.vault.close();
  });

  it('starts anew ten minutes later', async () => {
    const opened = await open();
    await opened.deleteMany(0, 26);
    opened.pass(limits.brakeMs);
    await opened.deleteMany(26, 52);
    expect(await opened.delete(52)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts by token where there is no connection, and else by door and client', async () => {
    const opened = await open();
    const noOne = { connection: undefined } as unknown as Partial<Caller>;
    const byToken = { ...noOne, token: 't1', client: 'phone' };
    await opened.deleteMany(0, 26, byToken);
    expect(await opened.delete(26, { ...byToken, client: 'other' })).toMatchObject(asked('q1'));
    expect(await opened.delete(27, { ...byToken, token: 't2' })).toMatchObject({ ok: true });
    expect(await opened.delete(28, noOne)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it.each<[string, (opened: Braked, number: number) => Promise<Outcome>, counts: boolean]>([
    [
      'update_note',
      async (opened, number) => {
        await opened.call('read_note', { name: noteName(number) });
        return opened.call('update_note', { name: noteName(number), content: 'other' });
      },
      true,
    ],
    [
      'create_note that overwrites',
      (opened, number) =>
        opened.call('obsidian_create_note', {
          name: noteName(number),
          content: 'other',
          overwrite: true,
        }),
      true,
    ],
    [
      'delete_note by another toolset',
      (opened, number) => opened.call('note_delete', { path: `${noteName(number)}.md` }),
      true,
    ],
    [
      'restoring an old version',
      async (opened, number) => {
        await opened.vault.change(appendNote, { name: noteName(number), text: 'x' });
        return opened.call('obsidian_history_restore', { name: noteName(number), version: 2 });
      },
      true,
    ],
    [
      'append_note',
      (opened, number) => opened.call('append_note', { name: noteName(number), text: 'x' }),
      false,
    ],
    [
      'note_upsert, which appends',
      (opened, number) =>
        opened.call('note_upsert', { path: `${noteName(number)}.md`, content: 'x' }),
      false,
    ],
    [
      'replace_note',
      (opened, number) =>
        opened.call('replace_note', { name: noteName(number), old_text: 'text', new_text: 'y' }),
      false,
    ],
    [
      'set_frontmatter',
      (opened, number) =>
        opened.call('set_frontmatter', { name: noteName(number), key: 'a', value: 'b' }),
      false,
    ],
    [
      'rename_note',
      (opened, number) =>
        opened.call('rename_note', { old_name: noteName(number), new_name: `R${number}` }),
      false,
    ],
    [
      'create_note',
      (opened, number) => opened.call('create_note', { name: `New ${number}`, content: 'x' }),
      false,
    ],
  ])('%s', async (_, call, counts) => {
    const opened = await open();
    for (let number = 0; number < 26; number++) {
      const outcome = await call(opened, number);
      expect(outcome, JSON.stringify(outcome.content)).toMatchObject({ ok: true });
    }
    const next = await opened.delete(40);
    expect(next).toMatchObject(counts ? asked('q1') : { ok: true });
    await opened.vault.close();
  });

  it('counts a file once, however often it is overwritten', async () => {
    const opened = await open();
    for (let number = 0; number < 40; number++) {
      const args = { name: 'N00', content: `version ${number}`, overwrite: true };
      expect(await opened.call('obsidian_create_note', args)).toMatchObject({ ok: true });
    }
    await opened.deleteMany(1, 25);
    await opened.vault.close();
  });

  it.each<[string, (opened: Braked, number: number) => Promise<Outcome>]>([
    [
      'deleted',
      async (opened, number) => {
        await opened.call('rename_note', { old_name: noteName(number), new_name: 'X' });
        return opened.call('delete_note', { name: 'X' });
      },
    ],
    [
      'overwritten',
      async (opened, number) => {
        await opened.call('rename_note', { old_name: noteName(number), new_name: 'X' });
        const done = await overwrite(opened, 'X', 'WIPED');
        await opened.call('rename_note', { old_name: 'X', new_name: noteName(number) });
        return done;
      },
    ],
  ])('counts files that are %s under one name, one after the other', async (_, destroy) => {
    const opened = await open();
    for (let number = 0; number < 26; number++) {
      expect(await destroy(opened, number)).toMatchObject({ ok: true });
    }
    expect(await opened.delete(26)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts a file whose text was copied into another one before', async () => {
    const opened = await open();
    // With a copy at hand, the text of the note is not lost; but the copy is overwritten next.
    await overwrite(opened, noteName(59), 'text 0\n');
    for (let number = 0; number < 25; number++) {
      expect(await overwrite(opened, noteName(number), 'WIPED')).toMatchObject({ ok: true });
      await overwrite(opened, noteName(59), `text ${number + 1}\n`);
    }
    expect(await opened.delete(30)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts a file whose text was copied into another one, when the copy is undone', async () => {
    const opened = await open();
    for (let number = 0; number < 25; number++) {
      await overwrite(opened, noteName(59), `text ${number}\n`);
      expect(await overwrite(opened, noteName(number), 'WIPED')).toMatchObject({ ok: true });
      const [, copied] = await latest(opened);
      expect(await opened.call('undo_change', { id: copied })).toMatchObject({ ok: true });
    }
    expect(opened.vault.text('N59.md')).toBe('text 59\n');
    await opened.deleteMany(29, 30);
    expect(await opened.delete(30)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts deletions however many other changes come after them', async () => {
    const opened = await open();
    await opened.deleteMany(0, 26);
    const { state, clock } = opened.vault.whole.parts;
    for (let number = 0; number < 2_001; number++) {
      const edit = write('N30.md', 'a', `b${number}`);
      const author = { door: 'mcp-stdio', client: 'agent', connection: 'c1' } as const;
      await make(state, change([edit], { ...author, timeMs: clock.nowMs() }));
    }
    expect(await opened.delete(26)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts what an undo overwrites that someone else has written', async () => {
    const opened = await open();
    const owner = { door: 'cli', scopes: allScopes, client: 'me', connection: 'c0' } as const;
    for (let number = 0; number < 27; number++) {
      await overwrite(opened, noteName(number), 'The owner has worked on it.', owner);
    }
    const theirs = await latest(opened, 27);
    for (const id of theirs.slice(0, 26)) {
      expect(await opened.call('undo_change', { id })).toMatchObject({ ok: true });
    }
    expect(await opened.call('undo_change', { id: theirs[26] })).toMatchObject(asked('q1'));
    const other = { client: 'other', connection: 'c2' };
    expect(await opened.call('undo_change', { id: theirs[26] }, other)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('counts what an undo overwrites of an earlier connection with the same token', async () => {
    const opened = await open();
    const app = { token: 'g0123456789abcdef', scopes: { ...allScopes, brakeFiles: 2 } };
    for (let number = 0; number < 5; number++) {
      const args = { name: noteName(number), text: 'more' };
      const earlier = { ...app, connection: `earlier ${number}` };
      expect(await opened.call('append_note', args, earlier)).toMatchObject({ ok: true });
    }
    const [first, second, third, last] = await latest(opened, 5);
    opened.pass(24 * 3_600_000);
    const undo = (id?: number) => opened.call('undo_change', { id }, { ...app, connection: 'new' });
    for (const id of [first, second, third]) expect(await undo(id)).toMatchObject({ ok: true });
    expect(await undo(last)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('does not count taking back its own texts, but making them again', async () => {
    const opened = await open();
    const undos: (number | undefined)[] = [];
    for (let number = 0; number < 27; number++) {
      await overwrite(opened, noteName(number), 'WIPED');
      expect(await opened.call('undo_change', {})).toMatchObject({ ok: true });
      undos.push(...(await latest(opened, 1)));
    }
    expect(opened.vault.text('N26.md')).toBe('text 26\n');
    expect(await opened.call('undo_change', { id: undos })).toMatchObject(asked('q1'));
    expect((await opened.questions())[0]).toMatchObject({ files: 27 });
    expect(opened.vault.text('N26.md')).toBe('text 26\n');
    await opened.vault.close();
  });

  it('does not count what was undone', async () => {
    const opened = await open();
    await opened.deleteMany(0, 26);
    const undo = { session: 'current' };
    expect(await opened.call('undo_change', undo)).toMatchObject({ ok: true });
    await opened.deleteMany(0, 26);
    expect(await opened.delete(30)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('counts what an undo deletes, and asks when one call deletes more than 25', async () => {
    const opened = await open();
    for (let number = 0; number < 27; number++) {
      const args = { name: `New ${number}`, content: 'x' };
      expect(await opened.call('create_note', args)).toMatchObject({ ok: true });
    }
    const before = opened.vault.files();
    const undo = await opened.call('undo_change', { session: 'current' });
    expect(undo).toMatchObject(asked('q1'));
    expect((await opened.questions())[0]).toMatchObject({
      text: 'May this app delete or overwrite 27 files?',
      files: 27,
    });
    expect(opened.vault.files()).toEqual(before);
    await opened.answer('once');
    // One by one it is the same.
    for (let number = 0; number < 26; number++) {
      expect(await opened.call('undo_change', {})).toMatchObject({ ok: true });
    }
    expect(await opened.call('undo_change', {})).toMatchObject(asked('q2'));
    await opened.vault.close();
  });

  it('is not there for the command line, and off without a number', async () => {
    const opened = await open();
    await opened.deleteMany(0, 27, { door: 'cli' });
    await opened.deleteMany(27, 55, { scopes: allScopes, connection: 'c3' });
    expect(await opened.questions(false)).toEqual([]);
    await opened.vault.close();
  });
});

describe('the tools of the remote protocol', () => {
  /** Without time to wait for the owner. */
  const remote = (brakeFiles: number, client = 'plugin'): Partial<Caller> => ({
    door: 'remote',
    client,
    connection: 'c1',
    scopes: { ...allScopes, brakeFiles },
    deadlineMs: 5_000,
  });

  it.each<[method: string, params: object]>([
    ['fs.trashLocal', { path: 'Notes' }],
    ['fs.rename', { oldPath: 'Notes', newPath: '.trash/Notes' }],
    ['fs.rmdir', { path: 'Notes', recursive: true }],
  ])('%s counts every file of a folder', async (method, params) => {
    const opened = await openFsVault();
    const before = opened.tree();
    expect(await opened.call(method, params, remote(1))).toBe('!forbidden');
    expect(opened.tree()).toEqual(before);
    // Another client on the same connection, since the question of the first one waits.
    expect(await opened.call(method, params, remote(2, 'b'))).not.toBe('!forbidden');
    expect(opened.tree()).not.toHaveProperty(['Notes/a.md']);
    // Both files were counted.
    const path = 'zero.md';
    expect(await opened.call('fs.remove', { path }, remote(1, 'b'))).toBe('!forbidden');
    expect(await opened.call('fs.remove', { path }, remote(2, 'c'))).not.toBe('!forbidden');
    await opened.close();
  });

  it.each<[method: string, params: object, counts: boolean]>([
    ['fs.write', { path: 'old.md', content: 'x' }, true],
    ['fs.write', { path: 'made.md', content: 'x' }, false],
    ['fs.append', { path: 'made.md', content: 'x' }, false],
    ['fs.remove', { path: 'old.md' }, true],
    ['fs.rename', { oldPath: 'old.md', newPath: 'other.md' }, false],
    ['fs.rename', { oldPath: 'old.md', newPath: 'bom.md' }, true],
    ['fs.mkdir', { path: 'made' }, false],
  ])('%s %j is asked about: %j', async (method, params, counts) => {
    const opened = await openFsVault();
    const answer = await opened.call(method, params, remote(0));
    expect(answer === '!forbidden', JSON.stringify(answer)).toBe(counts);
    await opened.close();
  });

  it('cannot propose, and say so', async () => {
    const opened = await openFsVault();
    const scopes: Scopes = { ...allScopes, effects: ['read', 'propose'] };
    const who = testCaller({ door: 'remote', scopes });
    const args = { path: 'old.md', content: 'x' };
    expect(await opened.service.call('fs.write', args, who)).toMatchObject({
      ok: false,
      error: {
        code: 'forbidden',
        message: expect.stringContaining('which this protocol cannot do'),
      },
    });
    await opened.close();
  });
});
