import type { ChangeFilter, ChangeId, StoredChange } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { storableText } from '../connection/sql-values.ts';
import { type ChangeRow, storedChange, touching } from './change-rows.ts';

/** The changes that are not finished, oldest first. */
export function unfinishedChanges(connection: Connection): readonly StoredChange[] {
  return connection
    .all<ChangeRow>("SELECT * FROM change WHERE state <> 'done' ORDER BY id")
    .map(storedChange);
}

/** The number of the newest finished change; 0 when there is none. */
export function latestChange(connection: Connection): ChangeId {
  const sql = "SELECT id AS n FROM change WHERE state = 'done' ORDER BY id DESC LIMIT 1";
  return connection.count(sql);
}

/** A page of the finished changes that a filter admits, newest first. */
export function listChanges(
  connection: Connection,
  filter: ChangeFilter,
  page: { readonly limit: number; readonly offset: number },
): { readonly total: number; readonly items: readonly StoredChange[] } {
  const conditions = ["state = 'done'"];
  const values: SqlValue[] = [];
  const only = (condition: string, ...more: readonly SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  const { ids, client, connection: link, token, door, sinceMs, path, after } = filter;
  if (ids !== undefined) only('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  if (client !== undefined) only('client = ?', storableText(client));
  if (link !== undefined) only('connection = ?', storableText(link));
  if (token !== undefined) only('token = ?', storableText(token));
  if (door !== undefined) only('door = ?', door);
  if (sinceMs !== undefined) {
    // The second condition only helps SQLite: its other indexes end with the id, not with the time. With
    // `+` it looks for the id in the index of times, not from the first change on.
    const first = 'SELECT min(+id) FROM change WHERE time >= ?';
    only(`time >= ? AND id >= (${first})`, sinceMs, sinceMs);
  }
  if (after !== undefined) only('id > ?', after);
  if (path !== undefined && path !== '') {
    const touched = touching(path);
    only(`id IN (${touched.sql})`, ...touched.values);
  }
  const where = conditions.join(' AND ');
  return connection.read(() => ({
    total: connection.count(`SELECT count(*) AS n FROM change WHERE ${where}`, ...values),
    items: connection
      .all<ChangeRow>(
        `SELECT * FROM change WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      )
      .map(storedChange),
  }));
}
