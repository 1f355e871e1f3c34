import { describe, expect, it } from 'vitest';
import { openDesk, owner } from '../../../test/support/desk-vault.ts';
import { allScopes } from '../../base/caller.ts';

describe('looking at a proposal', () => {
  it('shows what it would do now, and that plan is accepted by its name', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    const before = await desk.proposal(id);
    expect(await desk.look(id, owner)).toEqual({ proposal: before });
    disk.write('A.md', 'ONE\n');
    const { proposal, problem } = await desk.look(id, owner);
    expect(proposal.diff).toContain(' ONE\n+two');
    expect(problem).toBeUndefined();
    expect(text('A.md')).toBe('ONE\n');
    const [old] = await desk.accept([before.shownAs], owner);
    expect(old).toMatchObject({ outcome: 'replanned', proposal: { shownAs: proposal.shownAs } });
    expect(await desk.accept([proposal.shownAs], owner)).toMatchObject([{ outcome: 'made' }]);
    expect(text('A.md')).toBe('ONE\ntwo\n');
  });

  it('that plans it again keeps its id alone from making what was not shown', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    await desk.look(id, owner);
    disk.write('A.md', 'ONE\n');
    const { proposal } = await desk.look(id, owner); // Another page of the owner's looks at it.
    const { shownAs } = proposal;
    const again = [{ outcome: 'replanned', id, proposal: { shownAs } }];
    expect(await desk.accept([id], owner)).toMatchObject(again);
    expect(await desk.accept([id], owner)).toMatchObject(again);
    expect(text('A.md')).toBe('ONE\n');
    expect(await desk.accept([shownAs], owner)).toMatchObject([{ outcome: 'made' }]);
  });

  it.each<[string, string, object, string | undefined, string]>([
    [
      'note that is gone',
      'append_note',
      { text: 'x' },
      undefined,
      'There is no note "A" any more.',
    ],
    ['deletion that was done', 'delete_note', {}, undefined, 'There is no note "A" any more.'],
    [
      'replacement of a text that is gone',
      'replace_note',
      { old_text: 'one', new_text: 'two' },
      'x\n',
      '"A.md" does not have this text any more: refuse the proposal.',
    ],
    ['text that is there', 'update_note', { content: 'x\n' }, 'x\n', 'There is nothing left to'],
  ])('says why nothing can be made of a %s', async (_, tool, args, now, why) => {
    const { desk, propose, call, disk, files } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose(tool, { name: 'A', ...args });
    if (now === undefined) await call('delete_note', { name: 'A' }, { scopes: allScopes });
    else disk.write('A.md', now);
    const { problem, proposal } = await desk.look(id, owner);
    expect(problem).toContain(why);
    expect(proposal).toMatchObject({ id, state: 'open' });
    expect(files()['A.md']).toBe(now);
  });

  it('of a deletion puts nothing into the trash', async () => {
    const { desk, propose, files } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('delete_note', { name: 'A' });
    expect(await desk.look(id, owner)).not.toHaveProperty('problem');
    expect(files()).toEqual({ 'A.md': 'one\n' });
  });

  it('that is decided shows it as it was', async () => {
    const { desk, propose } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    await desk.accept([id], owner);
    expect(await desk.look(id, owner)).toMatchObject({ proposal: { state: 'accepted' } });
  });
});

describe('the reasons of a question', () => {
  const braked = { client: 'agent', scopes: { ...allScopes, brakeFiles: 2 }, deadlineMs: 5_000 };
  const token = { ...braked, token: 'g0123456789abcdef' };

  /** Deletes three notes, and is asked about two others. */
  async function openAsked(who: object = braked) {
    const names = ['1', '2', '3', '4', '5'];
    const opened = await openDesk(Object.fromEntries(names.map((n) => [`${n}.md`, `${n}\n`])));
    const remove = (name: string, more = {}) =>
      opened.call('delete_note', { name }, { ...who, ...more });
    for (const name of ['1', '2', '3']) await remove(name, { connection: `c${name}` });
    for (const name of ['4', '5']) await remove(name);
    const texts = async () => {
      const open = await opened.desk.questions({ open: true });
      return open.map(({ text }) => text.replace('May this app delete or overwrite a file?', ''));
    };
    return { ...opened, remove, texts };
  }
  const counted = ' It had already done that to 3 files in the 10 minutes before.';
  const waits = ' An earlier question of it still waits for your answer.';
  const denied = ' You had denied something to it in the 10 minutes before.';

  it('count all connections of an app that has signed in', async () => {
    const { texts } = await openAsked(token);
    expect(await texts()).toEqual([counted + waits, counted]);
  });

  it('follow the answer to an earlier one, and what was undone with it', async () => {
    const { desk, remove, texts } = await openAsked({ ...token, connection: 'c' });
    await desk.answer('q1', { says: 'deny' }, owner);
    expect(await texts()).toEqual([counted]);
    await desk.answer('q1', { says: 'deny', undo: true }, owner);
    expect(await texts()).toEqual(['']);
    await remove('1');
    expect(await texts()).toEqual([waits + denied, '']);
  });

  it('are given when the file has changed: it cannot be allowed, and the next one says why', async () => {
    const { desk, disk, remove, texts } = await openAsked(token);
    await desk.answer('q1', { says: 'once' }, owner);
    disk.write('4.md', 'other\n');
    disk.write('5.md', 'other\n');
    expect(await desk.question('q2')).toMatchObject({ changed: ['5.md'] });
    await expect(desk.answer('q2', { says: 'once' }, owner)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"5.md" has changed since q2 was asked'),
    });
    expect(await desk.answer('q2', { says: 'deny' }, owner)).toHaveProperty('question.answer');
    await remove('4');
    const again = ' You have allowed this call before, but the file has changed since then.';
    expect(await texts()).toEqual([counted + denied + again]);
  });
});
