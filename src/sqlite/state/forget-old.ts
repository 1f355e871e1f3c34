import { limits } from '../../base/limits.ts';
import type { Connection } from '../connection/connection.ts';
import { type AgingTable, forgottenMs } from '../rows/record-ages.ts';

/** Whether a table has rows that `forgetOld` would delete. */
export function hasOld(connection: Connection, table: AgingTable, nowMs: number): boolean {
  const sql = `SELECT 1 AS n FROM ${table} WHERE time <= ? LIMIT 1`;
  return connection.count(sql, forgottenMs(table, nowMs)) > 0;
}

/** Deletes the oldest of the rows that are too old; only some, since each may have megabytes. */
export function forgetOld(connection: Connection, table: AgingTable, nowMs: number): void {
  const old = `SELECT id FROM ${table} WHERE time <= ? ORDER BY time LIMIT ${limits.forgottenRowsMax}`;
  connection.run(`DELETE FROM ${table} WHERE id IN (${old})`, forgottenMs(table, nowMs));
}
