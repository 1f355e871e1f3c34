import { clusterLimits } from '../../base/door-limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../connection/postgres.ts';
import { type Sql, sql } from '../connection/sql.ts';

/** A vault in PostgreSQL, and the fence number of the owner that asks. */
export interface VaultClaim {
  readonly vault: number;
  readonly epoch: number;
}

/** What the owner of a vault hears of its writes. */
export interface WriteWatch {
  /**
   * Called when the answer to a write was lost. From then on this owner cannot write any more, and this is
   * called for each write that is refused because of that.
   */
  readonly onDoubt?: () => void;
  /** Called when PostgreSQL has answered a write, with how long that took. */
  readonly onWritten?: (seconds: number) => void;
}

/**
 * The rows of one vault, for its owner. Only the owner writes, and only one of its writes runs at a
 * time: so a write may first read, and what it has read is still true when it is carried out, unless
 * the vault has another owner by then. Each write checks that itself and fails with `unavailable` and
 * `details.fenced`.
 *
 * A write whose answer was lost may still be carried out, at any time. So after that nothing is written
 * with this fence number any more: the vault has to be claimed again, with a higher one.
 */
export class OwnedVault {
  readonly postgres: Postgres;
  readonly id: number;
  readonly epoch: number;
  readonly #turn = new Semaphore(1);
  readonly #watch: WriteWatch;
  #isInDoubt = false;

  constructor(postgres: Postgres, { vault, epoch }: VaultClaim, watch: WriteWatch = {}) {
    this.postgres = postgres;
    this.id = vault;
    this.epoch = epoch;
    this.#watch = watch;
  }

  /** Reads while no write of this owner runs. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.run(work);
  }

  /** Writes while no other write of this owner runs. Fails with `details.moved` after a lost answer. */
  writeInTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      if (this.#isInDoubt) this.#watch.onDoubt?.();
      this.checkCertain();
      const startMs = performance.now();
      try {
        return await work();
      } catch (error) {
        if (isAnswerLost(error)) {
          this.#isInDoubt = true;
          this.#watch.onDoubt?.();
        }
        throw error;
      } finally {
        this.#watch.onWritten?.((performance.now() - startMs) / 1000);
      }
    });
  }

  /** Fails when the answer to a write was lost. */
  checkCertain(): void {
    if (!this.#isInDoubt) return;
    throw new VaultError(
      'unavailable',
      'An answer of the database was lost, so this machine has to take the vault over again. Try again.',
      { details: { moved: true, retryAfterMs: clusterLimits.retryAfterMs } },
    );
  }

  /** Fails as a write does when the vault has another owner by now. */
  async checkOwned(): Promise<void> {
    await this.postgres.script([sql`SELECT fence(${this.id}, ${this.epoch})`]);
  }

  /**
   * Carries out the statements that `plan` answers, all or none, and answers the rows of the last one.
   * With `light`, a crash of PostgreSQL may lose them.
   */
  write<T>(plan: () => Promise<readonly Sql[]>, how: 'durable' | 'light'): Promise<readonly T[]> {
    return this.writeInTurn(async () => {
      const statements = await plan();
      if (statements.length === 0) return [];
      return this.postgres.script<T>([
        ...(how === 'light' ? [sql`SELECT set_config('synchronous_commit', 'off', true)`] : []),
        sql`SELECT fence(${this.id}, ${this.epoch})`,
        ...statements,
      ]);
    });
  }
}

/** Whether a statement may have been carried out although it failed: PostgreSQL itself has not refused it. */
function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof VaultError) || error.code !== 'unavailable') return false;
  const { state, fenced } = error.details;
  if (fenced !== undefined) return false;
  return typeof state !== 'string' || lostStates.test(state);
}

/**
 * What PgBouncer answers when its own connection to PostgreSQL has broken, and what a PostgreSQL answers
 * that is being ended. Only `57P03` is certain: it has taken no connection.
 */
const lostStates = /^(08|57P(?!03))/;
