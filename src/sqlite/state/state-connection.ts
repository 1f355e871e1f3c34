import type { Connection } from '../connection/connection.ts';
import { stateFailure } from './state-failure.ts';

/** The connection of all stores in one state file. Failures of SQLite become a `stateFailure`. */
export class StateConnection {
  readonly connection: Connection;
  readonly #file: string;

  constructor(connection: Connection, file: string) {
    this.connection = connection;
    this.#file = file;
  }

  /** Runs a transaction that survives a power cut as soon as it has returned. */
  durably<T>(work: () => T): T {
    return this.attempt(() => {
      this.connection.exec('PRAGMA synchronous = FULL');
      return this.connection.write(work);
    });
  }

  /** Runs a transaction that a power cut may undo as a whole, until the next durable one. */
  lightly<T>(work: () => T): T {
    return this.attempt(() => {
      this.connection.exec('PRAGMA synchronous = NORMAL');
      return this.connection.write(work);
    });
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
