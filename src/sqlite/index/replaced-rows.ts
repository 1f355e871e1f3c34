import type { SqlValue } from '../connection/open-database.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { type FactTable, fileColumn, removeRows } from './file-rows.ts';

/** A table with rows for each file. */
interface RowsTable {
  readonly table: FactTable;
  /** For `Connection.insert`, in the order of the values. */
  readonly columns: Readonly<Record<string, string>>;
  /** How the columns are read again, where that differs from their names. */
  readonly read?: Readonly<Record<string, string>>;
}

/**
 * Stores new rows of files in place of those that they have. Most changes of a note leave its links,
 * tags and aliases as they are; then nothing is written, neither here nor in the SQL indexes and kept
 * tables of these rows.
 */
export class ReplacedRows {
  readonly #connection: IndexConnection;
  readonly #table: RowsTable;
  /** The rows of files that may have some, as JSON. */
  readonly #stored = new Map<number, string>();
  readonly #values: SqlValue[] = [];
  readonly #changed: number[] = [];

  /** `outdated` are the files that may have rows. */
  constructor(connection: IndexConnection, table: RowsTable, outdated: readonly number[]) {
    this.#connection = connection;
    this.#table = table;
    if (outdated.length === 0) return;
    const { columns, read = {} } = table;
    const key = fileColumn(table.table);
    const names = Object.keys(columns).map((name) => read[name] ?? name);
    for (const id of outdated) this.#stored.set(id, '[]');
    const rows = connection.all<{ id: number; found: string }>(
      `SELECT ${key} AS id, json_group_array(json_array(${names.join(', ')})) AS found
       FROM json_each(?) j CROSS JOIN ${table.table} t ON t.${key} = j.value GROUP BY ${key}`,
      JSON.stringify(outdated),
    );
    for (const { id, found } of rows) {
      this.#stored.set(id, JSON.stringify((JSON.parse(found) as SqlValue[][]).flat()));
    }
  }

  /** Sets the rows of a file: the values of all rows one after the other, sorted as they are stored. */
  set(id: number, values: readonly SqlValue[]): void {
    const stored = this.#stored.get(id);
    if (stored !== undefined) {
      if (stored === JSON.stringify(values)) return;
      this.#changed.push(id);
    }
    for (const value of values) this.#values.push(value);
  }

  /** Writes what has changed. */
  store(): void {
    const { table, columns } = this.#table;
    removeRows(this.#connection, table, this.#changed);
    this.#connection.insert(table, columns, this.#values);
  }
}
