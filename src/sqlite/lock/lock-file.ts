import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isBusy, isDamaged } from '../connection/database-error.ts';
import { type Database, openDatabase } from '../connection/open-database.ts';
import { stateFailure } from '../state/state-failure.ts';

/** A wish for the lock counts this long after its last sign: whoever waits gives one at each try. */
const wishMs = 2_000;

/**
 * A file that one may hold alone, or several together, as an open transaction on it: the system
 * frees it the moment its holder dies. Nothing is ever written to it. It must not be opened by
 * other means while it is held: closing any handle of a process frees all its locks on a file.
 */
export class LockFile {
  readonly #file: string;
  readonly #wishFile: string;
  #database: Database | undefined;
  /** Which file it is, so that one put in its place is noticed. */
  #identity: string | undefined;
  #held = false;

  constructor(file: string) {
    this.#file = file;
    this.#wishFile = `${file}-wanted`;
  }

  /** Takes it alone, if nobody has it. Never waits. */
  async tryAlone(): Promise<boolean> {
    if (await this.#try('BEGIN EXCLUSIVE')) {
      rmSync(this.#wishFile, { force: true });
      return true;
    }
    // Those that hold it together could follow one another for ever: from now on they let us pass.
    // If one holds it alone, nothing is said: then it is a race like any other.
    if (await this.#try('BEGIN IMMEDIATE')) {
      this.release();
      this.#wish();
    }
    return false;
  }

  /** Takes it together with others, if nobody has it alone or waits for that. Never waits. */
  async tryTogether(): Promise<boolean> {
    return !this.#isWished() && (await this.#try('BEGIN; SELECT count(*) FROM sqlite_schema'));
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#database?.exec('ROLLBACK');
  }

  close(): void {
    this.#held = false;
    this.#database?.close();
    this.#database = undefined;
  }

  async #try(begin: string): Promise<boolean> {
    try {
      (await this.#opened()).exec(begin);
    } catch (error) {
      if (this.#database !== undefined) abandon(this.#database);
      if (isBusy(error)) return false;
      this.close();
      throw this.#failure(error);
    }
    this.#held = true;
    if (identityOf(this.#file) === this.#identity) return true;
    this.close(); // Another file came to lie here meanwhile: that is the one to hold.
    return false;
  }

  async #opened(): Promise<Database> {
    if (this.#database !== undefined) {
      const here = identityOf(this.#file);
      if (here !== undefined && here === this.#identity) return this.#database;
      this.close(); // It was deleted under our connection: it is made anew.
    }
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const database = await openDatabase(this.#file);
    try {
      // No journal on disk: there is never anything to take back.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY');
    } catch (error) {
      database.close();
      throw error;
    }
    this.#identity = identityOf(this.#file);
    this.#database = database;
    return database;
  }

  #failure(error: unknown): unknown {
    if (!isDamaged(error)) return stateFailure(error, this.#file);
    // Not made anew by us: someone else may just have done so, and hold it.
    const message = `"${this.#file}" is not a lock file of Vaultdoor; delete it and try again.`;
    return new VaultError('io_failed', message, { cause: error, details: { file: this.#file } });
  }

  #wish(): void {
    const now = new Date();
    try {
      writeFileSync(this.#wishFile, '', { flag: 'a', mode: 0o600 });
      utimesSync(this.#wishFile, now, now);
    } catch {
      // It only makes waiting fair.
    }
  }

  #isWished(): boolean {
    const wish = statSync(this.#wishFile, { throwIfNoEntry: false });
    return wish !== undefined && Math.abs(Date.now() - wish.mtimeMs) < wishMs;
  }
}

function abandon(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was begun.
  }
}

/** What tells a file from another one at the same path; undefined when there is none. */
function identityOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}

const pauseMs = 20;

/**
 * Does something while nobody else, whichever process, does it under the same lock file; it is free
 * again the moment its holder dies. Waits for its turn, and fails with `unavailable` when that
 * takes as long as no work should.
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new LockFile(file);
  try {
    const endMs = Date.now() + limits.commitWaitMs;
    while (!(await lock.tryAlone())) {
      if (Date.now() >= endMs) {
        throw new VaultError(
          'unavailable',
          `Another process holds "${file}"; end it and try again.`,
        );
      }
      await setTimeout(pauseMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}
