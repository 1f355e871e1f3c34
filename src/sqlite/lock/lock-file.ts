import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isBusy, isDamaged } from '../connection/database-error.ts';
import { type Database, openDatabase } from '../connection/open-database.ts';
import { stateFailure } from '../state/state-failure.ts';

/** A request for exclusive use holds this long; a waiting process renews it at every attempt. */
const requestMs = 2_000;

/**
 * A lock between processes: a file that one process holds alone, or several hold together. Holding it
 * is an open SQLite transaction on the file, which the system ends when the process dies. Nothing is
 * ever written to the file. It must not be opened in any other way while it is held: when a process
 * closes any handle of a file, the system releases all its locks on it.
 */
export class LockFile {
  readonly #file: string;
  /** Exists while a process asks those that share the lock to let it in; see `tryAlone`. */
  readonly #requestFile: string;
  #database: Database | undefined;
  /** Which file we have open, to notice if another one is put in its place; see `identityOf`. */
  #identity: string | undefined;
  #held = false;

  constructor(file: string) {
    this.#file = file;
    this.#requestFile = `${file}-wanted`;
  }

  /** Takes the lock alone if nobody holds it; returns whether it did. Never waits. */
  async tryAlone(): Promise<boolean> {
    if (await this.#try('BEGIN EXCLUSIVE')) {
      if (existsSync(this.#requestFile)) rmSync(this.#requestFile, { force: true });
      return true;
    }
    // Processes that share the lock could take turns for ever, so ask them to let us in. That this
    // transaction can begin shows that no process holds it alone; then no request is needed.
    if (await this.#try('BEGIN IMMEDIATE')) {
      this.release();
      this.#request();
    }
    return false;
  }

  /** Takes the lock together with others, unless a process holds it alone or waits for that. */
  async tryTogether(): Promise<boolean> {
    return !this.#isRequested() && (await this.#try('BEGIN; SELECT count(*) FROM sqlite_schema'));
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

  /** Begins a transaction on the file; returns false when it is held by others. */
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
    this.close(); // Another file was put at this path in the meantime; that one must be locked.
    return false;
  }

  async #opened(): Promise<Database> {
    if (this.#database !== undefined) {
      const here = identityOf(this.#file);
      if (here !== undefined && here === this.#identity) return this.#database;
      this.close(); // The file was deleted while we had it open: create it again.
    }
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const database = await openDatabase(this.#file);
    try {
      // No journal on disk, since nothing is ever written.
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
    // We do not replace it: another process may just have done so and hold the new one.
    const message = `"${this.#file}" is not a lock file of Vaultdoor; delete it and try again.`;
    return new VaultError('io_failed', message, { cause: error, details: { file: this.#file } });
  }

  #request(): void {
    const now = new Date();
    try {
      writeFileSync(this.#requestFile, '', { flag: 'a', mode: 0o600 });
      utimesSync(this.#requestFile, now, now);
    } catch {
      // Without the request, waiting may only take longer.
    }
  }

  #isRequested(): boolean {
    const request = statSync(this.#requestFile, { throwIfNoEntry: false });
    return request !== undefined && Math.abs(Date.now() - request.mtimeMs) < requestMs;
  }
}

/** Ends a transaction that may have begun. */
function abandon(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was begun.
  }
}

/** A text that is different for each file that is put at the path; undefined when there is none. */
function identityOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}

/** The pause between two attempts. */
const pauseMs = 20;

/**
 * Does some work while no other process does any under the same lock file. Waits for the lock, and
 * fails with `unavailable` after `limits.commitWaitMs`.
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
      // If attempts take longer than the pause, as on Windows, there is always a timer that is due,
      // and Node would never go on with the work of the holder, which may be in this process.
      await setImmediate();
    }
    return await work();
  } finally {
    lock.close();
  }
}
