import type { Connection } from '../connection/connection.ts';
import { held } from '../connection/index-schema.ts';

/** Removes the facts of these files, but not the files. */
export function removeFacts(connection: Connection, ids: readonly number[]): void {
  for (const id of ids) {
    connection.run('DELETE FROM edge WHERE source = ?', id);
    for (const table of ['note', 'tag', 'alias', 'problem']) {
      connection.run(`DELETE FROM ${table} WHERE file = ?`, id);
    }
  }
}

/** Removes what was read of these files: they stay known by name. */
export function removeContents(connection: Connection, ids: readonly number[]): void {
  removeFacts(connection, ids);
  for (const id of ids) {
    connection.run('DELETE FROM fulltext WHERE rowid = ?', id);
    connection.run(
      `UPDATE file SET facts = ${held.none}, text = ${held.none}, shape = NULL WHERE id = ?`,
      id,
    );
  }
}
