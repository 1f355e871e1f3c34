import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { VaultError } from '../../base/vault-error.ts';
import { linkThread, type OpenThread, onWorkerDeath, startWorker } from './open-thread.ts';
import type { SharedWorkerData, WorkerData } from './worker-data.ts';

/** How long a worker may take to end by itself. */
const endMsMax = 2_000;

/** What a worker that vaults share is sent: an object to serve on a port, or that it should end. */
export type ToSharedWorker = { readonly data: WorkerData; readonly port: MessagePort } | 'end';

/** A worker that serves one object for each vault. */
interface SharedWorker {
  readonly worker: Worker;
  users: number;
  /** Each is called when the worker has died. */
  readonly deaths: Set<(reason: VaultError) => void>;
}

/**
 * The threads that the vaults of a process share: one for each role, started when it is first needed
 * and ended when nobody needs it any more. Objects in one worker do not wait for each other's answers,
 * but a call that blocks the worker delays all of them, so nothing that may hang belongs here (a
 * network drive). When a worker dies, all its objects are dead, and the next that is opened gets a
 * new worker.
 */
export class SharedThreads {
  readonly #workers = new Map<WorkerData['role'], SharedWorker>();

  /** As `openThread`. `workerData` must be one of ours. */
  readonly open: OpenThread = (options) => {
    const data = options.workerData as WorkerData;
    const shared = this.#workers.get(data.role) ?? this.#start(data.role, options.entryFile);
    const { port1, port2 } = new MessageChannel();
    shared.worker.postMessage({ data, port: port2 } satisfies ToSharedWorker, [port2]);
    shared.users += 1;
    let died: ((reason: VaultError) => void) | undefined;
    return linkThread(options, {
      port: port1,
      onDeath: (listener) => {
        died = listener;
        shared.deaths.add(listener);
      },
      end: async () => {
        if (died === undefined) return;
        shared.deaths.delete(died);
        died = undefined;
        port1.close();
        shared.users -= 1;
        if (shared.users === 0) await this.#end(data.role, shared);
      },
    });
  };

  #start(role: WorkerData['role'], entryFile: string): SharedWorker {
    const workerData: SharedWorkerData = { role, shared: true };
    const worker = startWorker({ entryFile, workerData });
    worker.unref();
    const shared: SharedWorker = { worker, users: 0, deaths: new Set() };
    onWorkerDeath(worker, (reason) => {
      if (this.#workers.get(role) === shared) this.#workers.delete(role);
      for (const died of Array.from(shared.deaths)) died(reason);
    });
    this.#workers.set(role, shared);
    return shared;
  }

  async #end(role: WorkerData['role'], shared: SharedWorker): Promise<void> {
    if (this.#workers.get(role) === shared) this.#workers.delete(role);
    const { worker } = shared;
    worker.ref();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const late = new Promise<void>((resolve) => setTimeout(resolve, endMsMax).unref());
    // It ends by itself, between two pieces of work: the native library of SQLite ends the whole
    // process if a thread is terminated in the middle of one of its calls.
    worker.postMessage('end');
    await Promise.race([ended, late]);
    await worker.terminate();
  }
}
