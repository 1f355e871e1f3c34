import { limits } from '../../base/limits.ts';
import type { ChangeId, ChangeStep } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import {
  type ChangeRow,
  changeRow,
  forgetChanges,
  insertNeeds,
  stepsOf,
  touching,
  undoesOf,
  versionsOf,
} from './change-rows.ts';
import { joinDestroyed, setDestroyedLive } from './destroyed-files.ts';

type WriteStep = ChangeStep & { readonly do: 'write' };

/**
 * Joins a save with the save before it, if both are of the same file by the same client and the first
 * of the joined saves is not older than `limits.historyFoldMs`. The newer change remains; undoing it
 * brings back the file as it was before the older one.
 */
export function foldChange(connection: Connection, row: ChangeRow): void {
  const step = singleWrite(row);
  if (step === undefined) return;
  const { sql, values } = touching(step.path);
  const before = connection.get<{ id: number | null }>(
    `SELECT max(change) AS id FROM (${sql}) WHERE change < ?`,
    ...values,
    row.id,
  )?.id;
  const earlier = typeof before === 'number' ? changeRow(connection, before) : undefined;
  const earlierStep = earlier === undefined ? undefined : singleWrite(earlier);
  if (earlier === undefined || earlierStep === undefined) return;
  if (!isSameAuthor(earlier, row) || earlier.state !== 'done' || earlier.undone_by !== null) return;
  if (earlierStep.path !== step.path || earlierStep.after !== step.before) return;
  const ageMs = row.time - earlier.first_time;
  if (ageMs < 0 || ageMs >= limits.historyFoldMs) return;

  const { before: _, whole: __, ...rest } = step;
  const isWhole = step.whole === true || earlierStep.whole === true;
  const folded: WriteStep = {
    ...rest,
    ...(earlierStep.before && { before: earlierStep.before }),
    // A file that the joined saves have made was not there to be overwritten.
    ...(isWhole && earlierStep.before && { whole: true }),
  };
  connection.run(
    'UPDATE change SET first_time = ?, steps = ? WHERE id = ?',
    earlier.first_time,
    JSON.stringify([folded]),
    row.id,
  );
  connection.run('DELETE FROM need WHERE change = ?', row.id);
  insertNeeds(connection, row.id, versionsOf(folded));
  joinDestroyed(connection, {
    earlier: earlier.id,
    later: row.id,
    timeMs: row.time,
    after: step.after,
    isNew: earlierStep.before === undefined,
  });
  forgetChanges(connection, [earlier.id]);
}

/**
 * The step of a change that may be joined with another: one write and nothing else, no undo, and
 * nothing that the owner has accepted on its own.
 */
function singleWrite(row: ChangeRow): WriteStep | undefined {
  if (row.proposal !== null) return undefined;
  if (row.fold === 0 || row.undoes !== '[]' || row.kept !== '[]') return undefined;
  const [step, more] = stepsOf(row);
  return step?.do === 'write' && more === undefined ? step : undefined;
}

function isSameAuthor(a: ChangeRow, b: ChangeRow): boolean {
  return (
    a.door === b.door &&
    a.token === b.token &&
    a.client === b.client &&
    // Clients without a name are told apart by their connection.
    (a.client !== null || a.connection === b.connection) &&
    a.tool === b.tool
  );
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
