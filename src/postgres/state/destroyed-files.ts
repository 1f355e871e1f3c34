import { limits } from '../../base/limits.ts';
import type { ChangeId } from '../../engine/ports/state-store.ts';
import { storableText } from '../../sqlite/rows/storable-text.ts';
import { type Sql, sql } from '../connection/sql.ts';
import type { OwnedVault } from './owned-vault.ts';

/**
 * What lets the files count that a change has destroyed, except where they replace the asker's own
 * text. One statement for each file, since each takes one excuse, and two must not take the same.
 */
export async function countDestroyed(vault: OwnedVault, change: ChangeId): Promise<readonly Sql[]> {
  const { id, postgres } = vault;
  const rows = await postgres.all<{ id: number }>(sql`
    SELECT id FROM destroyed WHERE vault = ${id} AND change = ${change} AND before IS NOT NULL
    ORDER BY id`);
  return [
    sql`UPDATE destroyed SET live = 1
        WHERE vault = ${id} AND change = ${change} AND before IS NULL`,
    ...rows.map(
      (row) => sql`UPDATE destroyed SET live = 1, excuse = (
          SELECT own.id FROM destroyed AS own
          WHERE own.vault = ${id} AND own.asker = destroyed.asker AND own.after = destroyed.before
            AND own.live = 1 AND own.time >= destroyed.time - ${limits.brakeMs}
            AND own.change < destroyed.change
            AND NOT EXISTS (SELECT 1 FROM destroyed AS used WHERE used.excuse = own.id)
          LIMIT 1)
        WHERE id = ${row.id}`,
    ),
  ];
}

/**
 * What changes whether the files that a change has destroyed count: not when it is undone. What had
 * replaced its text counts from then on, since that text is not there any more.
 */
export function setDestroyedLive(vault: number, change: ChangeId, isLive: boolean): readonly Sql[] {
  return [
    sql`UPDATE destroyed SET excuse = NULL WHERE excuse IN (
          SELECT id FROM destroyed WHERE vault = ${vault} AND change = ${change})`,
    sql`UPDATE destroyed SET live = ${isLive ? 1 : 0}, excuse = NULL
        WHERE vault = ${vault} AND change = ${change}`,
  ];
}

/**
 * What joins what two saves of one file have destroyed, when the later one takes the place of the
 * earlier one. `isNew` says that the earlier one has made the file: then nothing was destroyed.
 */
export function joinDestroyed(
  vault: number,
  saves: {
    readonly earlier: ChangeId;
    readonly later: ChangeId;
    readonly timeMs: number;
    readonly after: string;
    readonly isNew: boolean;
  },
): readonly Sql[] {
  const { earlier, later, timeMs, after, isNew } = saves;
  return [
    sql`DELETE FROM destroyed WHERE vault = ${vault} AND change = ${later} AND (${isNew ? 1 : 0} = 1
          OR EXISTS (SELECT 1 FROM destroyed AS other
            WHERE other.vault = ${vault} AND other.change = ${earlier}))`,
    sql`UPDATE destroyed SET change = ${later}, time = ${timeMs}, after = ${after}
        WHERE vault = ${vault} AND change = ${earlier}`,
  ];
}

/** See `StateStore.destroyedFiles`. */
export async function destroyedFiles(
  { postgres, id }: OwnedVault,
  asker: string,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Promise<number> {
  const row = await postgres.get<{ files: number; found: number }>(sql`
    SELECT coalesce(sum(files), 0)::bigint AS files, count(*) AS found FROM (
      SELECT files FROM destroyed
      WHERE vault = ${id} AND asker = ${storableText(asker)} AND time >= ${sinceMs}
        AND time <= ${untilMs} AND live = 1 AND excuse IS NULL LIMIT ${limits.brakeRowsMax}) AS counted`);
  const { files = 0, found = 0 } = row ?? {};
  return found < limits.brakeRowsMax ? files : Number.POSITIVE_INFINITY;
}

/** See `StateStore.destroyingChanges`. */
export async function destroyingChanges(
  { postgres, id }: OwnedVault,
  asker: string,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
  max: number,
): Promise<{ readonly total: number; readonly ids: readonly ChangeId[] }> {
  const rows = await postgres.all<{ change: ChangeId; total: number }>(sql`
    SELECT change, count(*) OVER () AS total FROM (
      SELECT DISTINCT change FROM destroyed WHERE vault = ${id} AND asker = ${storableText(asker)}
        AND time >= ${sinceMs} AND time <= ${untilMs} AND live = 1) AS found
    ORDER BY change DESC LIMIT ${Math.max(max, 1)}`);
  return { total: rows[0]?.total ?? 0, ids: rows.slice(0, max).map(({ change }) => change) };
}
