import { describe, expect, it } from 'vitest';
import { allScopes, type Caller } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { testCaller } from '../support/written-vault.ts';
import { asked, type Braked, openBraked, strictly } from './braked-vault.ts';

// What the owner's answers are good for, what a call does while it waits for one, and that only the
// owner can give one. Every deletion is asked about here.

const open = (): Promise<Braked> => openBraked(15);

describe('an answer', () => {
  it('that comes while the call waits lets it go on', async () => {
    const opened = await open();
    const ending = opened.begin('delete_note', { name: 'N00' }, strictly);
    await expect.poll(() => opened.questions()).toHaveLength(1);
    await opened.answer('once');
    expect(await opened.drive(ending)).toMatchObject({ ok: true });
    expect(opened.has(0)).toBe(false);
    expect(await opened.delete(1, strictly)).toMatchObject(asked('q2'));
    await opened.vault.close();
  });

  it('hours later is good for one call with the same arguments of the same client', async () => {
    const opened = await open();
    const args = { name: 'N00', content: 'other', overwrite: true };
    expect(await opened.call('obsidian_create_note', args, strictly)).toMatchObject(asked('q1'));
    opened.pass(3 * 60 * 60_000);
    await opened.answer('once');
    // Others do not get it.
    const other = { ...args, content: 'another' };
    expect(await opened.call('obsidian_create_note', other, strictly)).toMatchObject(asked('q2'));
    const stranger = { ...strictly, client: 'stranger' };
    expect(await opened.call('obsidian_create_note', args, stranger)).toMatchObject(asked('q3'));
    const token = { ...strictly, token: 't1' };
    expect(await opened.call('obsidian_create_note', args, token)).toMatchObject(asked('q4'));
    const door: Partial<Caller> = { ...strictly, door: 'bridge' };
    expect(await opened.call('obsidian_create_note', args, door)).toMatchObject(asked('q5'));
    expect(opened.vault.text('N00.md')).toBe('text 0\n');
    // The same client does, on a new connection, with its arguments in another order.
    const again = { overwrite: true, content: 'other', name: 'N00' };
    const later = { ...strictly, connection: 'c9' };
    expect(await opened.call('obsidian_create_note', again, later)).toMatchObject({ ok: true });
    await opened.vault.change(appendNote, { name: 'N00', text: 'by the owner' });
    expect(await opened.call('obsidian_create_note', args, strictly)).toMatchObject(asked('q6'));
    expect(opened.vault.text('N00.md')).toContain('by the owner');
    await opened.vault.close();
  });

  it('is not used up by a call that fails', async () => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    await opened.answer('once');
    // The plan is made, and fails when it is carried out.
    opened.vault.disk.write('.trash/other.md', 'x');
    opened.vault.disk.lockFolder('.trash');
    expect(await opened.delete(0, strictly)).toMatchObject({ ok: false });
    opened.vault.disk.unlockFolder('.trash');
    expect(opened.has(0)).toBe(true);
    expect(await opened.delete(0, strictly)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('for the session takes the brake off for ten minutes', async () => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    await opened.answer('session');
    await opened.deleteMany(0, 10, strictly);
    expect(await opened.delete(11, { ...strictly, connection: 'c2' })).toMatchObject(asked('q2'));
    opened.pass(limits.brakeMs + 1);
    expect(await opened.delete(12, strictly)).toMatchObject(asked('q3'));
    await opened.vault.close();
  });

  it('that denies is told with its reason, also to the next call with the same arguments', async () => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    await opened.answer('deny', 'I need it.');
    const denied = {
      ok: false,
      error: {
        code: 'forbidden',
        message:
          'The owner of the vault has denied this (q1); nothing was changed. Their reason: I need it.',
        details: { question: 'q1', answer: 'deny' },
      },
    };
    expect(await opened.delete(0, strictly)).toMatchObject(denied);
    expect(await opened.delete(0, strictly)).toMatchObject(denied);
    expect(opened.has(0)).toBe(true);
    await opened.vault.close();
  });

  it('that denies has every file asked about for ten minutes, also on a new connection', async () => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    await opened.answer('deny');
    // Without the denial, 25 would have been free.
    expect(await opened.delete(1)).toMatchObject(asked('q2'));
    expect(await opened.delete(2, { connection: 'c2' })).toMatchObject(asked('q3'));
    expect(await opened.delete(3, { client: 'other' })).toMatchObject({ ok: true });
    expect(await opened.delete(4, { token: 't1' })).toMatchObject({ ok: true });
    await opened.answer('once');
    await opened.answer('once');
    opened.pass(limits.brakeMs);
    expect(await opened.delete(5)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('that denies a token holds for its other clients and connections', async () => {
    const opened = await open();
    const phone = { token: 't1', client: 'phone' };
    expect(await opened.delete(0, { ...strictly, ...phone })).toMatchObject(asked('q1'));
    await opened.answer('deny');
    const again = { token: 't1', client: 'laptop', connection: 'c2' };
    expect(await opened.delete(1, again)).toMatchObject(asked('q2'));
    expect(await opened.delete(2, { ...again, token: 't2' })).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('that denies ends a permission for the session, also one that a call has used', async () => {
    const opened = await open();
    const waiting = opened.begin('delete_note', { name: 'N00' }, strictly);
    await expect.poll(() => opened.questions()).toHaveLength(1);
    await opened.answer('session');
    expect(await opened.drive(waiting)).toMatchObject({ ok: true });
    await opened.deleteMany(1, 3, strictly);
    const { questions, clock } = opened.vault.whole.parts;
    expect(await questions.get('q1', clock.nowMs())).toMatchObject({ used: true });
    opened.pass(1);
    await questions.answer('q1', { says: 'deny', timeMs: clock.nowMs() });
    expect(await opened.delete(3, strictly)).toMatchObject(asked('q2'));
    // A later permission counts again.
    opened.pass(1);
    await opened.answer('session');
    await opened.deleteMany(3, 6, strictly);
    // A permission for one call does not end a denial.
    expect(await opened.delete(6, { connection: 'c2' })).toMatchObject(asked('q3'));
    await opened.answer('once');
    expect(await opened.delete(6, { connection: 'c2' })).toMatchObject({ ok: true });
    expect(await opened.delete(7, { connection: 'c2' })).toMatchObject(asked('q4'));
    await opened.vault.close();
  });

  it('holds for the files that were asked about, whatever has their names now', async () => {
    const opened = await open();
    const rename = async (from: string, to: string): Promise<void> => {
      const args = { old_name: from, new_name: to };
      expect(await opened.begin('rename_note', args)).toMatchObject({ ok: true });
    };
    const swap = async (): Promise<void> => {
      await rename('N00', 'Other');
      await rename('N01', 'N00');
    };
    // While the call waits.
    const waiting = opened.begin('delete_note', { name: 'N00' }, strictly);
    await expect.poll(() => opened.questions()).toHaveLength(1);
    await swap();
    await opened.answer('once');
    expect(await opened.drive(waiting)).toMatchObject(asked('q2'));
    expect(opened.vault.text('N00.md')).toBe('text 1\n');
    // The permission was given back, and still holds for the note that it was given for.
    await rename('N00', 'N01');
    await rename('Other', 'N00');
    expect(await opened.delete(0, strictly)).toMatchObject({ ok: true });
    // Between the answer and the next call; the text alone is another one.
    expect(await opened.delete(2, strictly)).toMatchObject(asked('q3'));
    await opened.vault.change(appendNote, { name: 'N02', text: 'by the owner' });
    const { questions, clock } = opened.vault.whole.parts;
    await questions.answer('q3', { says: 'once', timeMs: clock.nowMs() });
    expect(await opened.delete(2, strictly)).toMatchObject(asked('q4'));
    expect(opened.vault.text('N02.md')).toContain('by the owner');
    await opened.vault.close();
  });

  it('is gone with its question after a day', async () => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    opened.pass(limits.questionAgeMaxMs);
    expect(await opened.questions(false)).toEqual([]);
    const { questions, clock } = opened.vault.whole.parts;
    const late = await questions.answer('q1', { says: 'once', timeMs: clock.nowMs() });
    expect(late).toBeUndefined();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q2'));
    await opened.vault.close();
  });
});

describe('a call that waits for the owner', () => {
  it('does not hold up others', async () => {
    const opened = await open();
    const waiting = opened.begin('delete_note', { name: 'N00' }, strictly);
    await expect.poll(() => opened.questions()).toHaveLength(1);
    const lock = opened.vault.whole.parts.lock;
    expect(await lock.tryTake()).toBe(true);
    await lock.release();
    // No time passes, so these cannot have waited for it.
    const append = opened.begin('append_note', { name: 'N02', text: 'meanwhile' });
    expect(await append).toMatchObject({ ok: true });
    const other = opened.begin('delete_note', { name: 'N01' }, { client: 'other' });
    expect(await other).toMatchObject({ ok: true });
    await opened.answer('once');
    expect(await opened.drive(waiting)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('ends at once when it is cancelled, and the question stays', async () => {
    const opened = await open();
    const controller = new AbortController();
    const caller = { ...strictly, signal: controller.signal };
    const waiting = opened.begin('delete_note', { name: 'N00' }, caller);
    await expect.poll(() => opened.questions()).toHaveLength(1);
    controller.abort();
    // Again without any time passing.
    expect(await waiting).toMatchObject({
      ok: false,
      error: { code: 'cancelled', message: expect.stringContaining('Nothing was changed.') },
    });
    await opened.answer('once');
    expect(await opened.delete(0, strictly)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('reports how long it has waited, and gives up before its deadline', async () => {
    const opened = await open();
    const told: string[] = [];
    const caller: Partial<Caller> = {
      ...strictly,
      deadlineMs: 8_000,
      progress: ({ message }) => void told.push(message),
    };
    expect(await opened.delete(0, caller)).toMatchObject(asked('q1'));
    expect(new Set(told)).toEqual(new Set(['Waiting for the owner of the vault to answer q1.']));
    expect(told.length).toBeLessThanOrEqual(Math.ceil(3_000 / limits.ownerLookEveryMs));
    await opened.vault.close();
  });
});

describe('a client that wants to answer its own question', () => {
  const yes = async (): Promise<boolean> => true;

  it.each<[string, (opened: Braked) => Promise<unknown>]>([
    ...['approvals', 'approvals_allow', 'approve', 'allow', 'answer', 'answer_question'].map(
      (tool): [string, (opened: Braked) => Promise<unknown>] => [
        `by a tool named ${tool}`,
        (opened) => opened.call(tool, { id: 'q1', says: 'once', allow: true }, strictly),
      ],
    ),
    ...['approve', 'confirm', 'allow', 'force', 'question', 'answer', 'permit', 'new_tags'].map(
      (argument): [string, (opened: Braked) => Promise<unknown>] => [
        `by an argument named ${argument}`,
        (opened) => opened.call('delete_note', { name: 'N00', [argument]: 'q1' }, strictly),
      ],
    ),
    [
      'in its own form',
      (opened) => opened.call('delete_note', { name: 'N00' }, { ...strictly, ask: yes }),
    ],
    [
      'by another spelling of the note',
      (opened) => opened.call('delete_note', { name: 'N00.md' }, strictly),
    ],
    [
      'by the tool of another toolset',
      (opened) => opened.call('note_delete', { path: 'N00.md' }, strictly),
    ],
    [
      'by waiting for the next connection',
      (opened) => opened.delete(0, { ...strictly, connection: 'c7' }),
    ],
    [
      'by a resource',
      (opened) => failing(opened.service.readResource('vaultdoor://approvals/q1', whoever())),
    ],
    [
      'by a prompt',
      (opened) => failing(opened.service.prompt('approvals', { id: 'q1' }, whoever())),
    ],
    [
      'by writing into the folder of settings',
      (opened) =>
        opened.call('obsidian_create_note', {
          path: '.vaultdoor/approvals/q1.md',
          content: 'once',
        }),
    ],
    [
      'by undoing, which nothing allows',
      (opened) => opened.call('undo_change', { id: 'q1' }, strictly),
    ],
  ])('gets nowhere %s', async (_, attempt) => {
    const opened = await open();
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    const before = opened.vault.files();
    expect(await attempt(opened)).toMatchObject({ ok: false });
    expect(opened.vault.files()).toEqual(before);
    const all = await opened.questions(false);
    expect(all.filter(({ answer, used }) => answer !== undefined || used)).toEqual([]);
    expect(await opened.delete(0, strictly)).toMatchObject(asked('q1'));
    await opened.vault.close();
  });

  it('is offered no tool, argument or prompt with which it could', async () => {
    const { service, vault } = await open();
    const words = JSON.stringify([service.list(allScopes.effects), service.prompts(['read'])]);
    expect(words).not.toMatch(/approv|\bpermit|"question"|"confirm"|"allow"/i);
    await vault.close();
  });
});

function whoever(): Caller {
  return testCaller({ door: 'mcp-stdio', client: 'agent', connection: 'c1', ...strictly });
}

/** How a request failed that is no tool call, as a tool call would say it. */
function failing(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    (value) => ({ ok: true, value }),
    () => ({ ok: false }),
  );
}
