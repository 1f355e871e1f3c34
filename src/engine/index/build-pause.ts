import { limits } from '../../base/limits.ts';
import type { Clock } from '../ports/ports.ts';
import type { IndexReadiness } from './index-readiness.ts';

/** A call that asks the index several things asks the next one within this time. */
const nextQuestionMs = 100;

/**
 * For `IndexKeeper`: lets the first build of an index pause while files are searched for callers, and
 * while they ask the index: they would wait for the same threads, and for each question anew. All
 * pauses together take no longer than the rest of the build and `limits.buildPauseMs`, so callers
 * cannot stop it.
 */
export class BuildPause {
  readonly #nextMs: number;
  readonly #clock: Clock;
  readonly #readiness: Pick<IndexReadiness, 'sleep' | 'wakeAll'>;
  /** How many callers wait for a search for files, or for an answer of the index. */
  #waiting = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #sinceMs: number | undefined;
  #pausedMs = 0;
  #isEnded = false;

  constructor(
    clock: Clock,
    readiness: Pick<IndexReadiness, 'sleep' | 'wakeAll'>,
    nextMs = nextQuestionMs,
  ) {
    this.#nextMs = nextMs;
    this.#clock = clock;
    this.#readiness = readiness;
  }

  /** Runs a search for files, or a question; the build pauses meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
      this.#askedMs = this.#clock.nowMs();
      if (this.#waiting === 0) this.#readiness.wakeAll();
    }
  }

  /**
   * Waits for callers, but no longer than until there is something urgent to do for them. Answers
   * whether it has waited; if not, the build may go on.
   */
  async once(isUrgent: () => boolean): Promise<boolean> {
    if (this.#isEnded) return false;
    const nowMs = this.#clock.nowMs();
    this.#sinceMs ??= nowMs;
    const quietMs = this.#nextMs - (nowMs - this.#askedMs);
    const leftMs = limits.buildPauseMs + nowMs - this.#sinceMs - 2 * this.#pausedMs;
    if ((this.#waiting === 0 && quietMs <= 0) || leftMs <= 0) return false;
    if (isUrgent()) return true;
    const ms = this.#waiting > 0 ? leftMs : Math.min(quietMs, leftMs);
    const isOver = await this.#readiness.sleep(ms);
    // The clock may stand still or have been set back: then the timer alone ends the pauses.
    this.#pausedMs += Math.max(isOver ? ms : 0, this.#clock.nowMs() - nowMs);
    if (isOver && this.#waiting === 0) this.#askedMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  /** There are no pauses any more: the vault is being closed. */
  end(): void {
    this.#isEnded = true;
    this.#readiness.wakeAll();
  }

  /** The build has ended: the next one may pause as long as this one. */
  reset(): void {
    this.#sinceMs = undefined;
    this.#pausedMs = 0;
  }
}
