import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { change, make, put, startMs, write } from '../../../test/support/change-records.ts';
import { isQuick } from '../../../test/support/counts.ts';
import { memoryOwnerStores } from '../../../test/support/memory-owner-stores.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import {
  describeOwnerStores,
  newProposal,
  type OwnerStores,
} from '../../../test/support/owner-stores-contract.ts';
import { newQuestion } from '../../../test/support/questions-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import type { VaultState } from '../../engine/ports/vault-state.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteState } from './sqlite-state-store.ts';

async function opened(file = join(tempFolder(), 'state.db')): Promise<VaultState> {
  const state = await openSqliteState({ file });
  onTestFinished(() => state.close());
  return state;
}

describeOwnerStores('memory', async () => memoryOwnerStores(), { fillsUp: !isQuick });

describeOwnerStores(
  'a file',
  async (): Promise<OwnerStores> => {
    const state = await opened();
    const { questions, proposals } = state;
    return {
      questions,
      proposals,
      accept: (proposal, timeMs) => make(state, change([], { proposal, timeMs })),
    };
  },
  { fillsUp: !isQuick },
);

const nowMs = startMs + 1;

test('two processes see the same questions and proposals, and only one uses a permission', async () => {
  const file = join(tempFolder(), 'state.db');
  const [one, two] = [await opened(file), await opened(file)];
  await one.questions.ask(newQuestion());
  await two.questions.answer('q1', { says: 'once', timeMs: nowMs });
  expect(await Promise.all([one.questions.use('q1'), two.questions.use('q1')])).toEqual([
    true,
    false,
  ]);
  await one.proposals.add(newProposal());
  expect(await two.proposals.refuse('p1', { timeMs: nowMs })).toBe(true);
  expect(await one.proposals.get('p1', nowMs)).toMatchObject({ state: 'refused' });
});

test('a proposal stays open until its change is finished, and is not refused meanwhile', async () => {
  const state = await opened();
  await state.proposals.add(newProposal());
  const begun = await state.begin(change([], { proposal: 'p1' }), 'staging', []);
  expect(await state.proposals.refuse('p1', { timeMs: nowMs })).toBe(false);
  expect(await state.proposals.get('p1', nowMs)).toMatchObject({ state: 'open' });
  await state.drop(begun);
  expect(await state.proposals.get('p1', nowMs)).toMatchObject({ state: 'open' });
  const id = await make(state, change([], { proposal: 'p1' }));
  expect(await state.proposals.get('p1', nowMs)).toMatchObject({ state: 'accepted', change: id });
  const { items } = await state.changes({}, { limit: 9, offset: 0 });
  expect(items).toMatchObject([{ id, proposal: 'p1' }]);
});

test('a power cut takes back the end of a change together with that of its proposal', async () => {
  const shared = await memoryState();
  const before = shared.open();
  await before.proposals.add(newProposal());
  const id = await make(before.state, change([], { proposal: 'p1' }));
  await shared.cutPower({ lose: 'unsynced' });
  const { state, proposals } = shared.open();
  expect(await state.unfinished()).toMatchObject([{ id, proposal: 'p1', state: 'marked' }]);
  expect(await proposals.get('p1', nowMs)).toMatchObject({ state: 'open' });
  await state.finish(id, []);
  expect(await proposals.get('p1', nowMs)).toMatchObject({ state: 'accepted', change: id });
});

test('saves that the owner accepted are not joined with others', async () => {
  const state = await opened();
  await state.proposals.add(newProposal());
  const save = (before: string, after: string, more: object) =>
    make(state, change([write('A.md', before, after)], { fold: true, door: 'remote', ...more }));
  await save('a', 'b', {});
  await save('b', 'c', { proposal: 'p1' });
  await save('c', 'd', {});
  expect((await state.changes({}, { limit: 9, offset: 0 })).total).toBe(3);
});

test.each<[how: string, use: (state: VaultState, lateMs: number) => Promise<unknown>]>([
  [
    'something is added',
    async ({ questions, proposals }, timeMs) => {
      await questions.ask(newQuestion({ timeMs }));
      await proposals.add(newProposal({ timeMs, input: {} }));
    },
  ],
  [
    'they are listed',
    async ({ questions, proposals }, lateMs) => {
      await questions.list({ open: true, nowMs: lateMs });
      await proposals.list({ nowMs: lateMs }, { limit: 1, offset: 0 });
    },
  ],
  [
    'the history is pruned',
    (state, lateMs) => state.prune({ nowMs: lateMs, ageMaxMs: 1e12, bytesMax: 1e12, keepMs: 1e12 }),
  ],
])('what is too old is deleted from the file when %s', async (_, use) => {
  const file = join(tempFolder(), 'state.db');
  const state = await openSqliteState({ file });
  await make(state, change([write('a.md', undefined, 'a')]), { contents: [put('a')] });
  await state.questions.ask(newQuestion({ text: 'MARK of a question' }));
  await state.proposals.add(newProposal({ input: { text: 'MARK of a proposal' } }));
  await use(state, startMs + limits.proposalAgeMaxMs);
  expect(await state.latest()).toBe(1);
  await state.close();
  expect(readFileSync(file, 'latin1')).not.toContain('MARK');
});

test('no number is given twice, also when the newest record is gone', async () => {
  const state = await opened();
  await state.questions.ask(newQuestion());
  await state.proposals.add(newProposal());
  const timeMs = startMs + limits.proposalAgeMaxMs;
  expect((await state.questions.ask(newQuestion({ timeMs }))).id).toBe('q2');
  expect((await state.proposals.add(newProposal({ timeMs }))).id).toBe('p2');
  expect(await state.numbers()).toEqual({ question: 2, proposal: 2 });
});

test('a history of the first version of the schema is kept, and gets the rest', async () => {
  const file = join(tempFolder(), 'state.db');
  const old = await openDatabase(file);
  const dump = new URL('../../../test/support/state-v1.sql', import.meta.url);
  old.exec(readFileSync(dump, 'utf8'));
  old.close();

  const state = await opened(file);
  const { items } = await state.changes({}, { limit: 9, offset: 0 });
  expect(items.map(({ id, tool, undoneBy }) => [id, tool, undoneBy])).toEqual([
    [5, 'undo', undefined],
    [4, 'delete', 5],
    [3, 'rename', undefined],
    [2, 'create', undefined],
    [1, 'append', undefined],
  ]);
  const [step] = items[2]?.steps ?? [];
  const after = step?.do === 'write' ? await state.content(step.after) : undefined;
  expect(new TextDecoder().decode(after)).toBe('text of b [[c]]');
  // It takes what is new.
  await state.proposals.add(newProposal());
  const id = await make(state, change([write('a.md', 'a', 'b')], { token: 't1', proposal: 'p1' }));
  expect(id).toBe(6);
  expect(await state.proposals.get('p1', nowMs)).toMatchObject({ state: 'accepted', change: 6 });
  const ours = await state.changes({ token: 't1' }, { limit: 9, offset: 0 });
  expect(ours).toMatchObject({ total: 1, items: [{ id: 6, token: 't1', proposal: 'p1' }] });
  await state.questions.ask(newQuestion());
  // A second opening finds nothing left to do.
  expect(await (await opened(file)).latest()).toBe(6);
});

test('an old history that cannot get the rest stays as it was', async () => {
  const file = join(tempFolder(), 'state.db');
  const old = await openDatabase(file);
  const dump = new URL('../../../test/support/state-v1.sql', import.meta.url);
  old.exec(readFileSync(dump, 'utf8'));
  old.exec('CREATE TABLE proposal (x)'); // The last but one table that is to be made.
  old.close();
  await expect(openSqliteState({ file })).rejects.toThrow();
  const again = await openDatabase(file);
  onTestFinished(() => again.close());
  expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  const names = again.prepare("SELECT name FROM pragma_table_info('change')").all();
  expect(names).not.toContainEqual({ name: 'token' });
});
