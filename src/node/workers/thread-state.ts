import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Proposals } from '../../engine/ports/proposals.ts';
import type { Questions } from '../../engine/ports/questions.ts';
import type {
  ChangeId,
  CommitLock,
  StateStore,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import type { DayTotals } from '../../engine/ports/vault-state.ts';
import { death, type OpenThread, openThreadObject, proxyOf } from '../threads/open-thread.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import { ChangeEnds } from './change-ends.ts';
import { isHistoryLost, type ServedState } from './serve-state.ts';

const ignore = (): void => undefined;

/** The log of the history is copied into its file after this many changes; see `Checkpoints`. */
const checkpointEvery = 50;

interface ThreadStateOptions {
  readonly entryFile: string;
  readonly stateFile: string;
  readonly lockFile: string;
  /** The lock files of the vaults around this one; called each time the lock is wanted. */
  readonly outer: () => readonly string[];
  /** Opens the history and the lock; in a worker when absent. */
  readonly open?: (data: StateWorkerData) => Promise<ServedState>;
  /** Opens a light one in this thread, beside the worker: see `openServedState`. */
  readonly near?: (data: StateWorkerData) => Promise<ServedState>;
  /** Called before a history is opened, to create the folders of the files. */
  readonly prepare?: () => Promise<unknown>;
  /** Called when the file of the history was removed or replaced while it was in use. */
  readonly onHistoryLost?: () => void;
  /** How its thread is opened; one of its own when absent. */
  readonly openThread?: OpenThread;
}

/**
 * The history of a vault, what waits for its owner, and the commit lock, in one worker that starts
 * with the first call (or in this thread, see `open`): a program that only reads notes never starts it. If the history cannot be opened,
 * or was removed or replaced, that call fails and the next call tries again. Closing the history or
 * the lock closes everything and releases the lock.
 *
 * If the worker dies, the next call starts another one; but what has taken the lock or begun a change
 * in it fails until the lock is released, because the lock died with the worker.
 *
 * With `near`, there are two connections. The lock is held by the one in this thread, which also
 * records changes of one step with little content: the way to the worker and back would take longer.
 */
export function openThreadState(options: ThreadStateOptions): {
  readonly state: StateStore;
  readonly lock: CommitLock;
  readonly questions: Questions;
  readonly proposals: Proposals;
  readonly dayTotals: DayTotals;
} {
  const far = new StateWorker(options, options.open);
  const near = options.near === undefined ? far : new StateWorker(options, options.near);
  const unfinished = new UnfinishedMemo();
  const checkpoints = new Checkpoints(() => far.served());
  /** Changes that were begun in this thread and are not ended. */
  const begunHere = new Set<ChangeId>();
  const placeOf = (id: ChangeId): StateWorker => (begunHere.has(id) ? near : far);
  /** Whether the worker has begun a change under the lock that is held now. */
  let isBegunFar = false;
  const releaseAll = async (): Promise<void> => {
    const wasFar = isBegunFar && far !== near;
    isBegunFar = false;
    const isDead = near.isDead;
    near.isPinned = false;
    // The worker has no lock, but has to look again whether the file is still there. If it has died,
    // the lock is released all the same.
    if (wasFar)
      await far
        .served()
        .then((served) => served.release(), ignore)
        .catch(ignore);
    far.isPinned = false;
    if (!isDead) await (await near.served()).release();
  };
  const ends = new ChangeEnds(
    async (finished, isReleased) => {
      unfinished.forget();
      const [first] = finished;
      if (first === undefined) return releaseAll();
      // What was begun together, or one after the other under one lock, has one place.
      const place = placeOf(first[0]);
      for (const [id] of finished) begunHere.delete(id);
      if (!isReleased) return (await place.served()).finishAll(finished);
      if (place === near && (far === near || !isBegunFar)) {
        try {
          return await (await near.served()).finishAndRelease(finished);
        } finally {
          near.isPinned = false;
        }
      }
      try {
        await (await place.served()).finishAll(finished);
      } finally {
        await releaseAll();
      }
    },
    { isInOrder: near === far },
  );
  /**
   * Calls one of the connections, for everything except `finish` and `release`, which wait in `ends`
   * and are done first.
   */
  const ask = async <T>(
    call: (served: ServedState) => Promise<T>,
    place: StateWorker = far,
  ): Promise<T> => {
    const ended = ends.send();
    // One connection answers in order, and two do not.
    if (near !== far) await ended;
    try {
      return await call(await place.served());
    } catch (error) {
      if (isHistoryLost(error)) lost(place);
      throw error;
    }
  };
  const lost = (place: StateWorker): void => {
    place.historyLost();
    options.onHistoryLost?.();
    // The other connection has lost it, too. That is told once.
    const other = place === near ? far : near;
    if (other === place || !other.isInUse) return;
    const noticed = other.served().then((served) => served.latest());
    noticed.catch((error: unknown) => isHistoryLost(error) && other.historyLost());
  };
  /** The same for calls that change what is unfinished. */
  const change = <T>(
    call: (served: ServedState) => Promise<T>,
    place: StateWorker = far,
  ): Promise<T> => {
    unfinished.forget();
    return ask(call, place);
  };
  const begin: StateStore['begin'] = async (...begun) => {
    const [, how, contents] = begun;
    const bytes = contents.reduce((sum, content) => sum + content.bytes.length, 0);
    if (how !== 'single' || bytes > limits.nearContentBytesMax || near === far) {
      isBegunFar = true;
      far.isPinned = true;
      return change((served) => served.begin(...begun));
    }
    const id = await change((served) => served.begin(...begun), near);
    begunHere.add(id);
    checkpoints.count();
    return id;
  };
  const beginSingles: StateStore['beginSingles'] = async (changes) => {
    const contents = changes.flatMap((each) => each.contents);
    const bytes = contents.reduce((sum, content) => sum + content.bytes.length, 0);
    if (bytes > limits.groupContentBytesMax || near === far) {
      isBegunFar = true;
      far.isPinned = true;
      return change((served) => served.beginSingles(changes));
    }
    const ids = await change((served) => served.beginSingles(changes), near);
    for (const id of ids) {
      begunHere.add(id);
      checkpoints.count();
    }
    return ids;
  };
  const store = <T extends object>(name: 'questions' | 'proposals' | 'dayTotals'): T =>
    proxyOf<T>((method, args) =>
      ask(
        (served) => served.callStore(name, method, args),
        method === 'standing' ? near : far, // This is asked together with `destroyedFiles`.
      ),
    );
  const close = async (): Promise<void> => {
    await ends.send();
    // The lock is released last.
    await Promise.all([checkpoints.close(), far.close()]).finally(() => near.close());
  };
  return {
    state: {
      begin,
      beginSingles,
      mark: (id, contents) => change((served) => served.mark(id, contents)),
      unmark: (id) => change((served) => served.unmark(id)),
      finish: (id, kept) => ends.finish(id, kept),
      drop: async (id) => {
        await change((served) => served.drop(id), placeOf(id));
        begunHere.delete(id);
      },
      unfinished: async () => unfinished.take() ?? ask((served) => served.unfinished(), near),
      latest: () => ask((served) => served.latest(), near),
      changes: (filter, page) => ask((served) => served.changes(filter, page)),
      summaries: (filter, max) => ask((served) => served.summaries(filter, max)),
      // Asked before each change that replaces a whole text.
      destroyedFiles: (...of) => ask((served) => served.destroyedFiles(...of), near),
      destroyingChanges: (...of) => ask((served) => served.destroyingChanges(...of)),
      content: (version) => ask((served) => served.content(version)),
      versionsFrom: (start, max) => ask((served) => served.versionsFrom(start, max)),
      wordKey: (reader) => ask((served) => served.wordKey(reader)),
      prune: (bounds) => ask((served) => served.prune(bounds)),
      close,
    },
    lock: {
      tryTake: async () => {
        const taken = await ask((served) => served.tryTake(options.outer()), near);
        near.isPinned = taken !== undefined;
        return unfinished.set(taken);
      },
      release: async () => {
        // Before a history is opened, and after it is closed, no lock is held.
        if (near.isInUse) await ends.release();
      },
      close,
    },
    questions: store<Questions>('questions'),
    proposals: store<Proposals>('proposals'),
    dayTotals: store<DayTotals>('dayTotals'),
  };
}

/**
 * Has the worker copy the log of the history into its file, after so many changes that were recorded
 * in this thread. It holds up to about twenty pages of each.
 */
class Checkpoints {
  readonly #far: () => Promise<ServedState>;
  #changes = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(far: () => Promise<ServedState>) {
    this.#far = far;
  }

  count(): void {
    this.#changes++;
    if (this.#changes % checkpointEvery !== 0) return;
    this.#running = this.#far().then((served) => served.checkpoint());
    this.#running.catch(() => undefined); // The next one copies it all.
  }

  /** Waits for the one that is running. */
  close(): Promise<unknown> {
    return this.#running.catch(() => undefined);
  }
}

/** One connection to history and lock, in a worker or in this thread; opened when first needed. */
class StateWorker {
  readonly #options: ThreadStateOptions;
  readonly #inPlace: ThreadStateOptions['open'];
  #opening: Promise<ServedState> | undefined;
  #closing: Promise<void> | undefined;
  #isLost = false;
  #isDead = false;
  /** Whether the lock is held, or a change was begun here: that does not go on in another worker. */
  isPinned = false;

  /** `inPlace` opens it in this thread. */
  constructor(options: ThreadStateOptions, inPlace: ThreadStateOptions['open']) {
    this.#options = options;
    this.#inPlace = inPlace;
  }

  get isInUse(): boolean {
    return this.#opening !== undefined && this.#closing === undefined;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async served(): Promise<ServedState> {
    if (this.#closing !== undefined) {
      throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    }
    if (this.#isDead && this.isPinned) throw death('');
    if (this.#isDead) [this.#opening, this.#isDead] = [undefined, false];
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined; // The next call tries again.
      throw error;
    }
    if (this.#isLost) {
      await this.#options.prepare?.();
      this.#isLost = false;
    }
    return opening;
  }

  /** To be called when the history was removed or replaced: the next call opens another one. */
  historyLost(): void {
    this.#isLost = true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(): Promise<ServedState> {
    const { entryFile, stateFile, lockFile, prepare } = this.#options;
    const workerData: StateWorkerData = { role: 'state', stateFile, lockFile };
    await prepare?.();
    if (this.#inPlace !== undefined) return this.#inPlace(workerData);
    const onDeath = (): void => {
      this.#isDead = true;
    };
    const { openThread } = this.#options;
    return openThreadObject<ServedState>({ entryFile, workerData, onDeath }, openThread);
  }

  async #close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
  }
}

/**
 * What was unfinished when the lock was taken. The worker answers that together with the lock, since
 * the caller asks for it next; keeping it here saves a second message. Every other change makes it
 * outdated.
 */
class UnfinishedMemo {
  #changes: readonly StoredChange[] | undefined;

  /** Keeps the answer of `tryTake`; returns whether the lock was taken. */
  set(changes: readonly StoredChange[] | undefined): boolean {
    this.#changes = changes;
    return changes !== undefined;
  }

  /** The changes, the first time after the lock was taken; undefined otherwise. */
  take(): readonly StoredChange[] | undefined {
    const changes = this.#changes;
    this.#changes = undefined;
    return changes;
  }

  forget(): void {
    this.#changes = undefined;
  }
}
