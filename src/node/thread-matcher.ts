import { endingOf } from '../base/ending-of.ts';
import { limits } from '../base/limits.ts';
import { Turns } from '../base/turns.ts';
import { VaultError } from '../base/vault-error.ts';
import type { HitReason } from '../engine/hit-line.ts';
import type { Timers } from '../engine/ports.ts';
import type { TextMatcher, TextMatchRequest } from '../engine/text-matcher.ts';
import type { FileMatcher, OnLooked } from './match-files.ts';
import { nodeTimers } from './node-ports.ts';
import { openThread, type Thread } from './thread-call.ts';
import type { MatchWorkerData } from './worker-data.ts';

export interface ThreadMatcherOptions {
  /** The bundled program: the worker runs the same file. */
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly timers?: Timers;
}

type MatchThread = Thread<FileMatcher>;

/**
 * Matches texts in workers, one query in each. JavaScript's expressions cannot be stopped, so a
 * worker whose time is over, or whose caller has left, is ended as it is, and the next query has
 * another. Workers start when they are needed and end when they were not for a while.
 */
export function openThreadMatcher(options: ThreadMatcherOptions): TextMatcher {
  return new ThreadMatcher(options);
}

class ThreadMatcher implements TextMatcher {
  readonly #entryFile: string;
  readonly #workerData: MatchWorkerData;
  readonly #timers: Timers;
  readonly #turns = new Turns(limits.textMatchesMax);
  readonly #working = new Set<MatchThread>();
  /** Those that nobody needs, with what keeps them from being ended. */
  readonly #idle = new Map<MatchThread, () => void>();
  #isClosed = false;

  constructor({ entryFile, root, allowRoots = [], timers = nodeTimers }: ThreadMatcherOptions) {
    this.#entryFile = entryFile;
    this.#workerData = { role: 'match', root, allowRoots };
    this.#timers = timers;
  }

  async match(request: TextMatchRequest): ReturnType<TextMatcher['match']> {
    const { paths } = request;
    const fulfils = await this.#look<boolean>(request, 'match');
    return { found: paths.filter((_, at) => fulfils[at] === true), looked: fulfils.length };
  }

  reasons(request: TextMatchRequest): Promise<readonly HitReason[]> {
    return this.#look<HitReason>(request, 'reasons');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = [...this.#working, ...this.#idle.keys()];
    for (const stopWaiting of this.#idle.values()) stopWaiting();
    this.#idle.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** What came of the files that were looked at in time. */
  async #look<T>(request: TextMatchRequest, method: keyof FileMatcher): Promise<readonly T[]> {
    const { query, alternatives, paths, timeMs, signal } = request;
    if (signal.aborted) throw endingOf(signal);
    const looked: T[] = [];
    const over = new AbortController();
    const end = (): void => over.abort();
    const stop = this.#timers.after(timeMs, end);
    signal.addEventListener('abort', end, { once: true });
    const onLooked = async (next: readonly T[]): Promise<void> => {
      if (!over.signal.aborted) looked.push(...next);
    };
    try {
      await this.#turns.take(
        () =>
          this.#inThread(over.signal, (matcher) =>
            matcher[method]({ query, alternatives, paths }, onLooked as OnLooked<unknown>),
          ),
        over.signal,
      );
    } catch (error) {
      if (signal.aborted) throw endingOf(signal);
      if (!over.signal.aborted || this.#isClosed) throw error;
    } finally {
      stop();
      signal.removeEventListener('abort', end);
    }
    return looked;
  }

  /** Works in a thread of its own, which does not outlive the end of the time. */
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

  #open(): MatchThread {
    if (this.#isClosed) throw new VaultError('cancelled', 'The vault was closed meanwhile.');
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

  #keep(thread: MatchThread): void {
    const stop = this.#timers.after(limits.textMatchIdleMs, () => {
      this.#idle.delete(thread);
      void thread.close();
    });
    this.#idle.set(thread, stop);
  }
}
