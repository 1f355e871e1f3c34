import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { HitReason, TextMatcher, TextMatchRequest } from '../../engine/ports/text-matcher.ts';
import { needsText } from '../../engine/search/needs-text.ts';
import type { FileMatcher, FileMatchRequest, OnLooked } from '../scan/match-files.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { MatchWorkerData } from '../threads/worker-data.ts';

interface ThreadMatcherOptions {
  /** The bundled program: the worker runs the same file. */
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  /** The scan worker, which runs anyway. It serves queries that the index can decide. */
  readonly scanner: Pick<FileMatcher, 'reasons'>;
  readonly timers?: Timers;
}

type MatchThread = Thread<FileMatcher>;

/**
 * Matches texts in workers, one query in each. A regular expression of JavaScript cannot be stopped,
 * so the worker is terminated when its time is over or its caller has left, and the next query gets
 * a new one. Workers start when they are needed and end when they have been idle for a while.
 */
export function openThreadMatcher(options: ThreadMatcherOptions): TextMatcher {
  return new ThreadMatcher(options);
}

class ThreadMatcher implements TextMatcher {
  readonly #entryFile: string;
  readonly #workerData: MatchWorkerData;
  readonly #timers: Timers;
  readonly #scanner: Pick<FileMatcher, 'reasons'>;
  readonly #turns = new Semaphore(limits.textMatchesMax);
  readonly #working = new Set<MatchThread>();
  /** The idle workers, each with a function that stops the timer that would end it. */
  readonly #idle = new Map<MatchThread, () => void>();
  #isClosed = false;

  constructor(options: ThreadMatcherOptions) {
    const { entryFile, root, allowRoots = [], scanner, timers = nodeTimers } = options;
    this.#scanner = scanner;
    this.#entryFile = entryFile;
    this.#workerData = { role: 'match', root, allowRoots };
    this.#timers = timers;
  }

  async match(request: TextMatchRequest): ReturnType<TextMatcher['match']> {
    const { paths } = request;
    const fulfils = await this.#look<boolean>(request, (over, onLooked) =>
      this.#inTurn(over, (matcher) => matcher.match(askedOf(request), onLooked)),
    );
    return { found: paths.filter((_, at) => fulfils[at] === true), looked: fulfils.length };
  }

  reasons(request: TextMatchRequest): Promise<readonly HitReason[]> {
    const asked = askedOf(request);
    return this.#look<HitReason>(request, (over, onLooked) =>
      needsText(request.query)
        ? this.#inTurn(over, (matcher) => matcher.reasons(asked, onLooked))
        : unlessOver(over, this.#scanner.reasons(asked, onLooked)),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = [...this.#working, ...this.#idle.keys()];
    for (const stopWaiting of this.#idle.values()) stopWaiting();
    this.#idle.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** The results for the files that were read before the time was over; `over` is aborted then. */
  async #look<T>(
    { timeMs, signal }: TextMatchRequest,
    work: (over: AbortSignal, onLooked: OnLooked<T>) => Promise<void>,
  ): Promise<readonly T[]> {
    if (signal.aborted) throw abortReason(signal);
    const looked: T[] = [];
    const over = new AbortController();
    const end = (): void => over.abort();
    const stop = this.#timers.after(timeMs, end);
    signal.addEventListener('abort', end, { once: true });
    const onLooked = async (next: readonly T[]): Promise<void> => {
      if (!over.signal.aborted) looked.push(...next);
    };
    try {
      await work(over.signal, onLooked);
      if (signal.aborted) throw abortReason(signal);
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      if (!over.signal.aborted || this.#isClosed) throw error;
    } finally {
      stop();
      signal.removeEventListener('abort', end);
    }
    return looked;
  }

  /** Does the work in a worker as soon as fewer than `limits.textMatchesMax` are at work. */
  #inTurn(over: AbortSignal, work: (matcher: FileMatcher) => Promise<void>): Promise<void> {
    return this.#turns.run(() => this.#inThread(over, work), over);
  }

  /** Does the work in a worker of its own, which is terminated when `over` is aborted. */
  async #inThread(over: AbortSignal, work: (matcher: FileMatcher) => Promise<void>): Promise<void> {
    const thread = this.#open();
    const end = (): void => void thread.close();
    over.addEventListener('abort', end, { once: true });
    try {
      await work(thread.remote);
      this.#working.delete(thread);
      if (!over.aborted) this.#keep(thread);
    } catch (error) {
      this.#working.delete(thread);
      await thread.close();
      throw error;
    } finally {
      over.removeEventListener('abort', end);
    }
  }

  /** An idle worker, or a new one. */
  #open(): MatchThread {
    if (this.#isClosed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    const [idle] = this.#idle;
    if (idle !== undefined) {
      idle[1]();
      this.#idle.delete(idle[0]);
    }
    const thread =
      idle?.[0] ??
      openThread<FileMatcher>({ entryFile: this.#entryFile, workerData: this.#workerData });
    this.#working.add(thread);
    return thread;
  }

  /** Keeps a worker for the next query, and ends it when it was idle for too long. */
  #keep(thread: MatchThread): void {
    const stop = this.#timers.after(limits.textMatchIdleMs, () => {
      this.#idle.delete(thread);
      void thread.close();
    });
    this.#idle.set(thread, stop);
  }
}

/** The part of a request that is sent to the worker. */
function askedOf({ query, alternatives, paths }: TextMatchRequest): FileMatchRequest {
  return { query, alternatives, paths };
}

/** Waits for the work, but no longer than until `over` is aborted. The work itself goes on. */
function unlessOver(over: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    over.addEventListener('abort', () => resolve(), { once: true });
    work.then(resolve, reject);
  });
}
