import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { isQuick } from '../../../test/support/counts.ts';
import { describeOwnerStores, newProposal } from '../../../test/support/owner-stores-contract.ts';
import { newQuestion } from '../../../test/support/questions-contract.ts';
import { stateParts } from '../../../test/support/state-parts.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ContentPut, NewChange } from '../../engine/ports/state-store.ts';
import { openDatabase } from '../../sqlite/connection/open-database.ts';
import { nodeHash } from '../system/node-ports.ts';
import { openServedState } from './serve-state.ts';
import { openThreadState } from './thread-state.ts';

const entryFile = bundleProgram(
  import.meta.dirname,
  `
  import { workerData } from 'node:worker_threads';
  import { runWorker } from './run-worker.ts';
  import { whileBusy } from '../../sqlite/connection/while-busy.ts';
  import { openCommitLock } from '../../sqlite/lock/commit-lock.ts';
  import { openSqliteState } from '../../sqlite/state/sqlite-state-store.ts';
  runWorker(workerData, { openState: openSqliteState, openLock: openCommitLock, whileBusy });
`,
);

/** Windows does not let anyone remove or replace files that a process has open. */
const testRemoving = test.skipIf(process.platform === 'win32');

interface StartOptions {
  readonly outer?: string[];
  readonly prepare?: () => Promise<unknown>;
  readonly onHistoryLost?: () => void;
}

/** Small changes are recorded in this thread. */
function startNear(folder: string, more: StartOptions = {}) {
  return start(folder, {
    ...more,
    near: (data) => openServedState(data, stateParts, { light: true }),
  });
}

function start(
  folder: string,
  more: StartOptions & Pick<Parameters<typeof openThreadState>[0], 'near'> = {},
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

/** Makes one whole change. */
async function makeChange({ state, lock }: ReturnType<typeof start>): Promise<number> {
  expect(await lock.tryTake()).toBe(true);
  const id = await state.begin(made, 'single', [content]);
  await Promise.all([state.finish(id, []), lock.release()]);
  return id;
}

describe.each([
  ['in a worker', start] as const,
  // Only Linux records small changes in the main thread: see `near` in compose.ts.
  ...(process.platform === 'win32'
    ? []
    : [['in a worker, with small changes in this thread', startNear] as const]),
])('a history %s', (_, open) => {
  test('is called like a history on this thread, and takes no bytes away', async () => {
    const { state } = open(tempFolder());
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

  test('has the lock of its vault, and those around count', async () => {
    const [folder, around] = [tempFolder(), tempFolder()];
    const outer: string[] = [];
    const one = open(folder, { outer });
    const two = open(folder);
    const third = open(around);
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
    const { state, lock } = open(tempFolder());
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
    const [one, two] = [open(folder), open(folder)];
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
    const [one, two] = [open(folder), open(folder)];
    expect(await one.lock.tryTake()).toBe(true);
    const ended = await Promise.allSettled([one.state.finish(99, []), one.lock.release()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await two.lock.tryTake()).toBe(true);
  });

  test('nothing starts before the first call', async () => {
    let prepared = 0;
    const thread = open(tempFolder(), { prepare: async () => prepared++ });
    await thread.lock.release();
    expect(prepared).toBe(0);
    expect(await Promise.all([thread.state.latest(), thread.lock.tryTake()])).toEqual([0, true]);
    expect(prepared).toBe(1);
  });

  test('the first call may be one for the owner', async () => {
    let prepared = 0;
    const folder = tempFolder();
    const { questions, proposals } = open(folder, { prepare: async () => prepared++ });
    expect([prepared, existsSync(join(folder, 'state.db'))]).toEqual([0, false]);
    const asked = [questions.ask(newQuestion()), proposals.add(newProposal())];
    expect(await Promise.all(asked)).toMatchObject([{ id: 'q1' }, { id: 'p1' }]);
    expect(prepared).toBe(1);
  });

  test('a history that could not be opened is tried again at the next call', async () => {
    const folder = tempFolder();
    const file = join(folder, 'state.db');
    writeFileSync(file, 'x'.repeat(5_000));
    const { state, lock } = open(folder);
    const [latest, take] = await Promise.allSettled([state.latest(), lock.tryTake()]);
    expect(latest).toMatchObject({ reason: { code: 'io_failed', details: { file } } });
    expect(take.status).toBe('rejected');
    writeFileSync(file, '');
    expect(await state.latest()).toBe(0);
  });

  testRemoving.each<[what: string, harm: (folder: string) => void, changes: number]>([
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
    const one = open(folder, options);
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
    for (const seen of [one, open(folder)]) {
      expect((await seen.state.changes({}, page)).total).toBe(changes + 1);
      expect(await seen.state.content(content.version)).toEqual(bytes);
    }
  });

  testRemoving(
    'a question notices a lost history too, and a change ends where it has begun',
    async () => {
      const folder = join(tempFolder(), 'state');
      const one = open(folder);
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
    },
  );
});

describe.skipIf(process.platform === 'win32')('small changes in this thread', () => {
  const large = new Uint8Array(limits.nearContentBytesMax + 1).fill(97);
  const page = { limit: 9, offset: 0 };

  test('and others in the worker are in one history, under one lock', async () => {
    const folder = tempFolder();
    const [one, two] = [startNear(folder), start(folder)];
    const ids: number[] = [];
    for (const bytes of [content.bytes, large, content.bytes]) {
      expect(await one.lock.tryTake()).toBe(true);
      expect(await two.lock.tryTake()).toBe(false);
      ids.push(
        await one.state.begin(made, 'single', [{ version: nodeHash.version(bytes), bytes }]),
      );
      const ended = [one.state.finish(ids.at(-1) ?? 0, []), one.lock.release()];
      expect(await one.state.latest()).toBe(ids.at(-1)); // It does not overtake what ends a change.
      expect((await one.state.changes({}, page)).items[0]?.id).toBe(ids.at(-1));
      await Promise.all(ended);
    }
    expect(ids).toEqual([1, 2, 3]);
    expect(await two.lock.tryTake()).toBe(true);
    expect(await one.lock.tryTake()).toBe(false);
    expect((await two.state.changes({}, page)).items.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(await two.state.content(nodeHash.version(large))).toEqual(large);
  });

  test('wait for another process that writes, and do not hold up this thread', async () => {
    const folder = tempFolder();
    const one = startNear(folder);
    await makeChange(one);
    const other = await openDatabase(join(folder, 'state.db'));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(await one.lock.tryTake()).toBe(true);
    const begun = one.state.begin(made, 'single', [content]);
    expect(await Promise.race([begun, setTimeout(20, 'waits')])).toBe('waits');
    other.exec('COMMIT');
    expect(await begun).toBe(2);
  });

  test('release the lock although the worker has died in the middle of a change', async () => {
    const folder = tempFolder();
    const dead = () => Promise.reject(new VaultError('internal', 'The thread has died.'));
    const one = openThreadState({
      entryFile,
      stateFile: join(folder, 'state.db'),
      lockFile: join(folder, 'lock.db'),
      outer: () => [],
      open: async (data) => ({
        ...(await openServedState(data, stateParts)),
        finishAll: dead,
        release: dead,
      }),
      near: (data) => openServedState(data, stateParts, { light: true }),
    });
    onTestFinished(() => one.state.close());
    expect(await one.lock.tryTake()).toBe(true);
    const id = await one.state.begin(made, 'staging', []);
    const ended = await Promise.allSettled([one.state.finish(id, []), one.lock.release()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const two = start(folder);
    expect(await two.lock.tryTake()).toBe(true);
  });

  test('do not let the log grow without end', async () => {
    const folder = tempFolder();
    const one = startNear(folder);
    for (let n = 0; n < 210; n++) await makeChange(one);
    await one.state.changes({}, page); // After the last time that the log was copied.
    expect(statSync(join(folder, 'state.db-wal')).size).toBeLessThan(12_000_000);
  });

  test('that were begun and not finished are found by the next process', async () => {
    const folder = tempFolder();
    const one = startNear(folder);
    expect(await one.lock.tryTake()).toBe(true);
    const id = await one.state.begin(made, 'single', [content]);
    await one.lock.close();
    const two = start(folder);
    expect(await two.lock.tryTake()).toBe(true);
    expect(await two.state.unfinished()).toMatchObject([{ id, state: 'single' }]);
  });
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

testRemoving(
  'questions and proposals of a lost history are told once, and no number means two',
  async () => {
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
  },
);
