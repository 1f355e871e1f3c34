import { limits } from '../../base/limits.ts';
import type { ChangeId, HistoryBounds } from '../../engine/ports/state-store.ts';
import { OldestChanges } from '../../sqlite/rows/oldest-changes.ts';
import { forgottenMs } from '../../sqlite/rows/record-ages.ts';
import { type Sql, sql, sqlText } from '../connection/sql.ts';
import { forgetChanges } from './forget-changes.ts';
import type { OwnedVault } from './owned-vault.ts';

/** At most this many changes are deleted at a time, since others wait for the commit lock. */
const changesMax = 1_000;

/** See `StateStore.prune`, and `pruneHistory` of SQLite for the reasons. */
export async function pruneHistory(vault: OwnedVault, bounds: HistoryBounds): Promise<void> {
  const { nowMs, ageMaxMs, bytesMax, keepMs } = bounds;
  await vault.write(async () => {
    const beforeMs = await timeOfAge(vault, nowMs, ageMaxMs);
    const tooOld = await oldestChanges(vault, { nowMs, beforeMs, sparesDeletions: false });
    return [
      forgetOld(vault.id, 'question', nowMs),
      forgetOld(vault.id, 'proposal', nowMs),
      ...(await forgetChanges(vault, tooOld)),
    ];
  }, 'light');
  if ((await contentBytes(vault)) <= bytesMax) return;
  const beforeMs = await timeOfAge(vault, nowMs, keepMs);
  for (const id of await oldestChanges(vault, { nowMs, beforeMs, sparesDeletions: true })) {
    await vault.write(() => forgetChanges(vault, [id]), 'light');
    if ((await contentBytes(vault)) <= bytesMax) return;
  }
}

/** What deletes the oldest of the rows that are too old; only some, since each may have megabytes. */
export function forgetOld(vault: number, table: 'question' | 'proposal', nowMs: number): Sql {
  const rows = sqlText(table);
  return sql`DELETE FROM ${rows} WHERE vault = ${vault} AND id IN (
    SELECT id FROM ${rows} WHERE vault = ${vault} AND time <= ${forgottenMs(table, nowMs)}
    ORDER BY time LIMIT ${limits.forgottenRowsMax})`;
}

async function contentBytes({ postgres, id }: OwnedVault): Promise<number> {
  const bytes = sql`SELECT history_bytes AS n FROM vault WHERE id = ${id}`;
  return (await postgres.get<{ n: number }>(bytes))?.n ?? 0;
}

/**
 * The time before which changes are older than `ageMs`, the latest long pauses not counted. Goes back
 * from now in steps of up to `limits.historyPauseMs`, each of which is one look into an index. Changes
 * with a time after now do not matter.
 */
async function timeOfAge(vault: OwnedVault, nowMs: number, ageMs: number): Promise<number> {
  const { postgres, id } = vault;
  let atMs = nowMs;
  let leftMs = ageMs;
  let pauses = 0;
  for (;;) {
    const row = await postgres.get<{ near: number | null; next: number | null }>(sql`
      SELECT
        (SELECT min(time) FROM change
         WHERE vault = ${id} AND time >= ${atMs - limits.historyPauseMs} AND time < ${atMs}) AS near,
        (SELECT max(time) FROM change WHERE vault = ${id} AND time < ${atMs}) AS next`);
    const nextMs = row?.near ?? row?.next ?? undefined;
    if (nextMs === undefined) return Number.NEGATIVE_INFINITY; // No change is as old as that.
    const isFree = row?.near == null && pauses++ < limits.historyPausesMax;
    const stepMs = isFree ? 0 : atMs - nextMs;
    if (stepMs > leftMs) return atMs - leftMs;
    leftMs -= stepMs;
    atMs = nextMs;
  }
}

/** Reads pages of finished changes until `changesMax` old ones are found, or the rest is too new. */
async function oldestChanges(
  { postgres, id: vault }: OwnedVault,
  bounds: {
    readonly nowMs: number;
    readonly beforeMs: number;
    /** Whether to leave out changes that deleted a file and were not undone. */
    readonly sparesDeletions: boolean;
  },
): Promise<readonly ChangeId[]> {
  const oldest = new OldestChanges(bounds);
  const spared = sqlText(
    bounds.sparesDeletions ? 'AND NOT (deletes = 1 AND undone_by IS NULL)' : '',
  );
  for (let after = 0; oldest.found.length < changesMax; ) {
    const page = await postgres.all<{ id: ChangeId; time: number }>(sql`
      SELECT id, time FROM change WHERE vault = ${vault} AND state = 'done' ${spared} AND id > ${after}
      ORDER BY id LIMIT ${changesMax}`);
    if (!oldest.add(page) || page.length < changesMax) break;
    after = page.at(-1)?.id ?? after;
  }
  return oldest.found;
}
