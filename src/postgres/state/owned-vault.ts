import { Semaphore } from '../../base/semaphore.ts';
import type { Postgres } from '../connection/postgres.ts';
import { type Sql, sql } from '../connection/sql.ts';

/** A vault in PostgreSQL, and the fence number of the owner that asks. */
export interface VaultClaim {
  readonly vault: number;
  readonly epoch: number;
}

/**
 * The rows of one vault, for its owner. Only the owner writes, and only one of its writes runs at a
 * time: so a write may first read, and what it has read is still true when it is carried out, unless
 * the vault has another owner by then. Each write checks that itself and fails with `unavailable` and
 * `details.fenced`.
 */
export class OwnedVault {
  readonly postgres: Postgres;
  readonly id: number;
  readonly epoch: number;
  readonly #turn = new Semaphore(1);

  constructor(postgres: Postgres, { vault, epoch }: VaultClaim) {
    this.postgres = postgres;
    this.id = vault;
    this.epoch = epoch;
  }

  /** Lets no other write of this owner run meanwhile. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.run(work);
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
    return this.inTurn(async () => {
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
