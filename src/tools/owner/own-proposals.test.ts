import { expect, it } from 'vitest';
import { agent, openDesk, owner, proposing } from '../../../test/support/desk-vault.ts';
import type { Caller } from '../../base/caller.ts';
import { vaultFolder } from '../../base/vault-path.ts';

// What `list_proposals` tells a caller about what it has proposed.

type Row = Readonly<Record<string, unknown>>;

async function openLister(files: Readonly<Record<string, string>>) {
  const desk = await openDesk(files);
  const listed = async (as: Partial<Caller>, args: object = {}) =>
    (await desk.call('list_proposals', args, as)).json['proposals'] as readonly Row[];
  const ids = async (as: Partial<Caller>) => (await listed(as)).map(({ id }) => id);
  return { ...desk, listed, ids };
}

it('says of each what became of it, newest first', async () => {
  const { desk, propose, listed, call } = await openLister({ 'A.md': 'one\n', 'B.md': '' });
  expect(await listed(agent)).toEqual([]);
  const made = await propose('append_note', { name: 'A', text: 'two' });
  const refused = await propose('rename_note', { old_name: 'A', new_name: 'C' });
  const open = await propose('delete_note', { name: 'B' });
  await desk.accept([made], owner);
  await desk.refuse([refused], { reason: 'Keep the name.' }, owner);
  expect(await listed(agent)).toMatchObject([
    { id: open, tool: 'delete_note', state: 'open', deleted: ['B.md'] },
    { id: refused, state: 'refused', reason: 'Keep the name.', moved: { 'A.md': 'C.md' } },
    { id: made, state: 'accepted', change: 1, changed: ['A.md'] },
  ]);
  const { json } = await call('list_changes', {}, agent);
  expect(json).toMatchObject({ total: 1, changes: [{ id: 1, client: 'agent' }] });
});

it('is limited to a number, and to what is new since a time', async () => {
  const { desk, propose, listed, time } = await openLister({ 'A.md': 'one\n' });
  const id = await propose('append_note', { name: 'A', text: 'two' });
  await propose('append_note', { name: 'A', text: 'three' });
  expect(await listed(agent, { limit: 1 })).toHaveLength(1);
  time.nowMs += 3 * 3_600_000;
  expect(await listed(agent, { since: '2h' })).toEqual([]);
  await desk.refuse([id], {}, owner);
  expect(await listed(agent, { since: '2h', limit: 1 })).toMatchObject([{ id, state: 'refused' }]);
});

it('is for the same token, or without one for the same client and door', async () => {
  const { propose, ids } = await openLister({});
  const phone = { ...agent, token: 't1' };
  const own = await propose('create_note', { name: '1' });
  const phones = await propose('create_note', { name: '2' }, phone);
  const again = { ...agent, connection: 'c9' };
  expect(await ids(again)).toEqual([own]);
  expect(await ids({ ...phone, client: 'renamed' })).toEqual([phones]);
  expect(await ids({ ...agent, token: 't2' })).toEqual([]);
  expect(await ids({ ...agent, client: 'other' })).toEqual([]);
  expect(await ids({ ...agent, door: 'bridge' })).toEqual([]);
});

it('names only files that the caller sees now, and changes by its own words', async () => {
  const files = { 'Work/A.md': 'one\n', 'Work/Sub/B.md': 'b\n' };
  const { desk, propose, listed } = await openLister(files);
  const caller = (folder: string) => ({
    ...agent,
    token: 't1',
    scopes: { ...proposing, folders: [vaultFolder(folder)] },
  });
  const one = await propose('append_note', { name: 'A', text: 'two' }, caller('Work'));
  const two = await propose('append_note', { name: 'B', text: 'two' }, caller('Work'));
  await desk.accept([two], owner);
  const [second, first] = await listed(caller('Work/Sub'));
  expect(first).toEqual({ id: one, state: 'open', tool: 'append_note', time: first?.['time'] });
  const change = expect.stringMatching(/^c-\w{8}$/);
  expect(second).toMatchObject({ id: two, change, changed: ['Work/Sub/B.md'] });
});
