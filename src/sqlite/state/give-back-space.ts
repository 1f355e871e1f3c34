import type { Connection } from '../connection/connection.ts';

/** At most this many free pages are given back to the file system at a time. */
const pagesMax = 4_096;

/** Larger files are not rewritten as a whole: that would hold up everyone who wants to write. */
const rewrittenPagesMax = 65_536;

/**
 * The `application_id` of files in which everything that was ever deleted has been overwritten. Files
 * of earlier versions have none: there, deleted texts are still in the space that they took.
 */
export const overwrittenId = 0x5644;

/**
 * Makes the file smaller after deletions, and removes what was deleted from SQLite's log as well. A
 * file of an earlier version is written anew once.
 */
export function giveBackSpace(connection: Connection): void {
  connection.patiently(() => giveBack(connection));
}

function giveBack(connection: Connection): void {
  const pages = connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  const id = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id;
  if (id !== overwrittenId && pages <= rewrittenPagesMax) {
    connection.exec(`VACUUM; PRAGMA application_id = ${overwrittenId}`);
  }
  connection.exec(`PRAGMA incremental_vacuum(${pagesMax})`);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
