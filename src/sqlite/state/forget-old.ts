import { limits } from '../../base/limits.ts';
import type { Connection } from '../connection/connection.ts';

const agesMaxMs = { question: limits.questionAgeMaxMs, proposal: limits.proposalAgeMaxMs };

type AgingTable = keyof typeof agesMaxMs;

/** Rows with this time, or an earlier one, are gone. */
export function goneMs(table: AgingTable, nowMs: number): number {
  return nowMs - agesMaxMs[table];
}

/** Rows with this time, or an earlier one, can be deleted: for a while, a question counts as denied. */
function forgottenMs(table: AgingTable, nowMs: number): number {
  return goneMs(table, nowMs) - (table === 'question' ? limits.brakeMs : 0);
}

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
