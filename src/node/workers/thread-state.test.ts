import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { isQuick } from '../../../test/support/counts.ts';
import { describeOwnerStores, newProposal } from '../../../test/support/owner-stores-contract.ts';
import { newQuestion } from '../../../test/support/questions-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ContentPut, NewChange } from '../../engine/ports/state-store.ts';
import { nodeHash } from '../system/node-ports.ts';
import { openThreadState } from './thread-state.ts';

const entryFile = bundleProgram(
  import.meta.dirname,
  `
  import { workerData } from 'node:worker_threads';
  import { runWorker } from './run-worker.ts';
  import { openCommitLock } from '../../sqlite/lock/commit-lock.ts';
  import { openSqliteState } from '../../sqlite/state/sqlite-state-store.ts';
  runWorker(workerData, { openState: openSqliteState, openLock: openCommitLock });
`,
);

function start(
  folder: string,
  more: { outer?: string[]; prepare?: () => Promise<unknown>; onHistoryLost?: () => void } = {},
) {
  const { outer = [], ...rest } = more;
  const thread = openThreadState({
    entryFile,
    stateFile: join(folder, 'state.db'),
    lockFile: join(folder, 'lock.db'),
    outer: () => outer,
    ...rest,
  });
  onTestFinished(() => thread.state.close());
  return thread;
}

const bytes = new TextEncoder().encode('the text of a note');
const content: ContentPut = { version: nodeHash.version(bytes), bytes };
const made: NewChange = {
  timeMs: 1_700_000_000_000,
  door: 'cli',
  tool: 'create',
  args: { name: 'a' },
  steps: [{ do: 'write', path: vaultPath('a.md'), after: content.version, token: 'abc' }],
};

test('a history in a worker is called like one on this thread, and takes no bytes away', async () => {
  const { state } = start(tempFolder());
  const first = await state.begin(made, 'single', [content]);
  await state.finish(first, []);
  const second = await state.begin(made, 'staging', []);
  await state.mark(second, [content]);
  await state.unmark(second);
  expect(await state.unfinished()).toMatchObject([{ id: second, state: 'undoing' }]);
  await state.drop(second);
  expect(await state.latest()).toBe(first);
  expect(await state.changes({}, { limit: 5, offset: 0 })).toEqual({
    total: 1,
    items: [{ ...made, id: first, state: 'done', kept: [] }],
  });
  expect(bytes).toHaveLength(18);
  expect(await state.content(content.version)).toEqual(bytes);
  await state.prune({ nowMs: made.timeMs + 2, ageMaxMs: 1, bytesMax: 0, keepMs: 0 });
  expect(await state.content(content.version)).toBeUndefined();
});

test('a change is begun together with the lock, unless something stands in the way', async () => {
  const folder = tempFolder();
  const [one, two] = [start(folder), start(folder)];
  const begun = await Promise.all([1, 2, 3].map(() => one.lock.tryBegin(made, [content])));
  expect(begun).toEqual([1, 2, 3].map((id) => ({ id, latest: 0 })));
  expect(await two.lock.tryBegin(made, [])).toEqual({ refusal: 'locked' });
  await Promise.all([2, 3].map((id) => one.state.finish(id, [])));
  expect(await one.state.latest()).toBe(0); // The first is not finished.
  await one.state.finish(1, []);
  expect(await one.lock.tryBegin(made, [], 2)).toEqual({ refusal: 'stale' });
  expect(await one.lock.tryBegin(made, [], 3)).toEqual({ id: 4, latest: 3 });
  await one.lock.release();
  expect(await two.lock.tryBegin(made, [])).toEqual({ refusal: 'unfinished' });
  expect(await one.lock.tryTake()).toBe(true); // The refusal has not kept the lock.
});

test('the lock of a worker is the lock of its vault, and those around count', async () => {
  const [folder, around] = [tempFolder(), tempFolder()];
  const outer: string[] = [];
  const one = start(folder, { outer });
  const two = start(folder);
  const third = start(around);
  expect([await one.lock.tryTake(), await two.lock.tryTake()]).toEqual([true, false]);
  expect(await third.lock.tryTake()).toBe(true);
  await one.lock.release();
  outer.push(join(around, 'lock.db'));
  expect(await one.lock.tryTake()).toBe(false);
  await third.lock.close();
  expect(await one.lock.tryTake()).toBe(true);
  await one.state.close();
  await one.lock.release();
  expect(await two.lock.tryTake()).toBe(true);
  await expect(one.lock.tryTake()).rejects.toMatchObject({ code: 'cancelled' });
});

test('whoever takes the lock learns what is unfinished, each time anew', async () => {
  const { state, lock } = start(tempFolder());
  expect(await lock.tryTake()).toBe(true);
  expect(await state.unfinished()).toEqual([]);
  const id = await state.begin(made, 'staging', []);
  expect(await state.unfinished()).toMatchObject([{ id }]);
  await lock.release();
  expect(await lock.tryTake()).toBe(true);
  await state.drop(id);
  expect(await state.unfinished()).toEqual([]);
});

test('what ends a change arrives before whatever is asked next', async () => {
  const folder = tempFolder();
  const [one, two] = [start(folder), start(folder)];
  expect(await one.lock.tryTake()).toBe(true);
  const id = await one.state.begin(made, 'single', [content]);
  const ended = [one.state.finish(id, []), one.lock.release()];
  expect(await one.state.latest()).toBe(id);
  await Promise.all(ended);
  expect(await two.lock.tryTake()).toBe(true);
  expect(await two.state.unfinished()).toEqual([]);
});

test('the lock is released although the change could not be finished', async () => {
  const folder = tempFolder();
  const [one, two] = [start(folder), start(folder)];
  expect(await one.lock.tryTake()).toBe(true);
  const ended = await Promise.allSettled([one.state.finish(99, []), one.lock.release()]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await two.lock.tryTake()).toBe(true);
});

test('nothing starts before the first call', async () => {
  let prepared = 0;
  const thread = start(tempFolder(), { prepare: async () => prepared++ });
  await thread.lock.release();
  expect(prepared).toBe(0);
  expect(await Promise.all([thread.state.latest(), thread.lock.tryTake()])).toEqual([0, true]);
  expect(prepared).toBe(1);
});

test('the first call may be one for the owner', async () => {
  let prepared = 0;
  const folder = tempFolder();
  const { questions, proposals } = start(folder, { prepare: async () => prepared++ });
  expect([prepared, existsSync(join(folder, 'state.db'))]).toEqual([0, false]);
  const asked = [questions.ask(newQuestion()), proposals.add(newProposal())];
  expect(await Promise.all(asked)).toMatchObject([{ id: 'q1' }, { id: 'p1' }]);
  expect(prepared).toBe(1);
});

test('a history that could not be opened is tried again at the next call', async () => {
  const folder = tempFolder();
  const file = join(folder, 'state.db');
  writeFileSync(file, 'x'.repeat(5_000));
  const { state, lock } = start(folder);
  const [latest, take] = await Promise.allSettled([state.latest(), lock.tryTake()]);
  expect(latest).toMatchObject({ reason: { code: 'io_failed', details: { file } } });
  expect(take.status).toBe('rejected');
  writeFileSync(file, '');
  expect(await state.latest()).toBe(0);
});

/** Makes one whole change. */
async function makeChange({ state, lock }: ReturnType<typeof start>): Promise<number> {
  expect(await lock.tryTake()).toBe(true);
  const id = await state.begin(made, 'single', [content]);
  await Promise.all([state.finish(id, []), lock.release()]);
  return id;
}

test.each<[what: string, harm: (folder: string) => void, changes: number]>([
  ['removed', (folder) => rmSync(folder, { recursive: true }), 0],
  ['moved away', (folder) => renameSync(folder, `${folder}-moved`), 0],
  ['removed as a file', (folder) => rmSync(join(folder, 'state.db')), 0],
  [
    'replaced by a copy',
    (folder) => {
      cpSync(folder, `${folder}-copy`, { recursive: true });
      rmSync(folder, { recursive: true });
      renameSync(`${folder}-copy`, folder);
    },
    2,
  ],
])('a history that is %s under a running process is told once', async (_, harm, changes) => {
  const folder = join(tempFolder(), 'state');
  const calls: string[] = [];
  const options = {
    prepare: async () => calls.push('prepare'),
    onHistoryLost: () => void calls.push('lost'),
  };
  const one = start(folder, options);
  await makeChange(one);
  await makeChange(one);
  harm(folder);
  await expect(one.lock.tryTake()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('removed or replaced'),
  });
  expect(calls).toEqual(['prepare', 'lost']);
  if (changes === 0) expect(existsSync(join(folder, 'state.db'))).toBe(false);
  // From then on it goes into the file that everybody sees.
  expect(await makeChange(one)).toBe(3); // No number means two changes.
  expect(calls).toEqual(['prepare', 'lost', 'prepare']);
  const page = { limit: 9, offset: 0 };
  for (const seen of [one, start(folder)]) {
    expect((await seen.state.changes({}, page)).total).toBe(changes + 1);
    expect(await seen.state.content(content.version)).toEqual(bytes);
  }
});

test('a question notices a lost history too, and a change ends where it has begun', async () => {
  const folder = join(tempFolder(), 'state');
  const one = start(folder);
  await makeChange(one);
  expect(await one.lock.tryTake()).toBe(true);
  const next = await one.state.begin(made, 'staging', []);
  rmSync(folder, { recursive: true });
  await one.state.mark(next, [content]);
  expect(await one.state.unfinished()).toMatchObject([{ id: next, state: 'marked' }]);
  await Promise.all([one.state.finish(next, []), one.lock.release()]);
  await expect(one.state.latest()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await one.state.latest()).toBe(0);
  expect(await makeChange(one)).toBe(next + 1);
});

test('keeps the size of the vault by day', async () => {
  const { dayTotals } = start(tempFolder());
  await dayTotals.put({ day: '2026-11-16', notes: 46, bytes: 20_000 });
  expect(await dayTotals.list(9)).toEqual([{ day: '2026-11-16', notes: 46, bytes: 20_000 }]);
});

// Each case starts a worker.
const inWorker = isQuick ? () => undefined : describeOwnerStores;

inWorker('a worker', async () => {
  const { state, lock, questions, proposals } = start(tempFolder());
  return {
    questions,
    proposals,
    accept: async (proposal, timeMs) => {
      expect(await lock.tryTake()).toBe(true);
      try {
        const id = await state.begin({ ...made, proposal, timeMs }, 'single', []);
        // What is asked next sees that it is finished.
        void Promise.all([state.finish(id, []), lock.release()]);
        return id;
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
  };
});

test('questions and proposals of a lost history are told once, and no number means two', async () => {
  const folder = join(tempFolder(), 'state');
  const { timeMs: nowMs } = newQuestion();
  let lost = 0;
  const { questions, proposals } = start(folder, { onHistoryLost: () => void lost++ });
  await questions.ask(newQuestion());
  await proposals.add(newProposal());
  rmSync(folder, { recursive: true });
  await expect(questions.list({ open: true, nowMs })).rejects.toMatchObject({
    code: 'unavailable',
    details: { historyLost: true },
  });
  expect(lost).toBe(1);
  expect(await questions.get('q1', nowMs)).toBeUndefined();
  expect(await proposals.get('p1', nowMs)).toBeUndefined();
  expect(await questions.ask(newQuestion())).toMatchObject({ id: 'q2' });
  rmSync(folder, { recursive: true });
  await expect(proposals.add(newProposal())).rejects.toMatchObject({ code: 'unavailable' });
  expect(await proposals.add(newProposal())).toMatchObject({ id: 'p2' });
  expect(await questions.ask(newQuestion())).toMatchObject({ id: 'q3' });
});
