import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { stateParts } from '../../../test/support/state-parts.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ContentPut, NewChange } from '../../engine/ports/state-store.ts';
import { nodeHash } from '../system/node-ports.ts';
import { openServedState } from './serve-state.ts';
import { openThreadState } from './thread-state.ts';

// What happens to a change when the worker that holds the history dies.

/** A worker that ends when it is asked for the key of a reader called "die". */
const entryFile = bundleProgram(
  import.meta.dirname,
  `
  import { workerData } from 'node:worker_threads';
  import { runWorker } from './run-worker.ts';
  import { whileBusy } from '../../sqlite/connection/while-busy.ts';
  import { openCommitLock } from '../../sqlite/lock/commit-lock.ts';
  import { openSqliteState } from '../../sqlite/state/sqlite-state-store.ts';
  const openState = async (options) => {
    const state = await openSqliteState(options);
    const wordKey = state.wordKey.bind(state);
    state.wordKey = async (reader) => (reader === 'die' ? process.exit(1) : wordKey(reader));
    return state;
  };
  runWorker(workerData, { openState, openLock: openCommitLock, whileBusy });
`,
);

function start(folder: string, more: Pick<Parameters<typeof openThreadState>[0], 'near'> = {}) {
  const thread = openThreadState({
    entryFile,
    stateFile: join(folder, 'state.db'),
    lockFile: join(folder, 'lock.db'),
    outer: () => [],
    ...more,
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
const died = { code: 'internal', details: { threadDied: true } };

test('a change whose worker dies does not go on without the lock; the next one begins anew', async () => {
  const folder = tempFolder();
  const { state, lock } = start(folder);
  expect(await lock.tryTake()).toBe(true);
  const id = await state.begin(made, 'staging', []);
  await expect(state.wordKey('die')).rejects.toMatchObject(died);
  // The lock died with the worker, so another process may have it now.
  const other = start(folder);
  await expect.poll(() => other.lock.tryTake()).toBe(true);
  await expect(state.mark(id, [content])).rejects.toMatchObject(died);
  await expect(state.unfinished()).rejects.toMatchObject(died);
  await expect(state.finish(id, [])).rejects.toMatchObject(died);
  await lock.release();
  expect(await lock.tryTake()).toBe(false);
  await other.lock.release();
  expect(await lock.tryTake()).toBe(true);
  expect(await state.unfinished()).toMatchObject([{ id, state: 'staging' }]);
});

test.skipIf(process.platform === 'win32')(
  'with small changes in this thread, the lock survives a worker that dies',
  async () => {
    const folder = tempFolder();
    const { state, lock } = start(folder, {
      near: (data) => openServedState(data, stateParts, { light: true }),
    });
    expect(await lock.tryTake()).toBe(true);
    const id = await state.begin(made, 'staging', []);
    await expect(state.wordKey('die')).rejects.toMatchObject(died);
    await expect(state.mark(id, [content])).rejects.toMatchObject(died);
    expect(await start(folder).lock.tryTake()).toBe(false);
    await Promise.allSettled([state.finish(id, []), lock.release()]);
    expect(await lock.tryTake()).toBe(true);
    await state.drop(id);
    await lock.release();
    expect(await lock.tryTake()).toBe(true);
    expect(await state.begin(made, 'staging', [])).toBeGreaterThan(id);
  },
);
