import { VaultError } from '../base/vault-error.ts';
import type { CommitLock, StateStore } from '../engine/state-store.ts';
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
      begin: async (change, how, contents) => (await served()).begin(change, how, contents),
      mark: async (id, contents) => (await served()).mark(id, contents),
      unmark: async (id) => (await served()).unmark(id),
      finish: async (id, kept) => (await served()).finish(id, kept),
      drop: async (id) => (await served()).drop(id),
      unfinished: async () => (await served()).unfinished(),
      latest: async () => (await served()).latest(),
      changes: async (filter, page) => (await served()).changes(filter, page),
      content: async (version) => (await served()).content(version),
      prune: async (bounds) => (await served()).prune(bounds),
      close: closeOnce,
    },
    lock: {
      tryTake: async () => (await served()).tryTake(outer()),
      release: async () => {
        // Where nothing was begun, or all is closed, nothing is held.
        if (opening !== undefined && closing === undefined) await (await served()).release();
      },
      close: closeOnce,
    },
  };
}
