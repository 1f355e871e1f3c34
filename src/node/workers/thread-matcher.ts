import { limits } from '../../base/limits.ts';
import { abortReason } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { HitReason, TextMatcher, TextMatchRequest } from '../../engine/ports/text-matcher.ts';
import { needsText } from '../../engine/search/needs-text.ts';
import type { FileMatcher, FileMatchRequest, OnLooked } from '../scan/match-files.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

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

/**
 * Matches texts in workers, one query in each. A regular expression of JavaScript cannot be stopped,
 * so the worker is terminated when its time is over or its caller has left.
 */
export function openThreadMatcher(options: ThreadMatcherOptions): TextMatcher {
  return new ThreadMatcher(options);
}

class ThreadMatcher implements TextMatcher {
  readonly #timers: Timers;
  readonly #scanner: Pick<FileMatcher, 'reasons'>;
  readonly #pool: ThreadPool<FileMatcher>;

  constructor(options: ThreadMatcherOptions) {
    const { entryFile, root, allowRoots = [], scanner, timers = nodeTimers } = options;
    this.#scanner = scanner;
    this.#timers = timers;
    this.#pool = new ThreadPool({
      entryFile,
      workerData: { role: 'match', root, allowRoots },
      max: limits.textMatchesMax,
      idleMs: limits.textMatchIdleMs,
      timers,
    });
  }

  async match(request: TextMatchRequest): ReturnType<TextMatcher['match']> {
    const { paths } = request;
    const fulfils = await this.#look<boolean>(request, (over, onLooked) =>
      this.#pool.run(over, (matcher) => matcher.match(askedOf(request), onLooked)),
    );
    return { found: paths.filter((_, at) => fulfils[at] === true), looked: fulfils.length };
  }

  reasons(request: TextMatchRequest): Promise<readonly HitReason[]> {
    const asked = askedOf(request);
    return this.#look<HitReason>(request, (over, onLooked) =>
      needsText(request.query)
        ? this.#pool.run(over, (matcher) => matcher.reasons(asked, onLooked))
        : unlessOver(over, this.#scanner.reasons(asked, onLooked)),
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
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
      if (!over.signal.aborted || this.#pool.isClosed) throw error;
    } finally {
      stop();
      signal.removeEventListener('abort', end);
    }
    return looked;
  }
}

/** The part of a request that is sent to the worker. */
function askedOf({ timeMs: _, signal: _signal, ...asked }: TextMatchRequest): FileMatchRequest {
  return asked;
}

/** Waits for the work, but no longer than until `over` is aborted. The work itself goes on. */
function unlessOver(over: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    over.addEventListener('abort', () => resolve(), { once: true });
    work.then(resolve, reject);
  });
}
