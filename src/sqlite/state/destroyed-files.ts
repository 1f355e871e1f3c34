import { limits } from '../../base/limits.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeId, Destruction } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { storableText } from '../rows/storable-text.ts';

/** Stores what a change destroys. It counts when `countDestroyed` is called. */
export function insertDestroyed(
  connection: Connection,
  change: ChangeId,
  { asker, files }: Destruction,
  timeMs: number,
): void {
  for (const { before = null, after = null, files: count } of files) {
    connection.run(
      `INSERT INTO destroyed (change, asker, time, files, before, after, live)
       VALUES (?, ?, ?, ?, ?, ?, 0)`,
      change,
      storableText(asker),
      timeMs,
      count,
      before,
      after,
    );
  }
}

/** Lets the files count that a change has destroyed, except where they replace the asker's own text. */
export function countDestroyed(connection: Connection, change: ChangeId): void {
  const rows = connection.all<{ id: number; asker: string; time: number; before: string | null }>(
    'SELECT id, asker, time, before FROM destroyed WHERE change = ? ORDER BY id',
    change,
  );
  for (const { id, asker, time, before } of rows) {
    const excuse =
      before === null
        ? undefined
        : connection.get<{ id: number }>(
            `SELECT id FROM destroyed AS own
             WHERE asker = ? AND after = ? AND live = 1 AND time >= ? AND change < ?
               AND NOT EXISTS (SELECT 1 FROM destroyed WHERE excuse = own.id)
             LIMIT 1`,
            asker,
            before,
            time - limits.brakeMs,
            change,
          );
    const sql = 'UPDATE destroyed SET live = 1, excuse = ? WHERE id = ?';
    connection.run(sql, excuse?.id ?? null, id);
  }
}

/**
 * Changes whether the files that a change has destroyed count: not when it is undone. What had
 * replaced its text counts from then on, since that text is not there any more.
 */
export function setDestroyedLive(connection: Connection, change: ChangeId, isLive: boolean): void {
  connection.run(
    'UPDATE destroyed SET excuse = NULL WHERE excuse IN (SELECT id FROM destroyed WHERE change = ?)',
    change,
  );
  const sql = 'UPDATE destroyed SET live = ?, excuse = NULL WHERE change = ?';
  connection.run(sql, isLive ? 1 : 0, change);
}

/**
 * Joins what two saves of one file have destroyed, when the later one takes the place of the earlier
 * one. `isNew` says that the earlier one has made the file: then nothing was destroyed.
 */
export function joinDestroyed(
  connection: Connection,
  saves: {
    readonly earlier: ChangeId;
    readonly later: ChangeId;
    readonly timeMs: number;
    readonly after: Version;
    readonly isNew: boolean;
  },
): void {
  const { earlier, later, timeMs, after, isNew } = saves;
  const count = 'SELECT count(*) AS n FROM destroyed WHERE change = ?';
  if (!isNew && connection.count(count, earlier) === 0) return;
  forgetDestroyed(connection, later);
  const sql = 'UPDATE destroyed SET change = ?, time = ?, after = ? WHERE change = ?';
  connection.run(sql, later, timeMs, after, earlier);
}

/** Deletes what is stored of a change. */
export function forgetDestroyed(connection: Connection, change: ChangeId): void {
  connection.run('DELETE FROM destroyed WHERE change = ?', change);
}

/** See `StateStore.destroyedFiles`. */
export function destroyedFiles(
  connection: Connection,
  asker: string,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): number {
  const { files, found } = connection.get<{ files: number; found: number }>(
    `SELECT coalesce(sum(files), 0) AS files, count(*) AS found FROM (
       SELECT files FROM destroyed
       WHERE asker = ? AND time >= ? AND time <= ? AND live = 1 AND excuse IS NULL LIMIT ?)`,
    storableText(asker),
    sinceMs,
    untilMs,
    limits.brakeRowsMax,
  ) ?? { files: 0, found: 0 };
  return found < limits.brakeRowsMax ? files : Number.POSITIVE_INFINITY;
}

/** See `StateStore.destroyingChanges`. */
export function destroyingChanges(
  connection: Connection,
  asker: string,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
  max: number,
): { readonly total: number; readonly ids: readonly ChangeId[] } {
  const where = 'FROM destroyed WHERE asker = ? AND time >= ? AND time <= ? AND live = 1';
  const values = [storableText(asker), sinceMs, untilMs];
  return connection.read(() => ({
    total: connection.count(`SELECT count(DISTINCT change) AS n ${where}`, ...values),
    ids: connection
      .all<{ change: ChangeId }>(
        `SELECT DISTINCT change ${where} ORDER BY change DESC LIMIT ?`,
        ...values,
        max,
      )
      .map(({ change }) => change),
  }));
}
