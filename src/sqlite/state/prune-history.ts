import type { ChangeId, HistoryBounds } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { forgetChanges } from './change-rows.ts';
import { contentBytes } from './content-store.ts';

/** At most this many changes are deleted at a time, since others wait for the commit lock. */
const changesMax = 1_000;

/** At most this many free pages are given back to the file system at a time. */
const pagesMax = 4_096;

/**
 * Deletes the changes that exceed the bounds: first those that are too old, then the oldest ones while
 * there are too many bytes. To save bytes, no change is deleted that is younger than `keepMs`, or that
 * deleted a file and was not undone: the history may have the only copy. Costs nearly nothing when
 * there is nothing to delete.
 */
export function pruneHistory(connection: Connection, bounds: HistoryBounds): void {
  const { nowMs, ageMaxMs, bytesMax, keepMs } = bounds;
  const tooOld = finishedChanges(connection, 'time < ?', nowMs - ageMaxMs);
  if (tooOld.length === 0 && contentBytes(connection) <= bytesMax) return;
  connection.write(() => {
    forgetChanges(connection, tooOld);
    if (contentBytes(connection) <= bytesMax) return;
    const spared = 'deletes = 1 AND undone_by IS NULL';
    for (const id of finishedChanges(connection, `time < ? AND NOT (${spared})`, nowMs - keepMs)) {
      forgetChanges(connection, [id]);
      if (contentBytes(connection) <= bytesMax) return;
    }
  });
  connection.exec(`PRAGMA incremental_vacuum(${pagesMax})`);
}

/** The first finished changes that fulfil a condition, oldest first. */
function finishedChanges(
  connection: Connection,
  condition: string,
  timeMs: number,
): readonly ChangeId[] {
  return connection
    .all<{ id: ChangeId }>(
      `SELECT id FROM change WHERE ${condition} AND state = 'done' ORDER BY time, id LIMIT ${changesMax}`,
      timeMs,
    )
    .map(({ id }) => id);
}
