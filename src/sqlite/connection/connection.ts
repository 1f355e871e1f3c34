import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import { isBusy } from './database-error.ts';
import { inFolders } from './folder-range.ts';
import { lateIndexes } from './index-schema.ts';
import type { KeptPart } from './kept-tables.ts';
import { keptTables } from './kept-tables.ts';
import type { Database, SqlValue, Statement } from './open-database.ts';

const statementsMax = 400;
const viewsMax = 64;
const insertRows = 32;

/** The columns of an insert, each with how its value is written: `?`, or SQL around it. */
export type InsertColumns = Readonly<Record<string, string>>;

interface InsertStatements {
  readonly one: Statement;
  readonly many: Statement;
  /** How many values a row has. */
  readonly width: number;
}

/** One connection to the index: cached statements, whole transactions, and views in SQL. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #inserts = new Map<string, InsertStatements>();
  readonly #views = new Map<string, number>();
  #sees: ((path: string) => boolean)[] = [];
  #dataVersion = 0;
  #lateIndexes = false;
  readonly #kept = new Set<KeptPart>();
  /** How many changes here changed nothing that is asked for, among `total_changes()`. */
  tidied = 0;

  constructor(database: Database) {
    this.#database = database;
    // `sees(view, path)`: the condition that a restricted view puts on every row.
    database.function('sees', { deterministic: true }, (view, path) =>
      this.#sees[Number(view)]?.(String(path)) === true ? 1 : 0,
    );
  }

  /** The rows of a query. `T` is what its columns are: the caller wrote both. */
  all<T>(sql: string, ...values: SqlValue[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** The first row of a query, if it has one. */
  get<T>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  /** The number that a query for one column `n` answers. */
  count(sql: string, ...values: SqlValue[]): number {
    return this.get<{ n: number | null }>(sql, ...values)?.n ?? 0;
  }

  /** Rows one by one, for answers that may be too many to hold. */
  iterate<T>(sql: string, ...values: SqlValue[]): Iterable<T> {
    return this.#prepared(sql).iterate(...values) as Iterable<T>;
  }

  /** Runs a statement; answers the row id of what it inserted last. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /**
   * Inserts rows, many to a statement: three times as fast as one by one, since a call into
   * SQLite costs more than a row, and twice as fast as `json_each`. `values` has the columns of
   * all rows one after the other. A table is always inserted into with the same columns.
   */
  insert(table: string, columns: InsertColumns, values: readonly SqlValue[]): void {
    if (values.length === 0) return;
    const { one, many, width } = this.#insertsInto(table, columns);
    const step = insertRows * width;
    let at = 0;
    for (; at + step <= values.length; at += step) many.run(...values.slice(at, at + step));
    for (; at < values.length; at += width) one.run(...values.slice(at, at + width));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Runs one write transaction: all of it happens, or nothing. It is immediate, because a
   * transaction that turns from reading to writing fails at once when another one writes.
   */
  write<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Runs several queries on one state of the index. */
  read<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  /** Makes the indexes that are left out at the start; to be called inside a write. */
  makeLateIndexes(): void {
    if (this.#lateIndexes) return;
    this.exec(lateIndexes);
    this.#lateIndexes = true; // Forgotten again should the write be rolled back.
  }

  /** The same for a query. Without them it is only slower, so a busy index is no failure. */
  wantLateIndexes(): void {
    if (this.#lateIndexes) return;
    const made = "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'tag_key'";
    this.#lateIndexes = this.count(made) > 0;
    if (this.#lateIndexes) return;
    try {
      this.write(() => this.makeLateIndexes());
    } catch (error) {
      this.#lateIndexes = false;
      if (!isBusy(error)) throw error;
    }
  }

  /**
   * Whether these tables are kept, and makes them where they are not: not inside of a transaction.
   * Never while the index is built for the first time, which is what the late indexes tell, nor
   * while another one writes: then everything has to be counted.
   */
  keeps(part: KeptPart): boolean {
    if (this.#kept.has(part)) return true;
    const { table, sql } = keptTables[part];
    const made = 'SELECT count(*) AS n FROM sqlite_schema WHERE name = ?';
    try {
      if (this.count(made, table) === 0) {
        if (this.count(made, 'tag_key') === 0) return false;
        this.write(() => {
          if (this.count(made, table) === 0) this.exec(sql);
        });
      }
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
    this.#kept.add(part);
    return true;
  }

  /** Whether another connection has written since the last time this was asked. */
  changedElsewhere(): boolean {
    const row = this.get<{ data_version: number }>('PRAGMA data_version');
    const changed = row?.data_version !== this.#dataVersion;
    this.#dataVersion = row?.data_version ?? 0;
    return changed;
  }

  /** A condition that holds for the paths a view admits; `path` is a column. */
  sees(view: View, path: string): string {
    if (seesAll(view)) return 'TRUE';
    return inFolders(view, path) ?? `sees(${this.#viewNumber(view)}, ${path})`;
  }

  /**
   * The same for columns that hold file ids, as `{ with, sees }`: each file is judged once,
   * however many rows speak of it.
   */
  seesIds(view: View): { readonly with: string; readonly sees: (id: string) => string } {
    if (seesAll(view)) return { with: '', sees: () => 'TRUE' };
    return {
      with: `WITH seen AS MATERIALIZED (SELECT id FROM file WHERE ${this.sees(view, 'path')})`,
      sees: (id) => `${id} IN (SELECT id FROM seen)`,
    };
  }

  /**
   * Closes the connection, with the log written back. SQLite would do that itself, but the library
   * for Node 20 lets go of the file only when its statements are garbage.
   */
  close(): void {
    this.#statements.clear();
    this.#inserts.clear();
    try {
      this.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Damaged, or busy elsewhere: whoever opens it next reads the log.
    }
    this.#database.close();
  }

  #within<T>(begin: string, work: () => T): T {
    this.exec(begin);
    let answer: T;
    try {
      answer = work();
      this.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    return answer;
  }

  #rollBack(): void {
    this.#lateIndexes = false; // They are looked for again.
    this.#kept.clear();
    try {
      this.exec('ROLLBACK');
    } catch {
      // SQLite has already done it for some errors; the first one is the one to tell.
    }
  }

  #insertsInto(table: string, columns: InsertColumns): InsertStatements {
    let inserts = this.#inserts.get(table);
    if (inserts === undefined) {
      const into = `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) VALUES `;
      const row = `(${Object.values(columns).join(', ')})`;
      inserts = {
        one: this.#database.prepare(into + row),
        many: this.#database.prepare(into + new Array(insertRows).fill(row).join(', ')),
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
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #viewNumber(view: View): number {
    const key = JSON.stringify(view);
    let number = this.#views.get(key);
    if (number === undefined) {
      if (this.#views.size >= viewsMax) {
        this.#views.clear();
        this.#sees = [];
      }
      number = this.#sees.push(makeSees(view)) - 1;
      this.#views.set(key, number);
    }
    return number;
  }
}
