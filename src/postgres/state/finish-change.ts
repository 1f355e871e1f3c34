import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangeId } from '../../engine/ports/state-store.ts';
import { type ChangeRow, undoesOf, versionsOf } from '../../sqlite/rows/change-row.ts';
import { foldable, foldedSteps } from '../../sqlite/rows/folded-steps.ts';
import { type Sql, sql } from '../connection/sql.ts';
import { changeRow, touching } from './change-queries.ts';
import { countDestroyed, joinDestroyed, setDestroyedLive } from './destroyed-files.ts';
import { forgetChanges } from './forget-changes.ts';
import type { OwnedVault } from './owned-vault.ts';

/** What makes a change part of the history. */
export async function finishChange(
  vault: OwnedVault,
  open: ChangeRow,
  kept: readonly VaultPath[],
): Promise<readonly Sql[]> {
  const row = { ...open, kept: JSON.stringify(kept) };
  // All of these only read now.
  const [destroyed, undone, folded] = await Promise.all([
    countDestroyed(vault, row.id),
    markUndone(vault, row.id, undoesOf(row)),
    foldChange(vault, row),
  ]);
  return [
    sql`UPDATE change SET state = 'done', kept = ${row.kept} WHERE vault = ${vault.id} AND id = ${row.id}`,
    ...destroyed,
    ...undone,
    ...folded,
    ...(row.proposal === null
      ? []
      : [
          sql`UPDATE proposal SET state = 'accepted', change = ${row.id}, decided = ${row.time}
              WHERE vault = ${vault.id} AND id = ${row.proposal} AND state = 'open'`,
        ]),
  ];
}

/** What joins a save with the save before it, where `foldedSteps` says how. */
async function foldChange(vault: OwnedVault, row: ChangeRow): Promise<readonly Sql[]> {
  const [step] = foldable(row);
  if (step === undefined) return [];
  const { id, postgres } = vault;
  const before = await postgres.get<{ id: ChangeId | null }>(sql`
    SELECT max(change) AS id FROM touch
    WHERE vault = ${id} AND change < ${row.id} AND ${touching(step.path)}`);
  const earlier = before?.id == null ? undefined : await changeRow(vault, before.id);
  const folded = earlier && foldedSteps(row, earlier);
  if (earlier === undefined || folded === undefined) return [];
  const { steps, destroyed } = folded;
  const versions = Array.from(new Set(steps.flatMap(versionsOf)));
  return [
    sql`UPDATE change SET first_time = ${earlier.first_time}, steps = ${JSON.stringify(steps)}
        WHERE vault = ${id} AND id = ${row.id}`,
    sql`DELETE FROM need WHERE vault = ${id} AND change = ${row.id}`,
    sql`INSERT INTO need (vault, change, version)
        SELECT ${id}, ${row.id}, version FROM unnest(${versions}::text[]) AS version`,
    ...(destroyed === undefined
      ? []
      : joinDestroyed(id, {
          earlier: earlier.id,
          later: row.id,
          timeMs: row.time,
          ...destroyed,
        })),
    ...(await forgetChanges(vault, [earlier.id], { id: row.id, versions })),
  ];
}

/**
 * What records that a change undoes others. If one of those was an undo itself, the changes that it had
 * undone count as done again, and so on.
 */
async function markUndone(
  vault: OwnedVault,
  by: ChangeId,
  undoes: readonly ChangeId[],
): Promise<readonly Sql[]> {
  const { id: vaultId } = vault;
  const statements: Sql[] = [];
  const rows = new Map<ChangeId, Pick<ChangeRow, 'undoes'> & { undone_by: ChangeId | null }>();
  const rowOf = async (id: ChangeId) => {
    const row = rows.get(id) ?? (await changeRow(vault, id));
    if (row !== undefined) rows.set(id, row);
    return row;
  };
  // `by` is null for a change that counts as done again. The list grows while it is worked through.
  const work: { id: ChangeId; by: ChangeId | null }[] = undoes.map((id) => ({ id, by }));
  for (const { id, by } of work) {
    const row = await rowOf(id);
    if (row === undefined) continue;
    rows.set(id, { ...row, undone_by: by });
    statements.push(
      sql`UPDATE change SET undone_by = ${by} WHERE vault = ${vaultId} AND id = ${id}`,
      ...setDestroyedLive(vaultId, id, by === null),
    );
    // What this change had undone is done again if it is now undone, and undone if it is done again.
    const turn = by === null ? { from: null, to: id } : { from: id, to: null };
    for (const earlier of undoesOf(row)) {
      const other = await rowOf(earlier);
      if (other?.undone_by === turn.from) work.push({ id: earlier, by: turn.to });
    }
  }
  return statements;
}
