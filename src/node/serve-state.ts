import type { StateStore } from '../engine/state-store.ts';
import type { WorkerParts } from './run-worker.ts';
import type { StateWorkerData } from './worker-data.ts';

/** What the worker serves: the history and the commit lock. `close` closes both. */
export interface ServedState extends StateStore {
  /** Takes the lock, together with those of the vaults around this one, whose files are given. */
  tryTake(outer: readonly string[]): Promise<boolean>;
  release(): Promise<void>;
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
    tryTake: (outer) => {
      outerFiles = outer;
      return lock.tryTake();
    },
    release: () => lock.release(),
    close: async () => {
      try {
        await state.close();
      } finally {
        await lock.close();
      }
    },
  };
}
