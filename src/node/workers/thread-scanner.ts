import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Scanner, Timers } from '../../engine/ports/ports.ts';
import type { FileMatcher } from '../scan/match-files.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { type OpenThread, openThread, type Thread } from '../threads/open-thread.ts';
import type { ScanWorkerData } from '../threads/worker-data.ts';

/** How many paths are sent at a time, since the worker keeps all of them in memory until it is done. */
const pathsPerCall = 16_000;

/** So few files are read at once, also while others are waited for. */
const fewPaths = 64;

/** The calls to the scan worker. It also finds the lines to show for a hit, since it reads files. */
export type ThreadScanner = Scanner & Pick<FileMatcher, 'reasons'>;

interface ThreadScannerOptions {
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly when?: 'now' | 'called';
  /** How its thread is opened; one of its own when absent. */
  readonly openThread?: OpenThread;
  readonly timers?: Timers;
  /** Whether other vaults share the thread: then long work is done in another one. */
  readonly hasOthers?: boolean;
}

/**
 * A scanner in a worker: walks, reads and parses without blocking the main thread. The worker starts
 * at once or, with `when: 'called'`, at the first call, for programs that may never need it. It ends
 * when it has had nothing to do for a while, and starts again with the next call.
 */
export function openThreadScanner(options: ThreadScannerOptions): ThreadScanner {
  const scanner = new RestingScanner(options, options.hasOthers === true);
  if (options.hasOthers !== true) return scanner;
  const short = new RestingScanner({ ...options, when: 'called' }, false);
  return {
    walk: (...args) => scanner.walk(...args),
    scan: (...args) => (args[0].length > fewPaths ? scanner : short).scan(...args),
    naming: (...args) => scanner.naming(...args),
    mentioning: (...args) => scanner.mentioning(...args),
    titled: (...args) => scanner.titled(...args),
    hurry: async () => void (await Promise.all([scanner.hurry(), short.hurry()])),
    reasons: (...args) => short.reasons(...args),
    close: async () => void (await Promise.all([scanner.close(), short.close()])),
  };
}

class RestingScanner implements ThreadScanner {
  readonly #options: ThreadScannerOptions;
  readonly #isLong: boolean;
  #thread: Thread<ThreadScanner> | undefined;
  #calls = 0;
  #stopIdling = (): void => {};
  #isClosed = false;

  constructor(options: ThreadScannerOptions, isLong: boolean) {
    this.#options = options;
    this.#isLong = isLong;
    if (options.when !== 'called') this.#open();
  }

  walk(...args: Parameters<Scanner['walk']>): ReturnType<Scanner['walk']> {
    return this.#call((remote) => remote.walk(...args));
  }

  async scan(...[paths, want, onBatch]: Parameters<Scanner['scan']>): Promise<void> {
    await this.#call(async (remote) => {
      for (let at = 0; at < paths.length; at += pathsPerCall) {
        await remote.scan(paths.slice(at, at + pathsPerCall), want, onBatch);
      }
    });
  }

  naming(...args: Parameters<Scanner['naming']>): ReturnType<Scanner['naming']> {
    return this.#call((remote) => remote.naming(...args));
  }

  mentioning(...args: Parameters<Scanner['mentioning']>): ReturnType<Scanner['mentioning']> {
    return this.#call((remote) => remote.mentioning(...args));
  }

  titled(...args: Parameters<Scanner['titled']>): ReturnType<Scanner['titled']> {
    return this.#call((remote) => remote.titled(...args));
  }

  /** A thread that has not been started, or has ended, has nothing to hurry. */
  async hurry(): Promise<void> {
    await this.#thread?.remote.hurry();
  }

  reasons(...args: Parameters<FileMatcher['reasons']>): ReturnType<FileMatcher['reasons']> {
    return this.#call((remote) => remote.reasons(...args));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopIdling();
    await this.#thread?.close();
  }

  async #call<T>(work: (remote: ThreadScanner) => Promise<T>): Promise<T> {
    const { remote } = this.#open();
    this.#stopIdling();
    this.#calls += 1;
    try {
      return await work(remote);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0 && !this.#isClosed) {
        const { timers = nodeTimers } = this.#options;
        this.#stopIdling = timers.after(limits.scanIdleMs, () => this.#rest());
      }
    }
  }

  #open(): Thread<ThreadScanner> {
    if (this.#isClosed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    const { entryFile, root, allowRoots = [], openThread: open = openThread } = this.#options;
    const isLong = this.#isLong;
    const workerData: ScanWorkerData = { role: 'scan', root, allowRoots };
    const onDeath = (): void => {
      this.#thread = undefined; // The next call starts a new one.
    };
    this.#thread ??= open<ThreadScanner>({ entryFile, workerData, onDeath, isLong });
    return this.#thread;
  }

  #rest(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.close();
  }
}
