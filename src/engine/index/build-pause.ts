import { limits } from '../../base/limits.ts';
import type { Clock } from '../ports/ports.ts';
import type { IndexReadiness } from './index-readiness.ts';

/**
 * For `IndexKeeper`: lets the first build of an index pause while files are searched for callers, who
 * would otherwise wait for the same threads. All pauses together take no longer than the rest of the
 * build and `limits.buildPauseMs`, so callers cannot stop it.
 */
export class BuildPause {
  readonly #clock: Clock;
  readonly #readiness: Pick<IndexReadiness, 'sleep' | 'wakeAll'>;
  /** How many callers wait for a search for files. */
  #finding = 0;
  #sinceMs: number | undefined;
  #pausedMs = 0;

  constructor(clock: Clock, readiness: Pick<IndexReadiness, 'sleep' | 'wakeAll'>) {
    this.#clock = clock;
    this.#readiness = readiness;
  }

  /** Runs a search for files; the build pauses meanwhile. */
  async during<T>(find: () => Promise<T>): Promise<T> {
    this.#finding += 1;
    try {
      return await find();
    } finally {
      this.#finding -= 1;
      this.#readiness.wakeAll();
    }
  }

  /** Resolves when the build may go on. */
  async over(): Promise<void> {
    for (let nowMs = this.#clock.nowMs(); this.#finding > 0; ) {
      this.#sinceMs ??= nowMs;
      const leftMs = limits.buildPauseMs + nowMs - this.#sinceMs - 2 * this.#pausedMs;
      if (leftMs <= 0) return;
      await this.#readiness.sleep(leftMs);
      const afterMs = this.#clock.nowMs();
      this.#pausedMs += afterMs - nowMs;
      nowMs = afterMs;
    }
  }
}
