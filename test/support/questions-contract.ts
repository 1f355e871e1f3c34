import { expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type {
  Asker,
  NewQuestion,
  QuestionId,
  Questions,
} from '../../src/engine/ports/questions.ts';
import { startMs, versionOf } from './change-records.ts';

/** An agent that asks and proposes. */
export const asker: Asker = { door: 'mcp-http', client: 'Claude', connection: 's1', token: 't1' };

/** A question of an agent that deletes notes. */
export function newQuestion(more: Partial<NewQuestion> = {}): NewQuestion {
  return {
    about: 'brake',
    text: 'Claude has deleted 25 files and would delete 3 more.',
    asker,
    askerKey: 'connection s1',
    tool: 'delete_note',
    argsHash: versionOf('args'),
    paths: [vaultPath('Ünï/a.md')],
    files: 3,
    timeMs: startMs,
    ...more,
  };
}

function standingOf(questions: Questions) {
  const { asker, askerKey } = newQuestion();
  const all = (more: Partial<NewQuestion> = {}, nowMs = startMs + 1, sinceMs = 0) =>
    questions.standing({ asker, askerKey, ...more }, { sinceMs, nowMs });
  return {
    all,
    /** Only what the owner has answered. */
    async standing(more: Partial<NewQuestion> = {}, sinceMs = 0) {
      const { waits: _, keeps: __, ...answers } = await all(more, startMs + 1, sinceMs);
      return answers;
    },
  };
}

/** What every `Questions` promises. `open` makes an empty one. */
export function describeQuestions(open: () => Promise<Questions>): void {
  const nowMs = startMs + 1;
  const { questionAgeMaxMs } = limits;

  it('are kept as they were asked', async () => {
    const questions = await open();
    expect(await questions.list({ open: false, nowMs })).toEqual([]);
    const asked = newQuestion({ text: 'NUL \0 and \ud800', asker: { door: 'cli' } });
    const first = await questions.ask(asked);
    expect(first).toEqual({ ...asked, id: 'q1', used: false });
    expect(await questions.get('q1', nowMs)).toEqual(first);
    const second = await questions.ask(newQuestion());
    expect(await questions.list({ open: true, nowMs })).toEqual([second, first]);
  });

  const anonymous: Asker = { door: 'cli', client: 'x' };
  it.each<[what: string, same: boolean, one: Partial<NewQuestion>, two: Partial<NewQuestion>]>([
    ['a repeated call', true, {}, { timeMs: startMs + 5, text: 'other words', files: 4 }],
    ['another connection', true, {}, { asker: { ...asker, connection: 's2' } }],
    ['another door, same token', true, {}, { asker: { ...asker, door: 'bridge' } }],
    ['another client, same token', false, {}, { asker: { ...asker, client: 'y' } }],
    ['another token', false, {}, { asker: { ...asker, token: 't2' } }],
    ['other arguments', false, {}, { argsHash: versionOf('others') }],
    ['another tool', false, {}, { tool: 'write_note' }],
    ['no token, same door', true, { asker: anonymous }, { asker: { ...anonymous } }],
    [
      'no token, other door',
      false,
      { asker: anonymous },
      { asker: { ...anonymous, door: 'bridge' } },
    ],
    ['no token, no client', false, { asker: anonymous }, { asker: { door: 'cli' } }],
    ['no token, with one', false, { asker: anonymous }, { asker: { ...anonymous, token: 't1' } }],
  ])('%s asks the same: %s', async (_, same, one, two) => {
    const questions = await open();
    const first = await questions.ask(newQuestion(one));
    const second = await questions.ask(newQuestion(two));
    if (same) expect(second).toEqual(first);
    else expect(second.id).not.toBe(first.id);
  });

  it('are answered, and answered anew until a call has used the answer', async () => {
    const questions = await open();
    const asked = await questions.ask(newQuestion());
    const deny = { says: 'deny', reason: 'Not now.', timeMs: nowMs } as const;
    expect(await questions.answer('q1', deny)).toEqual({ ...asked, answer: deny });
    expect(await questions.list({ open: true, nowMs })).toEqual([]);
    expect(await questions.list({ open: false, nowMs })).toHaveLength(1);
    expect(await questions.ask(newQuestion())).toEqual({ ...asked, answer: deny });
    const once = { says: 'once', timeMs: nowMs + 1 } as const;
    expect(await questions.answer('q1', once)).toEqual({ ...asked, answer: once });
    expect(await questions.use('q1')).toBe(true);
    expect(await questions.answer('q1', deny)).toEqual({ ...asked, answer: once, used: true });
    expect(await questions.answer('q2', deny)).toBeUndefined();
  });

  it('give a permission to one call, and a new question to the next', async () => {
    const questions = await open();
    await questions.ask(newQuestion());
    expect(await questions.use('q1')).toBe(false);
    await questions.answer('q1', { says: 'deny', timeMs: nowMs });
    expect(await questions.use('q1')).toBe(false);
    await questions.answer('q1', { says: 'once', timeMs: nowMs });
    const uses = await Promise.all([1, 2, 3, 4].map(() => questions.use('q1')));
    expect(uses.filter((used) => used)).toHaveLength(1);
    expect((await questions.get('q1', nowMs))?.used).toBe(true);
    expect(await questions.ask(newQuestion())).toMatchObject({ id: 'q2', used: false });
    await questions.giveBack('q1');
    expect(await questions.ask(newQuestion())).toMatchObject({ id: 'q1', used: false });
    expect(await questions.use('q1')).toBe(true);
    expect(await questions.use('q9')).toBe(false);
  });

  it('say what the owner has answered an asker', async () => {
    const questions = await open();
    const { standing } = standingOf(questions);
    await questions.ask(newQuestion());
    expect(await standing()).toEqual({});
    await questions.answer('q1', { says: 'once', timeMs: nowMs });
    expect(await standing()).toEqual({});
    await questions.answer('q1', { says: 'session', timeMs: nowMs });
    expect(await standing({}, nowMs)).toEqual({ releasedMs: nowMs });
    expect(await standing({}, nowMs + 1)).toEqual({});
    expect(await standing({ askerKey: 'connection s2' })).toEqual({});
    expect(await questions.use('q1')).toBe(true);
    expect(await standing()).toEqual({ releasedMs: nowMs });
    // A later permission of the same asker counts from its own time.
    await questions.ask(newQuestion({ argsHash: versionOf('others') }));
    await questions.answer('q2', { says: 'session', timeMs: nowMs + 5 });
    expect(await standing()).toEqual({ releasedMs: nowMs + 5 });
  });

  it('deny for every connection of a token, or of a client without one', async () => {
    const questions = await open();
    const { standing } = standingOf(questions);
    await questions.ask(newQuestion());
    const plain: Asker = { door: 'mcp-stdio', client: 'x', connection: 's7' };
    await questions.ask(newQuestion({ asker: plain, askerKey: 'connection s7' }));
    for (const id of ['q1', 'q2'] as const)
      await questions.answer(id, { says: 'deny', timeMs: nowMs });
    const denied = { deniedMs: nowMs };
    expect(await standing({ askerKey: 'connection s2' }, nowMs)).toEqual(denied);
    expect(await standing({}, nowMs + 1)).toEqual({});
    expect(await standing({ asker: { ...asker, client: 'y', door: 'bridge' } })).toEqual(denied);
    expect(await standing({ asker: { ...asker, token: 't2' } })).toEqual({});
    expect(await standing({ asker: { ...plain, connection: 's8' } })).toEqual(denied);
    expect(await standing({ asker: { ...plain, client: 'y' } })).toEqual({});
    expect(await standing({ asker: { ...plain, door: 'bridge' } })).toEqual({});
    expect(await standing({ asker: { ...plain, token: 't2' } })).toEqual({});
    expect(await standing({ asker: { door: 'mcp-stdio' } })).toEqual({});
  });

  it('say that one waits, for every connection of a token or client, until it is answered', async () => {
    const questions = await open();
    const { all } = standingOf(questions);
    expect(await all()).toEqual({});
    await questions.ask(newQuestion());
    const waits = { waits: true, keeps: true };
    expect(await all()).toEqual(waits);
    expect(await all({ askerKey: 'connection s2', asker: { ...asker, client: 'y' } })).toEqual(
      waits,
    );
    expect(await all({ asker: { ...asker, token: 't2' } })).toEqual({});
    await questions.answer('q1', { says: 'once', timeMs: nowMs });
    expect(await all()).toEqual({ keeps: true });
    expect(await questions.use('q1')).toBe(true);
    expect(await all()).toEqual({});
  });

  it('without an answer count as denied when they are gone', async () => {
    const questions = await open();
    const { all } = standingOf(questions);
    await questions.ask(newQuestion());
    const deniedMs = startMs + questionAgeMaxMs;
    expect(await all({}, deniedMs - 1)).toEqual({ waits: true, keeps: true });
    const later = deniedMs + limits.brakeMs - 1;
    // The question about something else, and the list, do not forget it before.
    const other = { asker: { ...asker, token: 't2' }, timeMs: later };
    await questions.ask(newQuestion(other));
    await questions.list({ open: false, nowMs: later });
    expect(await all({}, deniedMs, deniedMs - limits.brakeMs)).toEqual({ deniedMs });
    expect(await all({}, later, later - limits.brakeMs)).toEqual({ deniedMs });
    const over = later + 2;
    expect(await all({}, over, over - limits.brakeMs)).toEqual({});
  });

  it('that are gone without an answer do not end a permission for the session', async () => {
    const questions = await open();
    const { all } = standingOf(questions);
    await questions.ask(newQuestion({ argsHash: versionOf('other args') }));
    await questions.ask(newQuestion());
    const releasedMs = startMs + questionAgeMaxMs - 1;
    await questions.answer('q2', { says: 'session', timeMs: releasedMs });
    const later = startMs + questionAgeMaxMs + 1;
    const { keeps: _, ...answers } = await all({}, later, later - limits.brakeMs);
    expect(answers).toEqual({ releasedMs });
    const over = releasedMs + 1;
    expect(await all({}, later, over)).toEqual({ deniedMs: startMs + questionAgeMaxMs });
  });

  it.each(['once', 'session'] as const)(
    'answered with %s do not count as denied later',
    async (says) => {
      const questions = await open();
      const { all } = standingOf(questions);
      await questions.ask(newQuestion());
      await questions.answer('q1', { says, timeMs: nowMs });
      const goneMs = startMs + questionAgeMaxMs;
      expect(await all({}, goneMs, goneMs - limits.brakeMs)).toEqual({});
    },
  );

  it('are closed when their call is made otherwise, and open again when it is not', async () => {
    const questions = await open();
    const { all } = standingOf(questions);
    const asked = await questions.ask(newQuestion());
    const other = newQuestion({ argsHash: versionOf('others') });
    expect(await questions.kept(asked, nowMs)).toEqual(asked);
    expect(await questions.kept(asked, startMs + questionAgeMaxMs)).toBeUndefined();
    expect(await questions.kept(other, nowMs)).toBeUndefined();
    const closes = await Promise.all([1, 2, 3].map(() => questions.close('q1')));
    expect(closes.filter((closed) => closed)).toHaveLength(1);
    expect(await all()).toEqual({});
    expect(await questions.kept(asked, nowMs)).toBeUndefined();
    expect(await questions.list({ open: true, nowMs })).toEqual([]);
    expect(await questions.answer('q1', { says: 'deny', timeMs: nowMs })).toEqual({
      ...asked,
      used: true,
    });
    expect(await questions.use('q1')).toBe(false);
    await questions.giveBack('q1');
    expect(await questions.kept(asked, nowMs)).toEqual(asked);
    await questions.answer('q1', { says: 'deny', timeMs: nowMs });
    expect(await questions.close('q1')).toBe(false);
    expect(await questions.close('q9')).toBe(false);
  });

  it('can be denied after a call has used the permission for the session, not the one for once', async () => {
    const questions = await open();
    const { standing } = standingOf(questions);
    const asked = await questions.ask(newQuestion());
    await questions.answer('q1', { says: 'session', timeMs: nowMs });
    await questions.use('q1');
    const session = { says: 'session', timeMs: nowMs } as const;
    const once = { says: 'once', timeMs: nowMs + 1 } as const;
    expect(await questions.answer('q1', once)).toEqual({ ...asked, answer: session, used: true });
    const deny = { says: 'deny', timeMs: nowMs + 2 } as const;
    expect(await questions.answer('q1', deny)).toEqual({ ...asked, answer: deny, used: true });
    expect(await standing()).toEqual({ deniedMs: nowMs + 2 });
    expect(await questions.use('q1')).toBe(false);
  });

  it('are gone after a day', async () => {
    const questions = await open();
    await questions.ask(newQuestion());
    const lastMs = startMs + questionAgeMaxMs - 1;
    expect(await questions.answer('q1', { says: 'once', timeMs: lastMs })).toBeDefined();
    expect(await questions.get('q1', lastMs)).toBeDefined();
    expect(await questions.list({ open: false, nowMs: lastMs })).toHaveLength(1);
    const goneMs = lastMs + 1;
    expect(await questions.get('q1', goneMs)).toBeUndefined();
    expect(await questions.answer('q1', { says: 'once', timeMs: goneMs })).toBeUndefined();
    expect((await questions.ask(newQuestion({ timeMs: goneMs }))).id).toBe('q2');
    expect(await questions.list({ open: false, nowMs: goneMs })).toMatchObject([{ id: 'q2' }]);
    expect(await questions.list({ open: false, nowMs: goneMs * 2 })).toEqual([]);
    expect((await questions.ask(newQuestion({ timeMs: goneMs * 2 }))).id).toBe('q3');
  });

  it('of one asker are refused while too many of them wait', async () => {
    const questions = await open();
    const ask = (n: number, more: Partial<NewQuestion> = {}) =>
      questions.ask(newQuestion({ argsHash: versionOf(`${n}`), ...more }));
    for (let n = 1; n <= limits.questionsOfOneMax; n += 1) await ask(n);
    await expect(ask(0)).rejects.toMatchObject({ code: 'busy' });
    expect((await ask(5)).id).toBe('q5');
    await ask(0, { asker: { ...asker, token: 't2' } });
    await questions.answer('q5', { says: 'deny', timeMs: nowMs });
    await ask(0);
  });

  it('are refused while too many wait', async () => {
    const questions = await open();
    const ask = (n: number, timeMs = startMs) =>
      questions.ask(
        newQuestion({
          asker: { door: 'cli', client: `${n}` },
          argsHash: versionOf(`${n}`),
          timeMs,
        }),
      );
    for (let n = 1; n <= limits.questionsMax; n += 1) await ask(n);
    await expect(ask(0)).rejects.toMatchObject({
      code: 'busy',
      details: { retryAfterMs: expect.any(Number) },
    });
    expect((await ask(5)).id).toBe('q5');
    await questions.answer('q5', { says: 'deny', timeMs: nowMs });
    await ask(0);
    await expect(ask(-1)).rejects.toMatchObject({ code: 'busy' });
    await ask(-1, startMs + questionAgeMaxMs);
  });

  it.each(['q0', 'q01', 'q-1', 'q1e0', 'q1.0', 'p1', '1', 'q', `q${'9'.repeat(40)}`])(
    'have no question %s',
    async (id) => {
      const questions = await open();
      await questions.ask(newQuestion());
      const wrong = id as QuestionId;
      expect(await questions.get(wrong, nowMs)).toBeUndefined();
      expect(await questions.answer(wrong, { says: 'once', timeMs: nowMs })).toBeUndefined();
      expect(await questions.use(wrong)).toBe(false);
      await questions.giveBack(wrong);
      expect((await questions.get('q1', nowMs))?.answer).toBeUndefined();
    },
  );
}
