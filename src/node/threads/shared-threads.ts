import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { VaultError } from '../../base/vault-error.ts';
import { death, linkThread, type OpenThread, onWorkerDeath, startWorker } from './open-thread.ts';
import type { SharedWorkerData, WorkerData } from './worker-data.ts';

/** After this time, a worker that was prepared and is not used is ended. */
const unusedMs = 10_000;
/** How long is waited until a worker has ended. */
const endMs = 2_000;

/** What a worker that vaults share is sent: an object to serve on a port, or that it should end. */
export type ToSharedWorker = { readonly data: WorkerData; readonly port: MessagePort } | 'end';

/**
 * The threads that the vaults of a process share: one for each role, and a second one for long work
 * (`isLong`), which would hold up the calls of other vaults. Each is started when it is first needed
 * and ended when nobody needs it any more. Objects in one worker do not wait for each other's answers,
 * but a call that blocks the worker delays all of them, so nothing that may hang belongs here (a
 * network drive). When a worker dies, all its objects are dead, and the next that is opened gets a
 * new worker.
 */
export class SharedThreads {
  /** By role, those for long work apart. */
  readonly #workers = new Map<string, SharedWorker>();
  readonly #endMs: number;

  constructor(options: { readonly endMs?: number } = {}) {
    this.#endMs = options.endMs ?? endMs;
  }

  /** As `openThread`. `workerData` must be one of ours. */
  readonly open: OpenThread = (options) => {
    const data = options.workerData as WorkerData;
    const key = options.isLong === true ? `long ${data.role}` : data.role;
    const shared = this.#workers.get(key) ?? this.#start(key, data.role, options.entryFile);
    const { port1, port2 } = new MessageChannel();
    shared.post({ data, port: port2 }, [port2]);
    const user: User = { died: () => {}, isHeld: true };
    shared.hold(1);
    shared.users.add(user);
    const hold = (isHeld: boolean): void => {
      if (user.isHeld === isHeld) return;
      user.isHeld = isHeld;
      if (isHeld) port1.ref();
      else port1.unref();
      shared.hold(isHeld ? 1 : -1);
    };
    const leave = async (): Promise<void> => {
      if (!shared.users.delete(user)) return;
      port1.close();
      if (shared.users.size > 0) return;
      this.#retire(key, shared);
      await shared.end(this.#endMs);
    };
    return linkThread(options, {
      port: port1,
      hold: () => hold(true),
      letGo: () => hold(false),
      onDeath: (listener) => {
        user.died = listener;
        port1.on('close', () => {
          if (!shared.users.has(user)) return; // We have closed it.
          // The worker has died, which is told later, or it can no longer serve this object. In either
          // case whoever opens it again needs another worker.
          this.#retire(key, shared);
          listener(death(''));
          void leave();
        });
      },
      end: leave,
    });
  };

  /**
   * Starts the workers of these roles, which will soon be needed, so that they load their code while this
   * thread loads its own. One that is not needed after a while is ended.
   */
  prepare(roles: readonly WorkerData['role'][], entryFile: string): void {
    for (const role of roles) {
      if (this.#workers.has(role)) continue;
      const shared = this.#start(role, role, entryFile);
      const endUnlessUsed = (): void => {
        if (shared.users.size > 0 || this.#workers.get(role) !== shared) return;
        this.#retire(role, shared);
        void shared.end(this.#endMs);
      };
      setTimeout(endUnlessUsed, unusedMs).unref();
    }
  }

  /** Opens nothing more in a worker. */
  #retire(key: string, shared: SharedWorker): void {
    if (this.#workers.get(key) === shared) this.#workers.delete(key);
  }

  #start(key: string, role: WorkerData['role'], entryFile: string): SharedWorker {
    const workerData: SharedWorkerData = { role, shared: true };
    const worker = startWorker({ entryFile, workerData });
    const shared = new SharedWorker(worker, () => this.#retire(key, shared));
    this.#workers.set(key, shared);
    return shared;
  }
}

/** An object in a shared worker, as this thread sees it. */
interface User {
  died: (reason: VaultError) => void;
  /** Whether a call waits for its answer. */
  isHeld: boolean;
}

/** A worker that serves one object for each vault. */
class SharedWorker {
  readonly users = new Set<User>();
  readonly #worker: Worker;
  /** How many of the users wait for an answer. */
  #held = 0;
  /** Resolves when the worker has ended. */
  readonly #ended: Promise<void>;

  constructor(worker: Worker, onDeath: () => void) {
    this.#worker = worker;
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    onWorkerDeath(worker, (cause) => {
      onDeath();
      // The reason may name files of another vault, whose callers are not these.
      for (const user of Array.from(this.users)) user.died(death('', cause));
    });
    worker.unref();
  }

  post(message: ToSharedWorker, ports: readonly MessagePort[] = []): void {
    this.#worker.postMessage(message, ports);
  }

  /** While a call waits, the worker's death must be heard: its port alone would end silently. */
  hold(change: 1 | -1): void {
    this.#held += change;
    if (this.#held > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  /**
   * Has the worker end between two pieces of work, and waits for that, but not for long. It is never
   * terminated: the native library of SQLite ends the whole process if a thread is terminated in the
   * middle of one of its calls.
   */
  async end(waitMs: number): Promise<void> {
    this.#worker.ref();
    this.post('end');
    const late = new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
    await Promise.race([this.#ended, late]);
    this.#worker.unref();
  }
}
