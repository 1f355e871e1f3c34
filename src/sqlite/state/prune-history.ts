import type { ChangeId, HistoryBounds } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { forgetChanges } from './change-rows.ts';
import { contentBytes } from './content-store.ts';

/** Others wait for the commit lock meanwhile, so what is left over is for the next time. */
const changesMax = 1_000;

/** Free pages that are given back to the file system at a time. */
const pagesMax = 4_096;

/**
 * Forgets what is over the bounds: what is too old, then the oldest while there are too many
 * bytes. For bytes, neither what is younger than `keepMs` goes nor a deleted file, which may be
 * its only copy. Nearly free when nothing is over; at most a thousand changes at a time.
 */
export function pruneHistory(connection: Connection, bounds: HistoryBounds): void {
  const { nowMs, ageMaxMs, bytesMax, keepMs } = bounds;
  const tooOld = done(connection, 'time < ?', nowMs - ageMaxMs);
  if (tooOld.length === 0 && contentBytes(connection) <= bytesMax) return;
  connection.write(() => {
    forgetChanges(connection, tooOld);
    if (contentBytes(connection) <= bytesMax) return;
    const spared = 'deletes = 1 AND undone_by IS NULL';
    for (const id of done(connection, `time < ? AND NOT (${spared})`, nowMs - keepMs)) {
      forgetChanges(connection, [id]);
      if (contentBytes(connection) <= bytesMax) return;
    }
  });
  connection.exec(`PRAGMA incremental_vacuum(${pagesMax})`);
}

/** Finished changes, oldest first. */
function done(connection: Connection, condition: string, timeMs: number): readonly ChangeId[] {
  return connection
    .all<{ id: ChangeId }>(
      `SELECT id FROM change WHERE ${condition} AND state = 'done' ORDER BY time, id LIMIT ${changesMax}`,
      timeMs,
    )
    .map(({ id }) => id);
}
