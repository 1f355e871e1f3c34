import { VaultError } from '../../base/vault-error.ts';
import type { CommitLock, StateStore, StoredChange } from '../../engine/ports/state-store.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import type { ServedState } from './serve-state.ts';

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

  const endings = new Endings(async (call) => {
    unfinished = undefined;
    return call(await served());
  });

  /** For all calls but those that end a change, which come after what was ended before. */
  const next = (): Promise<ServedState> => {
    endings.send();
    return served();
  };

  const changing = (): Promise<ServedState> => {
    unfinished = undefined;
    return next();
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
    endings.send();
    closing ??= close();
    return closing;
  };

  return {
    state: {
      begin: async (change, how, contents) => (await changing()).begin(change, how, contents),
      mark: async (id, contents) => (await changing()).mark(id, contents),
      unmark: async (id) => (await changing()).unmark(id),
      finish: (id, kept) => endings.finish(id, kept),
      drop: async (id) => (await changing()).drop(id),
      unfinished: async () => {
        const known = unfinished;
        unfinished = undefined;
        return known ?? (await next()).unfinished();
      },
      latest: async () => (await next()).latest(),
      changes: async (filter, page) => (await next()).changes(filter, page),
      content: async (version) => (await next()).content(version),
      prune: async (bounds) => (await next()).prune(bounds),
      close: closeOnce,
    },
    lock: {
      tryTake: async () => {
        unfinished = await (await next()).tryTake(outer());
        return unfinished !== undefined;
      },
      release: async () => {
        // Where nothing was begun, or all is closed, nothing is held.
        if (opening !== undefined && closing === undefined) await endings.release();
      },
      close: closeOnce,
    },
  };
}

/** Something that waits to be sent, and whoever is told how it went. */
interface Ending<Args extends unknown[] = []> {
  readonly args: Args;
  readonly told: Promise<void>;
  readonly tell: (outcome: Promise<void>) => void;
}

/**
 * The ends of changes, on their way to the worker. A finished change and the release of the lock
 * follow each other at once, and nobody waits for them where the answer does not: they go as one
 * message, after whatever else is done in this turn of the event loop.
 */
class Endings {
  readonly #post: (call: (served: ServedState) => Promise<void>) => Promise<void>;
  #finish: Ending<Parameters<StateStore['finish']>> | undefined;
  #release: Ending | undefined;

  constructor(post: (call: (served: ServedState) => Promise<void>) => Promise<void>) {
    this.#post = post;
  }

  finish(...args: Parameters<StateStore['finish']>): Promise<void> {
    this.send(); // One at a time.
    this.#finish = this.#ending(args);
    return this.#finish.told;
  }

  release(): Promise<void> {
    this.#release ??= this.#ending([]);
    return this.#release.told;
  }

  /** Sends what waits, now. */
  send(): void {
    const [finish, release] = [this.#finish, this.#release];
    this.#finish = undefined;
    this.#release = undefined;
    if (finish === undefined && release === undefined) return;
    const outcome = this.#post((served) => {
      if (finish === undefined) return served.release();
      return release === undefined
        ? served.finish(...finish.args)
        : served.finishAndRelease(...finish.args);
    });
    finish?.tell(outcome);
    release?.tell(outcome);
  }

  #ending<Args extends unknown[]>(args: Args): Ending<Args> {
    setImmediate(() => this.send());
    let tell: (outcome: Promise<void>) => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    return { args, told, tell };
  }
}
