import type { StateStore, StoredChange } from '../../engine/ports/state-store.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import type { WorkerParts } from './run-worker.ts';

/** What the worker serves: the history and the commit lock. `close` closes both. */
export interface ServedState extends StateStore {
  /**
   * Takes the lock, together with those of the vaults around this one, whose files are given.
   * Answers what is unfinished then, which whoever takes it asks first; undefined if it is not free.
   */
  tryTake(outer: readonly string[]): Promise<readonly StoredChange[] | undefined>;
  release(): Promise<void>;
  /** Finishes a change and releases the lock, be it that the first fails: one message in place of two. */
  finishAndRelease(...finished: Parameters<StateStore['finish']>): Promise<void>;
}

/** Opens both in a worker. Fails as opening the history fails. */
export async function openServedState(
  { stateFile, lockFile }: StateWorkerData,
  parts: WorkerParts,
): Promise<ServedState> {
  let outerFiles: readonly string[] = [];
  const state = await parts.openState({ file: stateFile });
  const lock = await parts.openLock({ file: lockFile, outer: () => outerFiles });
  return {
    begin: (change, how, contents) => state.begin(change, how, contents),
    mark: (id, contents) => state.mark(id, contents),
    unmark: (id) => state.unmark(id),
    finish: (id, kept) => state.finish(id, kept),
    drop: (id) => state.drop(id),
    unfinished: () => state.unfinished(),
    latest: () => state.latest(),
    changes: (filter, page) => state.changes(filter, page),
    content: (version) => state.content(version),
    prune: (bounds) => state.prune(bounds),
    tryTake: async (outer) => {
      outerFiles = outer;
      if (!(await lock.tryTake())) return undefined;
      try {
        return await state.unfinished();
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    release: () => lock.release(),
    finishAndRelease: async (id, kept) => {
      try {
        await state.finish(id, kept);
      } finally {
        await lock.release();
      }
    },
    close: async () => {
      try {
        await state.close();
      } finally {
        await lock.close();
      }
    },
  };
}
