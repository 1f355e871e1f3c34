import { pathKey, type VaultFolder } from '../../base/vault-path.ts';
import type {
  ChangeFilter,
  ChangeId,
  ChangeSummary,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import {
  type ChangeRow,
  type SummaryRow,
  storedChange,
  summaryOf,
} from '../../sqlite/rows/change-row.ts';
import { storableText } from '../../sqlite/rows/storable-text.ts';
import { joinSql, type Sql, sql } from '../connection/sql.ts';
import type { OwnedVault } from './owned-vault.ts';

/** The row of a change; undefined when there is none. */
export function changeRow(
  { postgres, id }: OwnedVault,
  change: ChangeId,
): Promise<ChangeRow | undefined> {
  return postgres.get<ChangeRow>(sql`SELECT * FROM change WHERE vault = ${id} AND id = ${change}`);
}

/** The changes that are not finished, oldest first. */
export async function unfinishedChanges(vault: OwnedVault): Promise<readonly StoredChange[]> {
  const rows = await vault.postgres.all<ChangeRow>(
    sql`SELECT * FROM change WHERE vault = ${vault.id} AND state <> 'done' ORDER BY id`,
  );
  return rows.map(storedChange);
}

/** The number of the newest finished change; 0 when there is none. */
export async function latestChange({ postgres, id }: OwnedVault): Promise<ChangeId> {
  const row = await postgres.get<{ id: ChangeId }>(sql`
    SELECT id FROM change WHERE vault = ${id} AND state = 'done' ORDER BY id DESC LIMIT 1`);
  return row?.id ?? 0;
}

/** A page of the finished changes that a filter admits, newest first. */
export async function listChanges(
  vault: OwnedVault,
  filter: ChangeFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly items: readonly StoredChange[] }> {
  const where = conditionOf(vault.id, filter);
  // One statement, so that both are of the same moment. A page behind the last has a row without a change.
  const rows = await vault.postgres.all<
    { total: number; id: null } | ({ total: number } & ChangeRow)
  >(
    sql`WITH page AS (
          SELECT * FROM change WHERE ${where}
          ORDER BY id DESC LIMIT ${page.limit} OFFSET ${page.offset})
        SELECT page.*, counted.total
        FROM (SELECT count(*) AS total FROM change WHERE ${where}) AS counted
        LEFT JOIN page ON TRUE ORDER BY page.id DESC`,
  );
  const items = rows.flatMap((row) => (row.id === null ? [] : [storedChange(row)]));
  return { total: rows[0]?.total ?? 0, items };
}

/** The newest finished changes that a filter admits, newest first, without their steps. */
export async function summarizeChanges(
  vault: OwnedVault,
  filter: ChangeFilter,
  max: number,
): Promise<readonly ChangeSummary[]> {
  // Files are counted where they were when the step began, so a file that is written and moved
  // counts once.
  const rows = await vault.postgres.all<SummaryRow>(sql`
    SELECT id, time, door, client, connection, token, undone_by, (undoes <> '[]')::int AS is_undo,
      (SELECT count(DISTINCT step ->> 'path') FROM json_array_elements(steps::json) AS step
       WHERE step ->> 'do' NOT IN ('makeFolder', 'dropFolder')) AS files
    FROM change WHERE ${conditionOf(vault.id, filter)} ORDER BY id DESC LIMIT ${max}`);
  return rows.map(summaryOf);
}

/** The condition for rows of `touch` about a file, or about something in a folder. */
export function touching(path: VaultFolder): Sql {
  const key = storableText(pathKey(path));
  // The folders that contain the path: if one of them was moved, the path was touched too.
  const around = key.split('/').map((_, count, names) => names.slice(0, count).join('/'));
  // "0" comes right after "/": between the two lie exactly the paths that begin with "folder/".
  return sql`(key = ${key} OR (key > ${`${key}/`} AND key < ${`${key}0`})
    OR (folder = 1 AND key = ANY(${around}::text[])))`;
}

/** A filter as a condition on the rows of `change`. */
function conditionOf(vault: number, filter: ChangeFilter): Sql {
  const conditions = [sql`vault = ${vault} AND state = 'done'`];
  const { ids, clientNames, connection, token, door, path } = filter;
  const { sinceMs, untilMs, after, before, undone, withoutUndosBy, undoing } = filter;
  if (ids !== undefined) conditions.push(sql`id = ANY(${ids}::bigint[])`);
  if (clientNames !== undefined) {
    // What is between "name/" and "name0" begins with "name/"; the rest is the version.
    const names = clientNames.map(storableText).map(
      (name) => sql`(client = ${name} OR (client > ${`${name}/`} AND client < ${`${name}0`}
        AND strpos(substr(client, length(${name}::text) + 2), '/') = 0))`,
    );
    conditions.push(names.length === 0 ? sql`FALSE` : sql`(${joinSql(names, ' OR ')})`);
  }
  if (connection !== undefined) conditions.push(sql`connection = ${storableText(connection)}`);
  if (token !== undefined) conditions.push(sql`token = ${storableText(token)}`);
  if (door !== undefined) conditions.push(sql`door = ${door}`);
  if (sinceMs !== undefined) conditions.push(sql`time >= ${sinceMs}`);
  if (untilMs !== undefined) conditions.push(sql`time < ${untilMs}`);
  if (after !== undefined) conditions.push(sql`id > ${after}`);
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  if (undone !== undefined) {
    conditions.push(undone ? sql`undone_by IS NOT NULL` : sql`undone_by IS NULL`);
  }
  if (withoutUndosBy !== undefined) {
    // A minus marks a change that was undone only in part.
    conditions.push(
      sql`(undoes = '[]' OR undoes LIKE '%-%' OR door <> ALL(${withoutUndosBy}::text[]))`,
    );
  }
  if (undoing !== undefined) {
    conditions.push(sql`undoes <> '[]' AND EXISTS (
      SELECT 1 FROM json_array_elements_text(undoes::json) AS undone
      WHERE abs(undone::bigint) = ANY(${undoing}::bigint[]))`);
  }
  if (path !== undefined && path !== '') {
    conditions.push(
      sql`id IN (SELECT change FROM touch WHERE touch.vault = ${vault} AND ${touching(path)})`,
    );
  }
  return joinSql(conditions, ' AND ');
}
