import { pathKey, type VaultFolder } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeId, ChangeState, NewChange } from '../../engine/ports/state-store.ts';
import type { GivenNumbers } from '../../engine/ports/vault-state.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { folderRange } from '../connection/sql-values.ts';
import { type ChangeRow, changeColumns, touchedKeys, versionsOf } from '../rows/change-row.ts';
import { releaseContents } from './content-store.ts';
import { forgetDestroyed, insertDestroyed } from './destroyed-files.ts';

/**
 * Stores a change, the paths it touches and the versions it needs: those of its steps, and `versions`.
 * Returns its number.
 */
export function insertChange(
  connection: Connection,
  change: NewChange,
  state: ChangeState,
  versions: readonly Version[],
): ChangeId {
  const columns = changeColumns(change, state);
  const id = connection.run(
    `INSERT INTO change (${Object.keys(columns).join(', ')})
     VALUES (${Object.keys(columns)
       .map(() => '?')
       .join(', ')})`,
    ...Object.values(columns),
  );
  for (const [key, folder] of touchedKeys(change.steps)) {
    connection.run('INSERT INTO touch (key, change, folder) VALUES (?, ?, ?)', key, id, folder);
  }
  const needed = new Set([...change.steps.flatMap(versionsOf), ...versions]);
  insertNeeds(connection, id, Array.from(needed));
  if (change.destroys !== undefined) {
    insertDestroyed(connection, id, change.destroys, change.timeMs);
  }
  return id;
}

/** For each kind of record, the highest number that was given to one. */
export function givenNumbers(connection: Connection): GivenNumbers {
  const sql =
    "SELECT name, seq FROM sqlite_sequence WHERE name IN ('change', 'question', 'proposal')";
  const rows = connection.all<{ name: string; seq: number }>(sql);
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}

/** Lets the numbers of new records begin after these, unless they are higher already. */
export function numberAfter(connection: Connection, numbers: GivenNumbers): void {
  for (const [name, number] of Object.entries(numbers)) {
    connection.write(() => {
      const sql = 'SELECT seq AS n FROM sqlite_sequence WHERE name = ?';
      if (connection.count(sql, name) >= number) return;
      connection.run('DELETE FROM sqlite_sequence WHERE name = ?', name);
      connection.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, number);
    });
  }
}

/** Records that a change needs these versions. */
export function insertNeeds(
  connection: Connection,
  id: ChangeId,
  versions: readonly Version[],
): void {
  const sql = 'INSERT OR IGNORE INTO need (change, version) VALUES (?, ?)';
  for (const version of versions) connection.run(sql, id, version);
}

/** The row of a change; undefined when there is none. */
export function changeRow(connection: Connection, id: ChangeId): ChangeRow | undefined {
  return connection.get<ChangeRow>('SELECT * FROM change WHERE id = ?', id);
}

/** A query for the numbers of the changes that touch a file, or something in a folder. */
export function touching(path: VaultFolder): { sql: string; values: readonly SqlValue[] } {
  const key = pathKey(path);
  const inside = folderRange(key as string as VaultFolder);
  // The folders that contain the path: if one of them was moved, the path was touched too.
  const around = key.split('/').map((_, count, names) => names.slice(0, count).join('/'));
  return {
    sql: `SELECT change FROM touch WHERE key = ?
      UNION SELECT change FROM touch WHERE ${inside.condition('key')}
      UNION SELECT change FROM touch
        WHERE folder = 1 AND key IN (SELECT value FROM json_each(?))`,
    values: [key, ...inside.values, JSON.stringify(around)],
  };
}

/** Deletes changes, and the contents that no other change needs. */
export function forgetChanges(connection: Connection, ids: readonly ChangeId[]): void {
  const versions = new Set<Version>();
  for (const id of ids) {
    const sql = 'SELECT version FROM need WHERE change = ?';
    for (const { version } of connection.all<{ version: Version }>(sql, id)) versions.add(version);
    connection.run('DELETE FROM need WHERE change = ?', id);
    connection.run('DELETE FROM touch WHERE change = ?', id);
    forgetDestroyed(connection, id);
    connection.run('DELETE FROM change WHERE id = ?', id);
  }
  releaseContents(connection, versions);
}
