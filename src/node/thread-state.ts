import { VaultError } from '../base/vault-error.ts';
import type { CommitLock, StateStore, StoredChange } from '../engine/state-store.ts';
import type { ServedState } from './serve-state.ts';
import { openThread, type Thread } from './thread-call.ts';
import type { StateWorkerData } from './worker-data.ts';

const closeMaxMs = 2_000;

/**
 * The history and the commit lock of a vault, in one worker that starts with the first call: a
 * program that only reads does without. A history that cannot be opened fails that call, and is
 * tried again at the next. Closing either closes both, and frees the lock.
 */
export function openThreadState(options: {
  readonly entryFile: string;
  readonly stateFile: string;
  readonly lockFile: string;
  /** The lock files of the vaults around this one; asked each time the lock is wanted. */
  readonly outer: () => readonly string[];
  /** Done before the worker starts: the folders for the files must be there. */
  readonly prepare?: () => Promise<unknown>;
}): { readonly state: StateStore; readonly lock: CommitLock } {
  const { entryFile, stateFile, lockFile, outer } = options;
  const workerData: StateWorkerData = { role: 'state', stateFile, lockFile };
  let opening: Promise<Thread<ServedState>> | undefined;
  let closing: Promise<void> | undefined;
  /** What was unfinished when the lock was taken, until it is asked for: that spares a round trip. */
  let unfinished: readonly StoredChange[] | undefined;

  const open = async (): Promise<Thread<ServedState>> => {
    await options.prepare?.();
    const thread = openThread<ServedState>({ entryFile, workerData });
    try {
      await thread.ready();
    } catch (error) {
      await thread.close();
      throw error;
    }
    return thread;
  };

  const served = async (): Promise<ServedState> => {
    if (closing !== undefined) throw new VaultError('cancelled', 'The vault was closed meanwhile.');
    opening ??= open();
    const thread = opening;
    try {
      return (await thread).remote;
    } catch (error) {
      if (opening === thread) opening = undefined;
      throw error;
    }
  };

  const changing = (): Promise<ServedState> => {
    unfinished = undefined;
    return served();
  };

  const close = async (): Promise<void> => {
    const thread = await opening?.catch(() => undefined);
    if (thread === undefined) return;
    try {
      // A query that never ends must not keep the program from ending.
      const overdue = new Promise<void>((resolve) => {
        setTimeout(resolve, closeMaxMs).unref();
      });
      await Promise.race([thread.remote.close(), overdue]);
    } finally {
      await thread.close();
    }
  };
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };

  return {
    state: {
      begin: async (change, how, contents) => (await changing()).begin(change, how, contents),
      mark: async (id, contents) => (await changing()).mark(id, contents),
      unmark: async (id) => (await changing()).unmark(id),
      finish: async (id, kept) => (await changing()).finish(id, kept),
      drop: async (id) => (await changing()).drop(id),
      unfinished: async () => {
        const known = unfinished;
        unfinished = undefined;
        return known ?? (await served()).unfinished();
      },
      latest: async () => (await served()).latest(),
      changes: async (filter, page) => (await served()).changes(filter, page),
      content: async (version) => (await served()).content(version),
      prune: async (bounds) => (await served()).prune(bounds),
      close: closeOnce,
    },
    lock: {
      tryTake: async () => {
        unfinished = await (await served()).tryTake(outer());
        return unfinished !== undefined;
      },
      release: async () => {
        unfinished = undefined;
        // Where nothing was begun, or all is closed, nothing is held.
        if (opening !== undefined && closing === undefined) await (await served()).release();
      },
      close: closeOnce,
    },
  };
}
