import { setTimeout } from 'node:timers/promises';
import { clusterLimits } from '../../base/door-limits.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** The books of a cluster; each has a row in the table `book`. */
export type BookName = 'token' | 'oauth' | 'owner' | 'session';

export interface BookVersionsParts {
  readonly postgres: Postgres;
  /** Time that never jumps, such as `performance.now`. */
  readonly steady: Clock;
  /** For how long an answer counts as new; 0 asks PostgreSQL every time. */
  readonly freshMs?: number;
  /** For how long a node goes on with what it knows while PostgreSQL does not answer. */
  readonly graceMs?: number;
}

/**
 * Which version each book has. Every change of a book by any node raises its number, so a node that
 * sees the same number has read what is there. PostgreSQL is asked about all books at once, when a book
 * is read and the last answer is older than `clusterLimits.bookFreshMs`.
 *
 * While PostgreSQL does not answer, the numbers known so far count for `clusterLimits.graceMs`; then
 * every call fails with `unavailable`, since a revocation could not be seen.
 */
export class BookVersions {
  readonly #parts: Required<BookVersionsParts>;
  #known: ReadonlyMap<string, number> = new Map();
  /** When the question was sent whose answer is known. */
  #knownMs = Number.NEGATIVE_INFINITY;
  /** A question that is not sent yet. */
  #next: Promise<void> | undefined;
  #asking: { readonly sinceMs: number; readonly answer: Promise<void> } | undefined;

  constructor(parts: BookVersionsParts) {
    const { bookFreshMs: freshMs, graceMs } = clusterLimits;
    this.#parts = { freshMs, graceMs, ...parts };
  }

  /** The version of a book. */
  async of(name: BookName): Promise<number> {
    const { steady, freshMs, graceMs } = this.#parts;
    const ageMs = steady.nowMs() - this.#knownMs;
    if (ageMs >= freshMs) {
      const { sinceMs, answer } = this.#ask();
      if (ageMs >= graceMs) await answer;
      else {
        // A PostgreSQL that hangs must not hold up each call for as long as a connection may take.
        const waitMs = Math.max(0, sinceMs + clusterLimits.bookWaitMs - steady.nowMs());
        await Promise.race([answer.catch(() => undefined), setTimeout(waitMs)]);
      }
    }
    return this.#known.get(name) ?? 0;
  }

  /**
   * The version of a book by an answer to a question that is sent after this call: what was not found may
   * be a moment old. Calls within `clusterLimits.bookMissMs` share it. Without an answer, what is known.
   */
  async newest(name: BookName): Promise<number> {
    this.#next ??= this.#askNext();
    await Promise.race([this.#next, setTimeout(clusterLimits.bookWaitMs)]);
    return this.#known.get(name) ?? 0;
  }

  async #askNext(): Promise<void> {
    await setTimeout(clusterLimits.bookMissMs);
    while (this.#asking !== undefined) await this.#asking.answer.catch(() => undefined);
    this.#next = undefined;
    await this.#ask().answer.catch(() => undefined);
  }

  /** Says that a book has at least this version. */
  saw(name: BookName, version: number): void {
    if ((this.#known.get(name) ?? 0) < version) {
      this.#known = new Map(this.#known).set(name, version);
    }
  }

  #ask(): { readonly sinceMs: number; readonly answer: Promise<void> } {
    if (this.#asking !== undefined) return this.#asking;
    const { postgres, steady } = this.#parts;
    const sinceMs = steady.nowMs();
    const answer = postgres
      .all<{ name: string; version: number }>(sql`SELECT name, version FROM book`)
      .then((rows) => {
        this.#known = new Map(rows.map(({ name, version }) => [name, version]));
        this.#knownMs = sinceMs;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    answer.catch(() => undefined); // Those who wait for it are told.
    this.#asking = { sinceMs, answer };
    return this.#asking;
  }
}
