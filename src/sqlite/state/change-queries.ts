import type {
  ChangeFilter,
  ChangeId,
  ChangeSummary,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { type ChangeRow, type SummaryRow, storedChange, summaryOf } from '../rows/change-row.ts';
import { storableText } from '../rows/storable-text.ts';
import { touching } from './change-rows.ts';

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
  const { where, values } = conditionOf(filter);
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

/** The newest finished changes that a filter admits, newest first, without their steps. */
export function summarizeChanges(
  connection: Connection,
  filter: ChangeFilter,
  max: number,
): readonly ChangeSummary[] {
  const { where, values } = conditionOf(filter);
  // Files are counted where they were when the step began, so a file that is written and moved
  // counts once.
  const files = `SELECT count(DISTINCT value ->> 'path') FROM json_each(steps)
    WHERE value ->> 'do' NOT IN ('makeFolder', 'dropFolder')`;
  return connection
    .all<SummaryRow>(
      `SELECT id, time, door, client, connection, token, undone_by, undoes <> '[]' AS is_undo,
         (${files}) AS files
       FROM change WHERE ${where} ORDER BY id DESC LIMIT ?`,
      ...values,
      max,
    )
    .map(summaryOf);
}

/** A filter as a condition on the rows of `change`. */
function conditionOf(filter: ChangeFilter): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const conditions = ["state = 'done'"];
  const values: SqlValue[] = [];
  const only = (condition: string, ...more: readonly SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  const { ids, clientNames, connection: link, token, door, path } = filter;
  const { sinceMs, untilMs, after, before, undone, withoutUndosBy, undoing } = filter;
  if (ids !== undefined) only('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  if (clientNames !== undefined) {
    const names = clientNames.map(storableText);
    // What is between "name/" and "name0" begins with "name/"; the rest is the version.
    const isOne =
      "(client = ? OR (client > ? AND client < ? AND instr(substr(client, length(?) + 2), '/') = 0))";
    only(
      `(${names.map(() => isOne).join(' OR ') || 'FALSE'})`,
      ...names.flatMap((name) => [name, `${name}/`, `${name}0`, name]),
    );
  }
  if (link !== undefined) only('connection = ?', storableText(link));
  if (token !== undefined) only('token = ?', storableText(token));
  if (door !== undefined) only('door = ?', door);
  if (sinceMs !== undefined) {
    // The second condition only helps SQLite: its other indexes end with the id, not with the time. With
    // `+` it looks for the id in the index of times, not from the first change on.
    const first = 'SELECT min(+id) FROM change WHERE time >= ?';
    only(`time >= ? AND id >= (${first})`, sinceMs, sinceMs);
  }
  if (untilMs !== undefined) only('time < ?', untilMs);
  if (after !== undefined) only('id > ?', after);
  if (before !== undefined) only('id < ?', before);
  if (undone !== undefined) only(`undone_by IS ${undone ? 'NOT NULL' : 'NULL'}`);
  if (withoutUndosBy !== undefined) {
    // A minus marks a change that was undone only in part.
    only(
      "(undoes = '[]' OR undoes LIKE '%-%' OR door NOT IN (SELECT value FROM json_each(?)))",
      JSON.stringify(withoutUndosBy),
    );
  }
  if (undoing !== undefined) {
    const asked = JSON.stringify(undoing);
    const undoes =
      'SELECT 1 FROM json_each(undoes) WHERE abs(value) IN (SELECT value FROM json_each(?))';
    const first = 'SELECT min(value) FROM json_each(?)';
    only(`id > (${first}) AND undoes <> '[]' AND EXISTS (${undoes})`, asked, asked);
  }
  if (path !== undefined && path !== '') {
    const touched = touching(path);
    only(`id IN (${touched.sql})`, ...touched.values);
  }
  return { where: conditions.join(' AND '), values };
}
