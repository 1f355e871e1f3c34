import { describe, expect, it } from 'vitest';
import { allScopes, type Caller, type Scopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { asked, type Braked, openBraked } from './braked-vault.ts';

// The brake while its question waits for an answer, through every door, on a clock that the tests
// drive.

/** One who has deleted three files, when two are free, through each door. */
const scopes: Scopes = { ...allScopes, brakeFiles: 2 };
const byDoor: readonly [door: string, caller: Partial<Caller>, again: Partial<Caller>][] = [
  ['stdio', { door: 'mcp-stdio', client: 'agent' }, { connection: 'c2' }],
  ['HTTP', { door: 'mcp-http', client: 'agent' }, { connection: 'c2' }],
  ['HTTP with a token', { door: 'mcp-http', token: 't1' }, { connection: 'c2', client: 'other' }],
  ['Bridge v1', { door: 'bridge', client: 'script', ...noConnection() }, {}],
  ['the remote protocol', { door: 'remote', client: 'plugin' }, { connection: 'c2' }],
];

function noConnection(): Partial<Caller> {
  return { connection: undefined } as unknown as Partial<Caller>;
}

describe.each(byDoor)('a question that nobody answers, through %s', (_, caller, again) => {
  const who = { scopes, ...caller };
  const later = limits.brakeMs + 60_000;

  /** The brake has asked about N03, and the files before it do not count any more. */
  async function openAsked(): Promise<Braked> {
    const opened = await openBraked(12);
    await opened.deleteMany(0, 3, who);
    expect(await opened.delete(3, who)).toMatchObject(asked('q1'));
    opened.pass(later);
    return opened;
  }

  it('stops the call as long as it waits, however often it is made, and every other', async () => {
    const opened = await openAsked();
    for (let hour = 0; hour < 3; hour++) {
      expect(await opened.delete(3, who)).toMatchObject(asked('q1'));
      expect(await opened.delete(4, who)).toMatchObject(asked('q2'));
      opened.pass(3_600_000);
    }
    expect(await opened.questions()).toHaveLength(2);
    expect((await opened.questions())[0]?.text).toContain('still waits for your answer');
    // A new connection does not end it.
    const anew = { ...who, ...again };
    expect(await opened.delete(5, anew)).toMatchObject(asked('q3'));
    expect([3, 4, 5].map((number) => opened.has(number))).toEqual([true, true, true]);
    // What deletes nothing goes on, and so do others.
    const append = await opened.call('append_note', { name: 'N03', text: 'more' }, who);
    expect(append).toMatchObject({ ok: true });
    const stranger = { ...who, client: 'stranger', token: 't9', connection: 'c9' };
    expect(await opened.delete(6, stranger)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('stops it for good when it is denied, and the rest for ten minutes', async () => {
    const opened = await openAsked();
    await opened.answer('deny', 'I need it.');
    const denied = { ok: false, error: { details: { question: 'q1', answer: 'deny' } } };
    expect(await opened.delete(3, who)).toMatchObject(denied);
    opened.pass(later);
    expect(await opened.delete(3, who)).toMatchObject(denied);
    expect(opened.has(3)).toBe(true);
    expect(await opened.delete(4, who)).toMatchObject({ ok: true });
    await opened.vault.close();
  });

  it('lets the call through once when it is allowed', async () => {
    const opened = await openAsked();
    await opened.answer('once');
    expect(await opened.delete(3, who)).toMatchObject({ ok: true });
    expect(opened.has(3)).toBe(false);
    expect(await opened.questions(false)).toMatchObject([{ id: 'q1', used: true }]);
    // The note is there again: that is another call.
    const owner = { door: 'cli', scopes: allScopes } as const;
    const { items } = await opened.vault.whole.parts.state.changes({}, { limit: 1, offset: 0 });
    const id = items[0]?.id;
    expect(await opened.call('undo_change', { id }, owner)).toMatchObject({ ok: true });
    await opened.deleteMany(4, 7, who);
    expect(await opened.delete(3, who)).toMatchObject(asked('q2'));
    await opened.vault.close();
  });

  it('counts as denied after a day', async () => {
    const opened = await openAsked();
    opened.pass(limits.questionAgeMaxMs - later);
    expect(await opened.questions(false)).toEqual([]);
    expect(await opened.delete(3, who)).toMatchObject(asked('q2'));
    await opened.answer('once');
    expect(await opened.delete(4, who)).toMatchObject(asked('q3'));
    await opened.answer('once');
    opened.pass(later);
    await opened.deleteMany(5, 6, who);
    await opened.vault.close();
  });

  it('is closed when the call is made in a session that is allowed', async () => {
    const opened = await openAsked();
    expect(await opened.delete(4, who)).toMatchObject(asked('q2'));
    await opened.answer('session');
    // A call that fails leaves the question as it is.
    opened.vault.disk.lockFolder('.trash');
    expect(await opened.delete(3, who)).toMatchObject({ ok: false });
    expect(await opened.questions()).toMatchObject([{ id: 'q1' }]);
    opened.vault.disk.unlockFolder('.trash');
    expect(await opened.delete(3, who)).toMatchObject({ ok: true });
    expect(await opened.questions()).toEqual([]);
    opened.pass(later);
    await opened.deleteMany(5, 6, who);
    await opened.vault.close();
  });
});
