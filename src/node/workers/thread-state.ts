import { VaultError } from '../../base/vault-error.ts';
import type { DayTotals } from '../../engine/ports/day-totals.ts';
import type { Proposals } from '../../engine/ports/proposals.ts';
import type { Questions } from '../../engine/ports/questions.ts';
import type { CommitLock, StateStore, StoredChange } from '../../engine/ports/state-store.ts';
import { openThreadObject, proxyOf } from '../threads/open-thread.ts';
import type { StateWorkerData } from '../threads/worker-data.ts';
import { isHistoryLost, type ServedState } from './serve-state.ts';

interface ThreadStateOptions {
  readonly entryFile: string;
  readonly stateFile: string;
  readonly lockFile: string;
  /** The lock files of the vaults around this one; called each time the lock is wanted. */
  readonly outer: () => readonly string[];
  /** Opens the history and the lock; in a worker when absent. */
  readonly open?: (data: StateWorkerData) => Promise<ServedState>;
  /** Called before a history is opened, to create the folders of the files. */
  readonly prepare?: () => Promise<unknown>;
  /** Called when the file of the history was removed or replaced while it was in use. */
  readonly onHistoryLost?: () => void;
}

/**
 * The history of a vault, what waits for its owner, and the commit lock, in one worker that starts
 * with the first call (or in this thread, see `open`): a program that only reads notes never starts it. If the history cannot be opened,
 * or was removed or replaced, that call fails and the next call tries again. Closing the history or
 * the lock closes everything and releases the lock.
 */
export function openThreadState(options: ThreadStateOptions): {
  readonly state: StateStore;
  readonly lock: CommitLock;
  readonly questions: Questions;
  readonly proposals: Proposals;
  readonly dayTotals: DayTotals;
} {
  const worker = new StateWorker(options);
  const unfinished = new UnfinishedMemo();
  const ends = new ChangeEnds(async (call) => {
    unfinished.forget();
    return call(await worker.served());
  });
  /**
   * Calls the worker, for everything except `finish` and `release`, which wait in `ends` and are sent
   * first.
   */
  const ask = async <T>(call: (served: ServedState) => Promise<T>): Promise<T> => {
    ends.send();
    try {
      return await call(await worker.served());
    } catch (error) {
      if (isHistoryLost(error)) worker.historyLost();
      throw error;
    }
  };
  /** The same for calls that change what is unfinished. */
  const change = <T>(call: (served: ServedState) => Promise<T>): Promise<T> => {
    unfinished.forget();
    return ask(call);
  };
  const store = <T extends object>(name: 'questions' | 'proposals' | 'dayTotals'): T =>
    proxyOf<T>((method, args) => ask((served) => served.callStore(name, method, args)));
  const close = (): Promise<void> => {
    ends.send();
    return worker.close();
  };
  return {
    state: {
      begin: (...begun) => change((served) => served.begin(...begun)),
      mark: (id, contents) => change((served) => served.mark(id, contents)),
      unmark: (id) => change((served) => served.unmark(id)),
      finish: (id, kept) => ends.finish(id, kept),
      drop: (id) => change((served) => served.drop(id)),
      unfinished: async () => unfinished.take() ?? ask((served) => served.unfinished()),
      latest: () => ask((served) => served.latest()),
      changes: (filter, page) => ask((served) => served.changes(filter, page)),
      summaries: (filter, max) => ask((served) => served.summaries(filter, max)),
      destroyedFiles: (...of) => ask((served) => served.destroyedFiles(...of)),
      destroyingChanges: (...of) => ask((served) => served.destroyingChanges(...of)),
      content: (version) => ask((served) => served.content(version)),
      versionsFrom: (start, max) => ask((served) => served.versionsFrom(start, max)),
      wordKey: (reader) => ask((served) => served.wordKey(reader)),
      prune: (bounds) => ask((served) => served.prune(bounds)),
      close,
    },
    lock: {
      tryTake: async () => unfinished.set(await ask((served) => served.tryTake(options.outer()))),
      tryBegin: (...begun) => change((served) => served.tryBeginIn(options.outer(), ...begun)),
      release: async () => {
        // Before the worker is started, and after it is closed, no lock is held.
        if (worker.isInUse) await ends.release();
      },
      close,
    },
    questions: store<Questions>('questions'),
    proposals: store<Proposals>('proposals'),
    dayTotals: store<DayTotals>('dayTotals'),
  };
}

/** The worker that serves the history and the lock; started when it is first needed. */
class StateWorker {
  readonly #options: ThreadStateOptions;
  #opening: Promise<ServedState> | undefined;
  #closing: Promise<void> | undefined;
  #isLost = false;

  constructor(options: ThreadStateOptions) {
    this.#options = options;
  }

  get isInUse(): boolean {
    return this.#opening !== undefined && this.#closing === undefined;
  }

  async served(): Promise<ServedState> {
    if (this.#closing !== undefined) {
      throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    }
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
    this.#options.onHistoryLost?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(): Promise<ServedState> {
    const { entryFile, stateFile, lockFile, open, prepare } = this.#options;
    const workerData: StateWorkerData = { role: 'state', stateFile, lockFile };
    await prepare?.();
    return open?.(workerData) ?? openThreadObject<ServedState>({ entryFile, workerData });
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

/** A call that waits to be sent. `done` settles like the message that it is sent with. */
interface WaitingCall<Args extends unknown[] = []> {
  readonly args: Args;
  readonly done: Promise<void>;
  readonly settle: (outcome: Promise<void>) => void;
}

/**
 * Collects the calls that end a change. Finishing a change and releasing the lock follow each other
 * immediately, so both are sent as one message at the end of this turn of the event loop.
 */
class ChangeEnds {
  readonly #post: (call: (served: ServedState) => Promise<void>) => Promise<void>;
  #finish: WaitingCall<Parameters<StateStore['finish']>> | undefined;
  #release: WaitingCall | undefined;

  constructor(post: (call: (served: ServedState) => Promise<void>) => Promise<void>) {
    this.#post = post;
  }

  finish(...args: Parameters<StateStore['finish']>): Promise<void> {
    this.send(); // A message holds one finished change at most.
    this.#finish = this.#wait(args);
    return this.#finish.done;
  }

  release(): Promise<void> {
    this.#release ??= this.#wait([]);
    return this.#release.done;
  }

  /** Sends the waiting calls now. Calls of other methods must not overtake them. */
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
    finish?.settle(outcome);
    release?.settle(outcome);
  }

  #wait<Args extends unknown[]>(args: Args): WaitingCall<Args> {
    setImmediate(() => this.send());
    let settle: (outcome: Promise<void>) => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      settle = resolve;
    });
    return { args, done, settle };
  }
}
