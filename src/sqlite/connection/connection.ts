import type { Database, SqlValue, Statement } from './open-database.ts';

/** When this many statements are prepared, all are forgotten and prepared again as needed. */
const statementsMax = 400;
/** How many rows one insert statement takes. */
const insertRows = 32;

/** See `patiently`. */
const patienceMs = 200;

/** The columns of an insert, each with how its value is written: `?`, or SQL around it. */
type InsertColumns = Readonly<Record<string, string>>;

interface InsertStatements {
  /** Inserts one row. */
  readonly one: Statement;
  /** Inserts `insertRows` rows. */
  readonly many: Statement;
  /** How many values a row has. */
  readonly width: number;
}

/** One connection to a database: statements are prepared once, and a transaction is one call. */
export class Connection {
  protected readonly database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #inserts = new Map<string, InsertStatements>();
  /** Whether a transaction is open. */
  #isWithin = false;

  constructor(database: Database) {
    this.database = database;
  }

  /** The rows of a query. `T` is the type of a row: the caller wrote the columns of the query. */
  all<T>(sql: string, ...values: SqlValue[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** The first row of a query; undefined when it has none. */
  get<T>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  /** The number in the column `n` of the first row; 0 without a row, or where it is NULL. */
  count(sql: string, ...values: SqlValue[]): number {
    return this.get<{ n: number | null }>(sql, ...values)?.n ?? 0;
  }

  /** The rows one by one, for answers that may not fit in memory. */
  iterate<T>(sql: string, ...values: SqlValue[]): Iterable<T> {
    return this.#prepared(sql).iterate(...values) as Iterable<T>;
  }

  /** Runs a statement, and returns the row id of the last insert. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /**
   * Inserts rows, many with one statement: three times as fast as one by one, since a call into
   * SQLite costs more than a row, and twice as fast as `json_each`. `values` has the columns of
   * all rows one after the other. All inserts into a table must have the same columns.
   */
  insert(table: string, columns: InsertColumns, values: readonly SqlValue[]): void {
    if (values.length === 0) return;
    const { one, many, width } = this.#insertsInto(table, columns);
    const step = insertRows * width;
    let at = 0;
    for (; at + step <= values.length; at += step) many.run(...values.slice(at, at + step));
    for (; at < values.length; at += width) one.run(...values.slice(at, at + width));
  }

  /** Runs SQL of one or more statements, without values. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  /**
   * Runs one write transaction: all of it happens, or nothing. It is immediate, because a
   * transaction that begins with reading fails as soon as it writes while another one writes.
   */
  write<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Runs several queries, which all see the same state of the database; also within another `read`. */
  read<T>(work: () => T): T {
    return this.#isWithin ? work() : this.#within('BEGIN', work);
  }

  /**
   * Runs work for which SQLite waits a moment until other connections are done. That blocks the
   * thread, so it is only for work that is not simply repeated later (`whileBusy`).
   */
  patiently<T>(work: () => T): T {
    this.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    try {
      return work();
    } finally {
      this.exec('PRAGMA busy_timeout = 0');
    }
  }

  /**
   * Closes the connection and empties the write-ahead log. SQLite would do that by itself, but the
   * library for Node 20 releases the file only when its statements are garbage-collected.
   */
  close(): void {
    this.#statements.clear();
    this.#inserts.clear();
    try {
      this.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Damaged, or in use by another process: the next process that opens it reads the log.
    }
    this.database.close();
  }

  /** For subclasses, called when a transaction is rolled back: forget what it had made true. */
  protected forgetRolledBack(): void {}

  #within<T>(begin: string, work: () => T): T {
    this.exec(begin);
    this.#isWithin = true;
    let answer: T;
    try {
      answer = work();
      this.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#isWithin = false;
    }
    return answer;
  }

  #rollBack(): void {
    this.forgetRolledBack();
    try {
      this.exec('ROLLBACK');
    } catch {
      // After some errors SQLite has rolled back by itself. The caller needs to see the first error.
    }
  }

  #insertsInto(table: string, columns: InsertColumns): InsertStatements {
    let inserts = this.#inserts.get(table);
    if (inserts === undefined) {
      const into = `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) VALUES `;
      const row = `(${Object.values(columns).join(', ')})`;
      inserts = {
        one: this.database.prepare(into + row),
        many: this.database.prepare(into + new Array(insertRows).fill(row).join(', ')),
        width: Object.keys(columns).length,
      };
      this.#inserts.set(table, inserts);
    }
    return inserts;
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
