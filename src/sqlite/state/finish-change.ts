import type { ChangeId } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { type ChangeRow, undoesOf, versionsOf } from '../rows/change-row.ts';
import { foldable, foldedSteps } from '../rows/folded-steps.ts';
import { changeRow, forgetChanges, insertNeeds, touching } from './change-rows.ts';
import { joinDestroyed, setDestroyedLive } from './destroyed-files.ts';

/** Joins a save with the save before it, where `foldedSteps` says how. */
export function foldChange(connection: Connection, row: ChangeRow): void {
  const [step] = foldable(row);
  if (step === undefined) return;
  const { sql, values } = touching(step.path);
  const before = connection.get<{ id: number | null }>(
    `SELECT max(change) AS id FROM (${sql}) WHERE change < ?`,
    ...values,
    row.id,
  )?.id;
  const earlier = typeof before === 'number' ? changeRow(connection, before) : undefined;
  const folded = earlier && foldedSteps(row, earlier);
  if (earlier === undefined || folded === undefined) return;
  const { steps, destroyed } = folded;
  connection.run(
    'UPDATE change SET first_time = ?, steps = ? WHERE id = ?',
    earlier.first_time,
    JSON.stringify(steps),
    row.id,
  );
  connection.run('DELETE FROM need WHERE change = ?', row.id);
  insertNeeds(connection, row.id, steps.flatMap(versionsOf));
  if (destroyed !== undefined) {
    const saves = { earlier: earlier.id, later: row.id, timeMs: row.time };
    joinDestroyed(connection, { ...saves, ...destroyed });
  }
  forgetChanges(connection, [earlier.id]);
}

/**
 * Records that a change undoes others. If one of those was an undo itself, the changes that it had
 * undone count as done again, and so on.
 */
export function markUndone(
  connection: Connection,
  by: ChangeId,
  undoes: readonly ChangeId[],
): void {
  // `by` is null for a change that counts as done again. The list grows while it is worked through.
  const work: { id: ChangeId; by: ChangeId | null }[] = undoes.map((id) => ({ id, by }));
  for (const { id, by } of work) {
    const row = connection.get<{ undoes: string }>('SELECT undoes FROM change WHERE id = ?', id);
    if (row === undefined) continue;
    connection.run('UPDATE change SET undone_by = ? WHERE id = ?', by, id);
    setDestroyedLive(connection, id, by === null);
    // What this change had undone is done again if it is now undone, and undone if it is done again.
    const turn = by === null ? { from: null, to: id } : { from: id, to: null };
    for (const earlier of undoesOf(row)) {
      const sql = 'SELECT count(*) AS n FROM change WHERE id = ? AND undone_by IS ?';
      if (connection.count(sql, earlier, turn.from) > 0) work.push({ id: earlier, by: turn.to });
    }
  }
}
