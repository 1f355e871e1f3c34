import type { Connection } from '../connection/connection.ts';
import { stateFailure } from './state-failure.ts';

/** The connection of all stores in one state file. Failures of SQLite become a `stateFailure`. */
export class StateConnection {
  readonly connection: Connection;
  readonly #file: string;
  readonly #flushes: boolean;
  /** What `PRAGMA synchronous` was last set to. */
  #synchronous = '';

  /** Without `flushes`, the caller flushes the write-ahead log after each durable transaction. */
  constructor(connection: Connection, file: string, { flushes }: { readonly flushes: boolean }) {
    this.connection = connection;
    this.#file = file;
    this.#flushes = flushes;
  }

  /** Runs a transaction that survives a power cut as soon as it has returned and is flushed. */
  durably<T>(work: () => T): T {
    return this.attempt(() => {
      this.synchronize(this.#flushes ? 'FULL' : 'NORMAL');
      return this.connection.write(work);
    });
  }

  /** Runs a transaction that a power cut may undo as a whole, until the next durable one. */
  lightly<T>(work: () => T): T {
    return this.attempt(() => {
      this.synchronize('NORMAL');
      return this.connection.write(work);
    });
  }

  /** Says whether SQLite flushes its log with each transaction: FULL, or NORMAL for not. */
  synchronize(how: 'FULL' | 'NORMAL'): void {
    if (how === this.#synchronous) return;
    this.connection.exec(`PRAGMA synchronous = ${how}`);
    this.#synchronous = how;
  }

  /** Runs queries outside of a transaction. */
  attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw stateFailure(error, this.#file);
    }
  }
}
