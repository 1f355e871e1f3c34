import type { StateStore, StoredChange } from '../../engine/ports/state-store.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import type { WorkerParts } from './run-worker.ts';

/** The object that the state worker serves: the history and the commit lock. `close` closes both. */
export interface ServedState extends StateStore {
  /**
   * Takes the lock, together with the lock files of the vaults around this one. Returns the
   * unfinished changes, which the caller needs next; undefined if the lock is not free.
   */
  tryTake(outer: readonly string[]): Promise<readonly StoredChange[] | undefined>;
  release(): Promise<void>;
  /** Finishes a change and releases the lock, also if finishing fails. Saves one message. */
  finishAndRelease(...finished: Parameters<StateStore['finish']>): Promise<void>;
}

/** Opens the history and the lock in a worker. Fails as opening the history fails. */
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
    wordKey: (reader) => state.wordKey(reader),
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
