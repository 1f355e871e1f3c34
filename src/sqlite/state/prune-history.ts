import { limits } from '../../base/limits.ts';
import type { ChangeId, HistoryBounds } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { OldestChanges } from '../rows/oldest-changes.ts';
import { forgetChanges } from './change-rows.ts';
import { contentBytes } from './content-store.ts';
import { forgetOld, hasOld } from './forget-old.ts';
import { giveBackSpace } from './give-back-space.ts';

/** At most this many changes are deleted at a time, since others wait for the commit lock. */
const changesMax = 1_000;

/**
 * Deletes questions and proposals that are too old, and the changes that exceed the bounds: first those that are too old, then the oldest ones while
 * there are too many bytes. To save bytes, no change is deleted that is younger than `keepMs`, or that
 * deleted a file and was not undone: the history may have the only copy. Costs nearly nothing when
 * there is nothing to delete.
 *
 * A wrong clock must not make changes old. So the latest pauses of more than
 * `limits.historyPauseMs` (`historyPausesMax` of them) do not count towards their age, and no change is deleted before those that were made earlier, whatever time
 * was recorded for it.
 */
export function pruneHistory(connection: Connection, bounds: HistoryBounds): void {
  const { nowMs, ageMaxMs, bytesMax, keepMs } = bounds;
  const oldMs = timeOfAge(connection, nowMs, ageMaxMs);
  const tooOld = oldestChanges(connection, { nowMs, beforeMs: oldMs, spareDeletions: false });
  const aged = (['question', 'proposal'] as const).filter((table) =>
    hasOld(connection, table, nowMs),
  );
  if (aged.length > 0 || tooOld.length > 0 || contentBytes(connection) > bytesMax) {
    connection.write(() => {
      for (const table of aged) forgetOld(connection, table, nowMs);
      forgetChanges(connection, tooOld);
      if (contentBytes(connection) <= bytesMax) return;
      const beforeMs = timeOfAge(connection, nowMs, keepMs);
      for (const id of oldestChanges(connection, { nowMs, beforeMs, spareDeletions: true })) {
        forgetChanges(connection, [id]);
        if (contentBytes(connection) <= bytesMax) return;
      }
    });
    giveBackSpace(connection);
  }
}

/**
 * The time before which changes are older than `ageMs`, the latest long pauses not counted. Goes back from now in
 * steps of up to `limits.historyPauseMs`, each of which is one look into an index. Changes with a time
 * after now do not matter.
 */
function timeOfAge(connection: Connection, nowMs: number, ageMs: number): number {
  const timeOf = (sql: string, ...times: number[]): number | undefined =>
    connection.get<{ time: number | null }>(sql, ...times)?.time ?? undefined;
  const earliest = 'SELECT min(time) AS time FROM change WHERE time >= ? AND time < ?';
  const latest = 'SELECT max(time) AS time FROM change WHERE time < ?';
  let atMs = nowMs;
  let leftMs = ageMs;
  let pauses = 0;
  for (;;) {
    const nearMs = timeOf(earliest, atMs - limits.historyPauseMs, atMs);
    const nextMs = nearMs ?? timeOf(latest, atMs);
    if (nextMs === undefined) return Number.NEGATIVE_INFINITY; // No change is as old as that.
    const isFree = nearMs === undefined && pauses++ < limits.historyPausesMax;
    const stepMs = isFree ? 0 : atMs - nextMs;
    if (stepMs > leftMs) return atMs - leftMs;
    leftMs -= stepMs;
    atMs = nextMs;
  }
}

/** Reads pages of finished changes until `changesMax` old ones are found, or the rest is too new. */
function oldestChanges(
  connection: Connection,
  bounds: {
    readonly nowMs: number;
    readonly beforeMs: number;
    /** Whether to leave out changes that deleted a file and were not undone. */
    readonly spareDeletions: boolean;
  },
): readonly ChangeId[] {
  const oldest = new OldestChanges(bounds);
  const spared = bounds.spareDeletions ? 'AND NOT (deletes = 1 AND undone_by IS NULL)' : '';
  const sql = `SELECT id, time FROM change WHERE state = 'done' ${spared} AND id > ?
    ORDER BY id LIMIT ${changesMax}`;
  for (let after = 0; oldest.found.length < changesMax; ) {
    const page = connection.all<{ id: ChangeId; time: number }>(sql, after);
    if (!oldest.add(page) || page.length < changesMax) break;
    after = page.at(-1)?.id ?? after;
  }
  return oldest.found;
}
