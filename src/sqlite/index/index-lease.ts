import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBusy, isDamaged } from '../connection/database-error.ts';
import type { Database } from '../connection/open-database.ts';
import { openDatabase } from '../connection/open-database.ts';
import { discardIndex } from './open-index-database.ts';

/**
 * The right to build the index, which only one process has at a time. Holding it is an open write
 * transaction on a file of its own, which the system ends when the process dies.
 */
export class IndexLease {
  readonly #file: string;
  #database: Database | undefined;
  #taken = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the lease if it is free; true also if we already have it. Never waits. */
  async tryTake(): Promise<boolean> {
    if (this.#taken) return true;
    // If the cache was deleted, our connection is to a deleted file: create it again.
    if (!existsSync(this.#file)) this.close();
    try {
      if (this.#database === undefined) {
        mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
        this.#database = await openDatabase(this.#file);
      }
      this.#database.exec('PRAGMA busy_timeout = 0');
      this.#database.exec('BEGIN IMMEDIATE');
      this.#taken = true;
    } catch (error) {
      if (isBusy(error)) return false;
      this.close();
      if (!isDamaged(error)) throw error;
      // Nobody can hold a file that is not a database, so it is safe to replace it.
      await discardIndex(this.#file);
      return false;
    }
    return true;
  }

  /** Gives the lease back; does nothing if we do not have it. */
  release(): void {
    if (!this.#taken) return;
    this.#taken = false;
    this.#database?.exec('ROLLBACK');
  }

  close(): void {
    this.#taken = false;
    this.#database?.close();
    this.#database = undefined;
  }
}
