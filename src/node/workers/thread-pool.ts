import { Semaphore } from '../../base/semaphore.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { WorkerData } from '../threads/worker-data.ts';

interface ThreadPoolOptions {
  /** The bundled program: the workers run the same file. */
  readonly entryFile: string;
  readonly workerData: WorkerData;
  /** How many workers are at work in parallel; others wait. */
  readonly max: number;
  /** How long an idle worker is kept. */
  readonly idleMs: number;
  readonly timers: Timers;
}

/**
 * Workers for work that cannot be stopped, one piece in each: a worker is terminated when its work
 * is no longer wanted, and the next work gets a new one. Workers start when they are needed and end
 * when they have been idle for a while.
 */
export class ThreadPool<T extends object> {
  readonly #options: ThreadPoolOptions;
  readonly #turns: Semaphore;
  readonly #working = new Set<Thread<T>>();
  /** The idle workers, each with a function that stops the timer that would end it. */
  readonly #idle = new Map<Thread<T>, () => void>();
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#turns = new Semaphore(options.max);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Does the work in a worker as soon as one is free. Fails with its reason when `over` is aborted,
   * and then ends the worker.
   */
  async run<R>(over: AbortSignal, work: (remote: T) => Promise<R>): Promise<R> {
    if (over.aborted) throw abortReason(over);
    try {
      return await this.#turns.run(() => this.#inThread(over, work), over);
    } catch (error) {
      throw over.aborted ? abortReason(over) : error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = [...this.#working, ...this.#idle.keys()];
    for (const stopWaiting of this.#idle.values()) stopWaiting();
    this.#idle.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  async #inThread<R>(over: AbortSignal, work: (remote: T) => Promise<R>): Promise<R> {
    const thread = this.#open();
    const end = (): void => void thread.close();
    over.addEventListener('abort', end, { once: true });
    try {
      const result = await work(thread.remote);
      this.#working.delete(thread);
      if (!over.aborted) this.#keep(thread);
      return result;
    } catch (error) {
      this.#working.delete(thread);
      // A refusal is an answer like any other; anything else may mean that the worker is broken.
      const isRefusal = error instanceof VaultError && error.code !== 'internal';
      if (isRefusal && !over.aborted && !this.#isClosed) this.#keep(thread);
      else await thread.close();
      throw error;
    } finally {
      over.removeEventListener('abort', end);
    }
  }

  /** An idle worker, or a new one. */
  #open(): Thread<T> {
    if (this.#isClosed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    const [idle] = this.#idle;
    if (idle !== undefined) {
      idle[1]();
      this.#idle.delete(idle[0]);
    }
    const { entryFile, workerData } = this.#options;
    const thread = idle?.[0] ?? openThread<T>({ entryFile, workerData });
    this.#working.add(thread);
    return thread;
  }

  /** Keeps a worker for the next work, and ends it when it was idle for too long. */
  #keep(thread: Thread<T>): void {
    const { timers, idleMs } = this.#options;
    const stop = timers.after(idleMs, () => {
      this.#idle.delete(thread);
      void thread.close();
    });
    this.#idle.set(thread, stop);
  }
}
