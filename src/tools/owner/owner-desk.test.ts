import { describe, expect, it } from 'vitest';
import { agent, openDesk, owner, proposing } from '../../../test/support/desk-vault.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { NewProposal } from '../../engine/ports/proposals.ts';

const hourMs = 3_600_000;

describe('accepting a proposal', () => {
  it('makes the change as the one who proposed it', async () => {
    const { desk, propose, files, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    expect(files()).toEqual({ 'A.md': 'one\n' });
    const diff = expect.stringContaining('\n+two');
    expect(await desk.proposals({ open: true })).toMatchObject([{ id, state: 'open' }]);
    expect(await desk.proposal(id)).toMatchObject({ state: 'open', diff });
    const who = { door: 'mcp-stdio', client: 'agent', connection: 'c1', tool: 'append_note' };
    const change = { id: 1, ...who, files: [{ path: 'A.md', did: 'changed' }] };
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'made', id, change }]);
    expect(text('A.md')).toBe('one\ntwo\n');
    expect(await desk.proposal(id)).toMatchObject({ state: 'accepted', change: 1 });
    expect(await desk.proposals({ open: true })).toEqual([]);
  });

  it('that was decided before changes nothing', async () => {
    const { desk, propose, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    const other = await propose('create_note', { name: 'B', content: 'b' });
    await desk.accept([id], owner);
    await desk.refuse([other], { reason: 'Not now.' }, owner);
    expect(await desk.accept([other, id], owner)).toMatchObject([
      { outcome: 'decided', id, proposal: { state: 'accepted', change: 1 } },
      { outcome: 'decided', id: other, proposal: { state: 'refused', reason: 'Not now.' } },
    ]);
    expect(await desk.refuse([id], {}, owner)).toMatchObject([{ outcome: 'decided', id }]);
    expect(text('A.md')).toBe('one\ntwo\n');
  });

  it('whose files have changed shows it again, and by the name of that plan makes it', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    disk.write('A.md', 'ONE\n');
    const [shown] = await desk.accept([id], owner);
    expect(shown).toMatchObject({ outcome: 'replanned', proposal: { id, state: 'open' } });
    expect(shown).toHaveProperty('proposal.diff', expect.stringContaining(' ONE\n+two'));
    expect(text('A.md')).toBe('ONE\n');
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'replanned', id }]);
    expect(text('A.md')).toBe('ONE\n');
    const { shownAs } = await desk.proposal(id);
    expect(await desk.accept([shownAs], owner)).toMatchObject([{ outcome: 'made', id }]);
    expect(text('A.md')).toBe('ONE\ntwo\n');
  });

  it('that cannot be made any more says why, and it stays open', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'A.md': 'one\n', 'B.md': '' });
    const replace = { name: 'A', old_text: 'one', new_text: 'two' };
    const id = await propose('replace_note', replace);
    const gone = await propose('delete_note', { name: 'B' });
    disk.write('A.md', 'something else\n');
    disk.remove(vaultPath('B.md'));
    expect(await desk.accept([id, gone], owner)).toMatchObject([
      { outcome: 'failed', id, error: { code: 'not_found' } },
      { outcome: 'failed', id: gone, error: { code: 'not_found' } },
    ]);
    expect(text('A.md')).toBe('something else\n');
    expect((await desk.proposals({ open: true })).map((each) => each.id)).toEqual([gone, id]);
  });

  it('from someone from whom marks hide notes shows and touches no marked note', async () => {
    const files = { 'A.md': 'one\n', 'B.md': 'b\n', 'C.md': '#private\n' };
    const { desk, propose, disk, call, text } = await openDesk(files);
    const as = { ...agent, scopes: { ...proposing, hideTags: ['private'] } };
    const marking = { name: 'A', text: '#private', new_tags: ['private'] };
    expect((await call('append_note', marking, as)).ok).toBe(false);
    expect((await call('append_note', { name: 'C', text: 'x' }, as)).ok).toBe(false);
    const id = await propose('append_note', { name: 'A', text: 'two' }, as);
    const late = await propose('append_note', { name: 'B', text: 'two' }, as);
    disk.write('B.md', 'b #private\n');
    expect(await desk.accept([id, late], owner)).toMatchObject([
      { outcome: 'made', id },
      { outcome: 'failed', id: late, error: { code: 'not_found' } },
    ]);
    expect([text('A.md'), text('B.md')]).toEqual(['one\ntwo\n', 'b #private\n']);
  });

  it('that leaves nothing to change closes it', async () => {
    const { desk, propose, disk, call } = await openDesk({ 'A.md': '---\nk: 1\n---\n' });
    const id = await propose('set_frontmatter', { name: 'A', key: 'k', value: 2 });
    disk.write('A.md', '---\nk: 2\n---\n');
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'nothing', id }]);
    const { json } = await call('list_proposals', {}, agent);
    const reason = expect.stringContaining('nothing left to change');
    expect(json).toMatchObject({ total: 1, proposals: [{ id, state: 'refused', reason }] });
  });

  it('goes in the order of the proposals, and a failure stops none of the others', async () => {
    const { desk, propose, text } = await openDesk({ 'A.md': 'a\n', 'B.md': 'b\n' });
    const first = await propose('append_note', { name: 'A', text: 'two' });
    const wrong = await propose('create_note', { name: 'C', content: 'c' });
    const last = await propose('rename_note', { old_name: 'B', new_name: 'C' });
    const made = await desk.accept([last, 'p99', wrong, 'x', first, first], owner);
    expect(made).toMatchObject([
      { outcome: 'made', id: first, change: { id: 1 } },
      { outcome: 'made', id: wrong, change: { id: 2 } },
      { outcome: 'failed', id: last, error: { code: 'already_exists' } },
      { outcome: 'failed', id: 'p99', error: { code: 'not_found' } },
      { outcome: 'failed', id: 'x', error: { code: 'not_found' } },
    ]);
    expect([text('A.md'), text('B.md'), text('C.md')]).toEqual(['a\ntwo\n', 'b\n', 'c']);
  });

  it('is not limited by the brake, nor by the tags that its client has agreed to', async () => {
    const files = Object.fromEntries([1, 2, 3].map((n) => [`${n}.md`, `${n}\n`]));
    const { desk, propose, files: left } = await openDesk(files);
    const as = { client: 'agent', scopes: { ...proposing, brakeFiles: 1 } };
    const ids = [];
    for (const name of ['1', '2', '3']) ids.push(await propose('delete_note', { name }, as));
    const asked = { ...as, ask: async () => true };
    ids.push(await propose('create_note', { name: 'T', content: '#fresh' }, asked));
    const made = await desk.accept(ids, owner);
    expect(made.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made', 'made']);
    expect(Object.keys(left()).filter((path) => !path.startsWith('.'))).toEqual(['T.md']);
  });

  it('keeps to the folders of its proposer', async () => {
    const { desk, propose, store, files, whole } = await openDesk({
      'Work/A.md': 'a\n',
      'Home/X.md': 'with [[A]]\n',
    });
    const scopes = { ...proposing, folders: [vaultFolder('Work')] };
    const forged = [
      await store({ scopes, tool: 'rename_note', input: { old_name: 'A', new_name: 'B' } }),
      await store({ scopes, input: { path: 'Home/X.md', text: 'theirs' } }),
      await store({ scopes, tool: 'create_note', input: { name: 'Home/Y', content: 'y' } }),
    ];
    const before = files();
    const made = await desk.accept(forged, owner);
    expect(made.map((each) => each.outcome === 'failed' && each.error.code)).toEqual([
      'forbidden',
      'not_found',
      'forbidden',
    ]);
    expect(files()).toEqual(before);
    const token = { client: 'agent', token: 't1', scopes };
    const id = await propose('append_note', { name: 'A', text: 'two' }, token);
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'made' }]);
    expect(files()).toEqual({ ...before, 'Work/A.md': 'a\ntwo\n' });
    const page = { limit: 1, offset: 0 };
    const { items } = await whole.parts.state.changes({ token: 't1' }, page);
    expect(items).toMatchObject([{ proposal: id, tool: 'append_note' }]);
  });

  it.each<[string, Partial<NewProposal>, object]>([
    ['toolset', { toolset: 'gone' }, { code: 'unavailable' }],
    ['tool', { tool: 'gone_note' }, { code: 'unavailable' }],
    ['argument', { input: { name: 'A', words: 'two' } }, { code: 'invalid_input' }],
  ])('of an unknown %s fails with what to do', async (_, more, error) => {
    const { desk, store, files } = await openDesk({ 'A.md': 'one\n' });
    const id = await store(more);
    const [failed] = await desk.accept([id], owner);
    expect(failed).toMatchObject({ outcome: 'failed', error });
    expect(failed).toHaveProperty(
      'error.message',
      expect.stringMatching(`^${id} cannot .* stays open: .*; refuse it`),
    );
    expect(files()).toEqual({ 'A.md': 'one\n' });
  });

  it('makes only what was shown, where the call would make several changes', async () => {
    const { desk, propose, call, files } = await openDesk({ 'F/A.md': 'one\n', 'G/B.md': 'b\n' });
    const free = { client: 'agent', connection: 'c1', scopes: allScopes };
    await call('append_note', { name: 'A', text: 'two' }, free);
    await call('rename_note', { old_name: 'F/', new_name: 'H/' }, free);
    await call('rename_note', { old_name: 'G/', new_name: 'F/' }, free);
    await call('append_note', { name: 'B', text: 'two' }, free);
    const id = await propose('undo_change', { session: 'c1' });
    expect((await desk.proposal(id)).diff).not.toContain('A.md');
    const rest = { message: expect.stringContaining(`${id} is not open any more`) };
    const change = { undoes: [4, 3] };
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'made', change, rest }]);
    expect(files()).toEqual({ 'G/B.md': 'b\n', 'H/A.md': 'one\ntwo\n' });
    expect(await desk.proposal(id)).toMatchObject({ state: 'accepted', change: 5 });
  });

  it('stops when the owner leaves', async () => {
    const { desk, propose, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    const gone = testCaller({ signal: AbortSignal.abort() });
    const failed = { outcome: 'failed', error: { code: 'cancelled' } };
    expect(await desk.accept([id], gone)).toMatchObject([failed]);
    expect(text('A.md')).toBe('one\n');
  });
});

describe('refusing proposals', () => {
  it('leaves no trace in the vault, and tells the proposer why', async () => {
    const { desk, propose, files, call } = await openDesk({ 'A.md': 'one\n' });
    const one = await propose('append_note', { name: 'A', text: 'two' });
    const two = await propose('delete_note', { name: 'A' });
    expect(await desk.refuse([two, one, 'p99'], { reason: 'No.' }, owner)).toMatchObject([
      { outcome: 'refused', id: one },
      { outcome: 'refused', id: two },
      { outcome: 'failed', id: 'p99', error: { code: 'not_found' } },
    ]);
    expect(files()).toEqual({ 'A.md': 'one\n' });
    const { json } = await call('list_proposals', {}, agent);
    expect(json['proposals']).toMatchObject([
      { id: two, tool: 'delete_note', state: 'refused', reason: 'No.', deleted: ['A.md'] },
      { id: one, tool: 'append_note', state: 'refused', reason: 'No.', changed: ['A.md'] },
    ]);
  });

  it('takes no reason that is too long', async () => {
    const { desk } = await openDesk({});
    const reason = 'x'.repeat(limits.ownerReasonCharsMax + 1);
    const refusing = async () => desk.refuse(['p1'], { reason }, owner);
    await expect(refusing()).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

it('lists the proposals of a session or of a client', async () => {
  const { desk, propose } = await openDesk({});
  const from = (client: string, connection: string) => ({ ...agent, client, connection });
  const one = await propose('create_note', { name: '1' }, from('a', 'c1'));
  const two = await propose('create_note', { name: '2' }, from('a/2', 'c2'));
  const three = await propose('create_note', { name: '3' }, from('b', 'c3'));
  const ids = async (wanted: object) =>
    (await desk.proposals({ open: true, ...wanted })).map(({ id }) => id);
  expect(await ids({})).toEqual([three, two, one]);
  expect(await ids({ session: 'c2' })).toEqual([two]);
  expect(await ids({ client: 'a' })).toEqual([two, one]);
  expect(await ids({ client: 'a/2' })).toEqual([two]);
  expect(await ids({ client: 'a', session: 'c3' })).toEqual([]);
  await desk.accept(await ids({ client: 'a' }), owner);
  expect(await ids({})).toEqual([three]);
  expect(await ids({ open: false, client: 'a' })).toEqual([two, one]);
});

describe('answering a question of the brake', () => {
  const names = ['1', '2', '3', '4', '5'];
  const braked = { client: 'agent', scopes: { ...allScopes, brakeFiles: 2 }, deadlineMs: 5_000 };

  /** Deletes notes until the brake asks, and answers the question's id. */
  async function openAsked() {
    const desk = await openDesk(Object.fromEntries(names.map((n) => [`${n}.md`, `${n}\n`])));
    const remove = (name: string) => desk.call('delete_note', { name }, braked);
    for (const name of ['1', '2', '3']) expect(await remove(name)).toMatchObject({ ok: true });
    const { code, text } = await remove('4');
    expect(code).toBe('forbidden');
    const notes = () => Object.keys(desk.files()).filter((path) => !path.startsWith('.'));
    return { ...desk, remove, notes, id: /\((q\d+)\)/.exec(text)?.[1] ?? '' };
  }

  it('allows the call once, and only that call', async () => {
    const { desk, id, remove, notes } = await openAsked();
    const text = 'May this app delete or overwrite a file?';
    const question = { id, tool: 'delete_note', paths: ['4.md'], files: 1 };
    expect(await desk.questions({ open: true })).toMatchObject([
      { ...question, text: expect.stringContaining(text) },
    ]);
    expect(await desk.answer(id, { says: 'once' }, owner)).toMatchObject({ question });
    expect(await desk.questions({ open: true })).toEqual([]);
    expect(await remove('5')).toMatchObject({ code: 'forbidden' });
    expect(await remove('4')).toMatchObject({ ok: true });
    expect(notes()).toEqual(['5.md']);
    const denying = desk.answer(id, { says: 'deny', undo: true }, owner);
    await expect(denying).rejects.toMatchObject({ code: 'conflict' });
    expect(notes()).toEqual(['5.md']);
  });

  it('allows whatever the session does for ten minutes', async () => {
    const { desk, id, remove } = await openAsked();
    await desk.answer(id, { says: 'session' }, owner);
    expect(await remove('5')).toMatchObject({ ok: true });
    expect(await remove('4')).toMatchObject({ ok: true });
  });

  it('denies it, and hours later takes back what the brake had counted', async () => {
    const { desk, id, remove, notes, time, disk, text } = await openAsked();
    await remove('5');
    const [other] = await desk.questions({ open: true });
    await desk.answer(other?.id ?? '', { says: 'once' }, owner);
    expect(await remove('5')).toMatchObject({ ok: true });
    disk.write('2.md', 'another note\n');
    time.nowMs += 3 * hourMs;
    const denied = await desk.answer(id, { says: 'deny', reason: 'Why?', undo: true }, owner);
    expect(denied).toMatchObject({
      question: { id, answer: { says: 'deny', reason: 'Why?' } },
      undone: { undone: [3, 1], left: [{ path: '2.md' }] },
    });
    // What was allowed after the question stays as it is.
    expect(notes().sort()).toEqual(['1.md', '2.md', '3.md', '4.md']);
    expect(text('2.md')).toBe('another note\n');
    const { code, text: told } = await remove('4');
    expect([code, told]).toEqual(['forbidden', expect.stringContaining('Why?')]);
    const again = await desk.answer(id, { says: 'deny', undo: true }, owner);
    expect(again).toMatchObject({ undoFailure: { message: expect.stringContaining('2.md') } });
  });

  it('ends a permission for the session, when calls have used it too', async () => {
    const { desk, id, remove, notes, whole, time } = await openAsked();
    const { question } = await desk.answer(id, { says: 'session' }, owner);
    expect(await remove('4')).toMatchObject({ ok: true });
    const kept = await whole.parts.questions.get(question.id, time.nowMs);
    expect(kept).toMatchObject({ used: true });
    await expect(desk.answer(id, { says: 'once' }, owner)).rejects.toMatchObject({
      code: 'conflict',
    });
    const denied = await desk.answer(id, { says: 'deny', undo: true }, owner);
    expect(denied).toMatchObject({
      question: { id, answer: { says: 'deny' } },
      undone: { undone: [3, 2, 1], left: [] },
    });
    // What was done after the question, the owner had allowed.
    expect(notes().sort()).toEqual(['1.md', '2.md', '3.md', '5.md']);
    expect(await remove('5')).toMatchObject({ code: 'forbidden' });
  });

  it('takes back only what the brake has counted, not what the owner has accepted', async () => {
    const { desk, propose, call, files } = await openDesk({
      '1.md': '1',
      '2.md': '2',
      '3.md': '3',
    });
    const proposer = { ...braked, scopes: { ...braked.scopes, ...proposing } };
    const id = await propose('delete_note', { name: '1' }, proposer);
    expect(await desk.accept([id], owner)).toMatchObject([{ outcome: 'made' }]);
    const strict = { ...braked, scopes: { ...braked.scopes, brakeFiles: 0 } };
    await call('delete_note', { name: '2' }, braked);
    expect(await call('delete_note', { name: '3' }, strict)).toMatchObject({ code: 'forbidden' });
    const [question] = await desk.questions({ open: true });
    expect(question?.text).toContain('already done that to a file');
    const denied = await desk.answer('q1', { says: 'deny', undo: true }, owner);
    expect(denied).toMatchObject({ undone: { undone: [2], warnings: [] } });
    expect(files()).not.toHaveProperty(['1.md']);
  });

  it('says when there was more than it could take back', async () => {
    const { desk, id, whole } = await openAsked();
    const { state } = whole.parts;
    const list = state.destroyingChanges;
    Object.assign(state, {
      destroyingChanges: (asker: string, span: Parameters<typeof list>[1]) => list(asker, span, 2),
    });
    const denied = await desk.answer(id, { says: 'deny', undo: true }, owner);
    expect(denied.undone).toMatchObject({
      undone: [3, 2],
      warnings: [expect.stringContaining('1 older change of this app was not taken back')],
    });
  });

  it('asks again for ten minutes after a denial, whatever was allowed before', async () => {
    const { desk, id, remove, notes, time } = await openAsked();
    await desk.answer(id, { says: 'session' }, owner);
    await desk.answer(id, { says: 'deny', undo: true }, owner);
    expect(notes().sort()).toEqual(['1.md', '2.md', '3.md', '4.md', '5.md']);
    expect(await remove('4')).toMatchObject({ code: 'forbidden' });
    expect(await remove('1')).toMatchObject({ code: 'forbidden' });
    const [other] = await desk.questions({ open: true });
    await desk.answer(other?.id ?? '', { says: 'deny' }, owner);
    time.nowMs += limits.brakeMs;
    expect(await remove('2')).toMatchObject({ ok: true });
    // What was denied itself stays denied.
    for (const name of ['1', '4']) expect(await remove(name)).toMatchObject({ code: 'forbidden' });
  });

  it('holds hours later for the same call, once', async () => {
    const { desk, call, files, time } = await openDesk({});
    for (const name of ['1', '2', '3']) await call('create_note', { name }, braked);
    const undo = () => call('undo_change', { session: 'c1' }, braked);
    const retry = expect.stringContaining('Call again with the same arguments');
    expect(await undo()).toMatchObject({ code: 'forbidden', text: retry });
    time.nowMs += 3 * hourMs;
    await desk.answer('q1', { says: 'once' }, owner);
    expect(await call('undo_change', { session: 'current' }, braked)).toMatchObject({ ok: false });
    expect(await undo()).toMatchObject({ ok: true });
    expect(files()).toEqual({});
    await call('undo_change', { id: 4 }, braked);
    expect(await undo()).toMatchObject({ code: 'forbidden' });
  });

  it('fails for what is no question, with what to do', async () => {
    const { desk, id } = await openAsked();
    const what = 'There is no question "q99" (one is kept for 24 hours); "vaultdoor approvals';
    await expect(desk.answer('q99', { says: 'deny' }, owner)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(what),
    });
    await expect(desk.question('p1')).rejects.toMatchObject({ code: 'not_found' });
    const undoing = desk.answer(id, { says: 'once', undo: true }, owner);
    await expect(undoing).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
