import { statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { assert } from '../../base/assert.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { StateStore, StoredChange } from '../../engine/ports/state-store.ts';
import type { FinishedChange, GivenNumbers, VaultState } from '../../engine/ports/vault-state.ts';
import { identityOf } from '../place/vault-mount.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import type { WorkerParts } from './run-worker.ts';

/**
 * The object that the state worker serves: the history, what waits for the owner, and the commit
 * lock. `close` closes all.
 */
export interface ServedState extends StateStore {
  /**
   * Takes the lock, together with the lock files of the vaults around this one. Returns the
   * unfinished changes, which the caller needs next; undefined if the lock is not free.
   */
  tryTake(outer: readonly string[]): Promise<readonly StoredChange[] | undefined>;
  release(): Promise<void>;
  /** Finishes changes, all of them or none. */
  finishAll(finished: readonly FinishedChange[]): Promise<void>;
  /** Finishes changes and releases the lock, also if finishing fails. Saves one message. */
  finishAndRelease(finished: readonly FinishedChange[]): Promise<void>;
  checkpoint(): Promise<void>;
  /** Calls a method of one of the stores beside the history. */
  callStore(
    store: 'questions' | 'proposals' | 'dayTotals',
    method: string,
    args: readonly unknown[],
  ): Promise<unknown>;
}

/**
 * Opens the history and the lock in a worker. Fails as opening the history fails. If the file of the
 * history is removed or replaced later, the next call fails with `historyLost`, and the one after it
 * opens the file that is there then. Not while the lock is held, or between `begin` and `release`: a
 * change ends where it has begun.
 *
 * A `light` one is for the main thread: nothing in it waits for the disk or for other connections, but
 * the flushes when the log begins anew. It makes small changes; `checkpoint` is for another one.
 */
export async function openServedState(
  { stateFile, lockFile }: StateWorkerData,
  parts: WorkerParts,
  { light = false }: { readonly light?: boolean } = {},
): Promise<ServedState> {
  let outerFiles: readonly string[] = [];
  let isHeld = false;
  /** The numbers of what was in a history that was lost: no number means two things. */
  let lost: GivenNumbers = {};
  const fileNow = (): string | undefined => {
    try {
      return identityOf(statSync(stateFile, { bigint: true }));
    } catch {
      return undefined;
    }
  };
  const opened = async (): Promise<OpenState> => {
    const state = await parts.openState({ file: stateFile, after: lost, light });
    try {
      return { state, file: fileNow(), ...(light ? { log: await openLog(stateFile) } : {}) };
    } catch (error) {
      await state.close().catch(() => undefined);
      throw error;
    }
  };
  let open: OpenState | undefined = await opened();
  let opening: Promise<OpenState> | undefined;
  const openNow = async (): Promise<OpenState> => {
    if (open !== undefined && (isHeld || open.file === fileNow())) return open;
    if (open !== undefined) {
      const { state, log } = open;
      open = undefined;
      // These are not lower than those of a history that was lost before: see `opened`.
      lost = await state.numbers().catch(() => lost);
      await log?.close();
      await state.close().catch(() => undefined);
      throw historyLost();
    }
    opening ??= opened().finally(() => {
      opening = undefined;
    });
    open = await opening;
    return open;
  };
  const ask = async <T>(call: (state: VaultState) => Promise<T>): Promise<T> => {
    const { state } = await openNow();
    return parts.whileBusy(busyMaxMs, () => call(state));
  };
  /** The same for a call that is durable when it returns. Until `release`, the file stays the same. */
  const begin = async <T>(call: (state: VaultState) => Promise<T>): Promise<T> => {
    const { state, log } = await openNow();
    isHeld = true;
    const begun = await parts.whileBusy(busyMaxMs, () => call(state));
    await log?.flush();
    return begun;
  };
  const lock = await parts.openLock({ file: lockFile, outer: () => outerFiles });
  const release = (): Promise<void> => {
    isHeld = false;
    return lock.release();
  };
  const finishAll: ServedState['finishAll'] = (finished) =>
    ask((state) => state.finishAll(finished));
  const served: ServedState = {
    begin: (...begun) => begin((state) => state.begin(...begun)),
    beginSingles: (changes) => begin((state) => state.beginSingles(changes)),
    mark: (id, contents) => ask((state) => state.mark(id, contents)),
    unmark: (id) => ask((state) => state.unmark(id)),
    finish: (id, kept) => finishAll([[id, kept]]),
    finishAll,
    drop: (id) => ask((state) => state.drop(id)),
    unfinished: () => ask((state) => state.unfinished()),
    latest: () => ask((state) => state.latest()),
    changes: (filter, page) => ask((state) => state.changes(filter, page)),
    summaries: (filter, max) => ask((state) => state.summaries(filter, max)),
    destroyedFiles: (...of) => ask((state) => state.destroyedFiles(...of)),
    destroyingChanges: (...of) => ask((state) => state.destroyingChanges(...of)),
    content: (version) => ask((state) => state.content(version)),
    versionsFrom: (start, max) => ask((state) => state.versionsFrom(start, max)),
    wordKey: (reader) => ask((state) => state.wordKey(reader)),
    prune: (bounds) => ask((state) => state.prune(bounds)),
    tryTake: async (outer) => {
      outerFiles = outer;
      const { state } = await openNow();
      if (!(await lock.tryTake())) return undefined;
      isHeld = true;
      try {
        return await parts.whileBusy(busyMaxMs, () => state.unfinished());
      } catch (error) {
        await release();
        throw error;
      }
    },
    release,
    finishAndRelease: async (finished) => {
      try {
        await finishAll(finished);
      } finally {
        await release();
      }
    },
    checkpoint: () => ask((state) => state.checkpoint()),
    callStore: (store, method, args) =>
      ask((state) => {
        const object = state[store];
        const call: unknown = Reflect.get(object, method);
        assert(typeof call === 'function', 'the stores have the methods of their ports');
        return Reflect.apply(call, object, args) as Promise<unknown>;
      }),
    close: async () => {
      try {
        await open?.log?.close();
        await open?.state.close();
      } finally {
        await lock.close();
      }
    },
  };
  return light ? served : inTurns(served);
}

/** Makes the calls of an object one after the other: one that waits is not overtaken by the next. */
function inTurns(served: ServedState): ServedState {
  const turns = new Semaphore(1);
  const calls = Object.entries(served).map(([name, call]: [string, Call]) => {
    return [name, (...args: unknown[]) => turns.run(() => call(...args))] as const;
  });
  return Object.fromEntries(calls) as unknown as ServedState;
}

type Call = (...args: unknown[]) => Promise<unknown>;

interface OpenState {
  readonly state: VaultState;
  /** Which file was opened; undefined when it was gone at once. */
  readonly file: string | undefined;
  /** The log of a light state, which is flushed here. */
  readonly log?: LogFile;
}

/** The write-ahead log of an open history. */
interface LogFile {
  /** Waits until all that was written to the log survives a power cut. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log, whose name is then durable too. Fails where SQLite keeps no log. */
async function openLog(stateFile: string): Promise<LogFile> {
  const folder = await openFile(dirname(stateFile), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  // SQLite takes no locks on the log, so closing this handle cannot release one of its locks.
  const log = await openFile(`${stateFile}-wal`, 'r');
  let failure: VaultError | undefined;
  const flush = async (): Promise<void> => {
    // After a failure the system may say that all is well, although what was lost stays lost.
    if (failure !== undefined) throw failure;
    await log.datasync().catch((cause: unknown) => {
      // The record is there and may not survive a power cut. The next change finds it unfinished.
      const message = `The history could not be written; check "${stateFile}" and its disk, then start Vaultdoor again.`;
      failure = new VaultError('io_failed', message, { cause });
      throw failure;
    });
  };
  return { flush, close: () => log.close() };
}

/** For how long a call is repeated while another connection is writing to the history. */
const busyMaxMs = 5_000;

function historyLost(): VaultError {
  return new VaultError(
    'unavailable',
    "The file with this vault's history was removed or replaced while Vaultdoor was running, so this call did nothing. To keep the earlier changes, put the state folder of Vaultdoor back. If the call is repeated, it uses the history that is there, or begins a new one; changes that are not in it cannot be undone.",
    { details: { historyLost: true } },
  );
}

/** Whether an error says that the history was removed or replaced. */
export function isHistoryLost(error: unknown): boolean {
  return error instanceof VaultError && error.details['historyLost'] === true;
}
