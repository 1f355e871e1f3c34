import type { ChangeId } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { undoesOf } from './change-rows.ts';

/**
 * Notes that a change took others back. If one of those was an undo itself, what it had taken
 * back counts again, and so on: each change is undone by at most one that is not undone.
 */
export function markUndone(
  connection: Connection,
  by: ChangeId,
  undoes: readonly ChangeId[],
): void {
  const work: { id: ChangeId; by: ChangeId | null }[] = undoes.map((id) => ({ id, by }));
  for (const { id, by } of work) {
    const row = connection.get<{ undoes: string }>('SELECT undoes FROM change WHERE id = ?', id);
    if (row === undefined) continue;
    connection.run('UPDATE change SET undone_by = ? WHERE id = ?', by, id);
    const turns = by === null ? { from: null, to: id } : { from: id, to: null };
    for (const taken of undoesOf(row)) {
      const sql = 'SELECT count(*) AS n FROM change WHERE id = ? AND undone_by IS ?';
      if (connection.count(sql, taken, turns.from) > 0) work.push({ id: taken, by: turns.to });
    }
  }
}
