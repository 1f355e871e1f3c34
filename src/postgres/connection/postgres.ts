import { Socket } from 'node:net';
import type { Pool, QueryResult } from 'pg';
import { clusterLimits } from '../../base/door-limits.ts';
import { postgresFailure } from './postgres-failure.ts';
import { literalText, parameterText, type Sql } from './sql.ts';

/**
 * Connections to one PostgreSQL, which may be behind PgBouncer in transaction mode: every call is one
 * message and one transaction of its own. Nothing is prepared, set or locked for a session, and no
 * transaction waits for its client, which may be stopped in the middle of it.
 */
export class Postgres {
  readonly #pool: Pool;
  readonly #sockets: ReadonlySet<Socket>;
  readonly #quote: (text: string) => string;

  constructor(pool: Pool, sockets: ReadonlySet<Socket>, quote: (text: string) => string) {
    this.#pool = pool;
    this.#sockets = sockets;
    this.#quote = quote;
  }

  /** The rows of one statement. `T` is the type of a row: the caller wrote its columns. */
  async all<T>(statement: Sql): Promise<readonly T[]> {
    const values = statement.values.map((value) =>
      value instanceof Uint8Array
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : value,
    );
    const { rows } = await this.#attempt(() =>
      this.#pool.query({ text: parameterText(statement), values }),
    );
    return rows as readonly T[];
  }

  /** The first row of one statement; undefined when it has none. */
  async get<T>(statement: Sql): Promise<T | undefined> {
    const [row] = await this.all<T>(statement);
    return row;
  }

  /**
   * Runs statements one after the other in one transaction: all of them or none. They are sent as one
   * message. Answers the rows of the last.
   */
  async script<T>(statements: readonly Sql[]): Promise<readonly T[]> {
    const text = statements.map((each) => literalText(each, this.#quote)).join(';\n');
    // The library answers a list of results when the text has several statements.
    const answer = (await this.#attempt(() => this.#pool.query(text))) as
      | QueryResult
      | readonly QueryResult[];
    const last = Array.isArray(answer) ? answer.at(-1) : answer;
    return (last as QueryResult).rows as readonly T[];
  }

  /**
   * Breaks all connections: statements under way fail with `unavailable`, later ones get new connections.
   * For a PostgreSQL that has fallen silent, which would otherwise be waited for.
   */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #attempt<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw postgresFailure(error);
    }
  }
}

/** The numbers of PostgreSQL's types for whole numbers of 8 bytes. */
const int8 = 20;

/** Where connections differ from the usual ones of `clusterLimits`. */
export interface PostgresLimits {
  readonly connectionsMax?: number;
  /** How long a connection may take to be made, and a statement to be answered. */
  readonly connectMs?: number;
  readonly queryMs?: number;
}

/** Opens connections to the PostgreSQL at an address; they are made when they are needed. */
export async function openPostgres(
  url: string,
  {
    connectionsMax = clusterLimits.postgresConnectionsMax,
    connectMs = clusterLimits.postgresConnectMs,
    queryMs = clusterLimits.postgresQueryMs,
  }: PostgresLimits = {},
): Promise<Postgres> {
  // Loaded here, since only a cluster needs it.
  const { default: library } = await import('pg');
  const sockets = new Set<Socket>();
  const pool = new library.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    // Only the client gives up then; the settings of the role end the statement at the server.
    query_timeout: queryMs,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    types: {
      // Numbers of records and sizes, which are all exact as numbers of JavaScript.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 && format !== 'binary'
          ? Number
          : library.types.getTypeParser(type, format as 'text'),
    },
  });
  // A connection that breaks while nobody uses it is only replaced: the next call reports what is wrong.
  pool.on('error', () => undefined);
  return new Postgres(pool, sockets, library.escapeLiteral);
}
