import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { assert } from '../../base/assert.ts';
import { VaultError } from '../../base/vault-error.ts';
import type {
  BegunChange,
  ChangeId,
  CommitLock,
  StateStore,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import type { ChangeToBegin, GivenNumbers, VaultState } from '../../engine/ports/vault-state.ts';
import { identityOf } from '../place/vault-mount.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import type { WorkerParts } from './run-worker.ts';

type BeginArguments = Parameters<CommitLock['tryBegin']>;

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
  /** See `CommitLock`; `outer` as in `tryTake`. */
  tryBeginIn(outer: readonly string[], ...begun: BeginArguments): Promise<BegunChange>;
  release(): Promise<void>;
  /** Finishes a change and releases the lock, also if finishing fails. Saves one message. */
  finishAndRelease(...finished: Parameters<StateStore['finish']>): Promise<void>;
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
 * opens the file that is there then. Not while the lock is held: a change ends where it has begun.
 */
export async function openServedState(
  { stateFile, lockFile }: StateWorkerData,
  parts: WorkerParts,
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
    const state = await parts.openState({ file: stateFile, after: lost });
    return { state, file: fileNow() };
  };
  let open: OpenState | undefined = await opened();
  let opening: Promise<OpenState> | undefined;
  const history = async (): Promise<VaultState> => {
    if (open !== undefined && (isHeld || open.file === fileNow())) return open.state;
    if (open !== undefined) {
      const { state } = open;
      open = undefined;
      // These are not lower than those of a history that was lost before: see `opened`.
      lost = await state.numbers().catch(() => lost);
      await state.close().catch(() => undefined);
      throw historyLost();
    }
    opening ??= opened().finally(() => {
      opening = undefined;
    });
    open = await opening;
    return open.state;
  };
  const lock = await parts.openLock({ file: lockFile, outer: () => outerFiles });
  const release = (): Promise<void> => {
    isHeld = false;
    return lock.release();
  };
  const begins = new GroupedBegins(async (changes) => {
    const state = await history();
    if (!isHeld) {
      if (!(await lock.tryTake())) return changes.map(() => ({ refusal: 'locked' }));
      isHeld = true;
      if ((await state.unfinished()).length > 0) {
        await release();
        return changes.map(() => ({ refusal: 'unfinished' }));
      }
    }
    const latest = await state.latest();
    const isStale = ({ after = latest }: BeginRequest): boolean => after !== latest;
    const ids = await state.beginAll(changes.filter((change) => !isStale(change)));
    const given = ids.values();
    return changes.map((change) =>
      isStale(change) ? { refusal: 'stale' } : { id: given.next().value ?? 0, latest },
    );
  });
  return {
    tryBeginIn: (outer, change, contents, after) => {
      outerFiles = outer;
      return begins.add({ change, contents, ...(after === undefined ? {} : { after }) });
    },
    begin: async (change, how, contents) => (await history()).begin(change, how, contents),
    mark: async (id, contents) => (await history()).mark(id, contents),
    unmark: async (id) => (await history()).unmark(id),
    finish: async (id, kept) => (await history()).finish(id, kept),
    drop: async (id) => (await history()).drop(id),
    unfinished: async () => (await history()).unfinished(),
    latest: async () => (await history()).latest(),
    changes: async (filter, page) => (await history()).changes(filter, page),
    summaries: async (filter, max) => (await history()).summaries(filter, max),
    destroyedFiles: async (...of) => (await history()).destroyedFiles(...of),
    destroyingChanges: async (...of) => (await history()).destroyingChanges(...of),
    content: async (version) => (await history()).content(version),
    versionsFrom: async (start, max) => (await history()).versionsFrom(start, max),
    wordKey: async (reader) => (await history()).wordKey(reader),
    prune: async (bounds) => (await history()).prune(bounds),
    tryTake: async (outer) => {
      outerFiles = outer;
      const state = await history();
      if (!(await lock.tryTake())) return undefined;
      isHeld = true;
      try {
        return await state.unfinished();
      } catch (error) {
        await release();
        throw error;
      }
    },
    release,
    finishAndRelease: async (id, kept) => {
      try {
        await (await history()).finish(id, kept);
      } finally {
        await release();
      }
    },
    callStore: async (store, method, args) => {
      const object = (await history())[store];
      const call: unknown = Reflect.get(object, method);
      assert(typeof call === 'function', 'the stores have the methods of their ports');
      return Reflect.apply(call, object, args);
    },
    close: async () => {
      try {
        await open?.state.close();
      } finally {
        await lock.close();
      }
    },
  };
}

/** The arguments of `CommitLock.tryBegin`. */
interface BeginRequest extends ChangeToBegin {
  readonly after?: ChangeId;
}

/**
 * Collects the changes whose messages have arrived, so that they are begun in one transaction, which
 * is flushed once.
 */
class GroupedBegins {
  readonly #begin: (changes: readonly BeginRequest[]) => Promise<readonly BegunChange[]>;
  #waiting: BeginRequest[] = [];
  #begun: Promise<readonly BegunChange[]> | undefined;

  constructor(begin: (changes: readonly BeginRequest[]) => Promise<readonly BegunChange[]>) {
    this.#begin = begin;
  }

  async add(change: BeginRequest): Promise<BegunChange> {
    const at = this.#waiting.push(change) - 1;
    this.#begun ??= this.#beginSoon();
    const begun = (await this.#begun)[at];
    assert(begun !== undefined, 'every change of a group is answered');
    return begun;
  }

  async #beginSoon(): Promise<readonly BegunChange[]> {
    await setImmediate(); // By then the messages that have arrived are read.
    const changes = this.#waiting;
    this.#waiting = [];
    this.#begun = undefined;
    return this.#begin(changes);
  }
}

interface OpenState {
  readonly state: VaultState;
  /** Which file was opened; undefined when it was gone at once. */
  readonly file: string | undefined;
}

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
