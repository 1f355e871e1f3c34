import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBusy, isDamaged } from '../connection/database-error.ts';
import type { Database } from '../connection/open-database.ts';
import { openDatabase } from '../connection/open-database.ts';
import { discardIndex } from './open-index-database.ts';

/**
 * The right to build the index, as an open write transaction on a file of its own: the system
 * frees it the moment its holder dies, so it cannot be left behind.
 */
export class IndexLease {
  readonly #file: string;
  #database: Database | undefined;
  #taken = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes it if it is free, or is already ours. Never waits. */
  async tryTake(): Promise<boolean> {
    if (this.#taken) return true;
    // Whoever deletes the cache deletes the file under our connection: it is made anew.
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
      // What is no database cannot be held by anyone: it is safe to make it anew.
      discardIndex(this.#file);
      return false;
    }
    return true;
  }

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
