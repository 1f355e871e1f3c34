import { limits } from '../../base/limits.ts';
import type { ChangeId, ChangeStep, TailStep } from '../../engine/ports/state-store.ts';
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
  const [step] = foldable(row);
  if (step === undefined) return;
  const { sql, values } = touching(step.path);
  const before = connection.get<{ id: number | null }>(
    `SELECT max(change) AS id FROM (${sql}) WHERE change < ?`,
    ...values,
    row.id,
  )?.id;
  const earlier = typeof before === 'number' ? changeRow(connection, before) : undefined;
  if (earlier === undefined) return;
  if (!isSameAuthor(earlier, row) || earlier.state !== 'done' || earlier.undone_by !== null) return;
  const ageMs = row.time - earlier.first_time;
  if (ageMs < 0 || ageMs >= limits.historyFoldMs) return;
  const changes = { row, earlier, earlierSteps: foldable(earlier) };
  if (step.do === 'write') foldWrite(connection, step, changes);
  else foldAppend(connection, step, changes);
}

/** A change, and the one before it that it may be joined with. */
interface ToFold {
  readonly row: ChangeRow;
  readonly earlier: ChangeRow;
  readonly earlierSteps: readonly (WriteStep | TailStep)[];
}

/** Joins writes of a whole file to one that leads from the first version to the last. */
function foldWrite(
  connection: Connection,
  step: WriteStep,
  { row, earlier, earlierSteps }: ToFold,
): void {
  const [earlierStep] = earlierSteps;
  if (earlierStep?.do !== 'write') return;
  if (earlierStep.path !== step.path || earlierStep.after !== step.before) return;
  const { before: _, whole: __, ...rest } = step;
  const isWhole = step.whole === true || earlierStep.whole === true;
  const folded: WriteStep = {
    ...rest,
    ...(earlierStep.before && { before: earlierStep.before }),
    // A file that the joined saves have made was not there to be overwritten.
    ...(isWhole && earlierStep.before && { whole: true }),
  };
  replaceSteps(connection, { row, earlier, steps: [folded] });
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
 * Joins appends in place: the newer change gets the steps of both, so that nothing is added up. A
 * change takes at most `limits.foldedAppendsMax` of them, and no more bytes than one content has.
 */
function foldAppend(
  connection: Connection,
  step: TailStep,
  { row, earlier, earlierSteps }: ToFold,
): void {
  const [first] = earlierSteps;
  const last = earlierSteps.at(-1);
  if (first?.do !== 'append' || last?.do !== 'append') return;
  if (earlierSteps.length >= limits.foldedAppendsMax) return;
  const { path, inode, length, bytes } = last;
  if (path !== step.path || inode !== step.inode || length + bytes !== step.length) return;
  if (step.length + step.bytes - first.length > limits.historyContentBytesMax) return;
  replaceSteps(connection, { row, earlier, steps: [...earlierSteps, step] });
  forgetChanges(connection, [earlier.id]);
}

/** Gives a change the steps that it is joined to with an earlier one, and what they need. */
function replaceSteps(
  connection: Connection,
  {
    row,
    earlier,
    steps,
  }: {
    readonly row: ChangeRow;
    readonly earlier: ChangeRow;
    readonly steps: readonly ChangeStep[];
  },
): void {
  connection.run(
    'UPDATE change SET first_time = ?, steps = ? WHERE id = ?',
    earlier.first_time,
    JSON.stringify(steps),
    row.id,
  );
  connection.run('DELETE FROM need WHERE change = ?', row.id);
  insertNeeds(connection, row.id, steps.flatMap(versionsOf));
}

/**
 * The steps of a change that may be joined with another: one write, or appends in place; no undo, and
 * nothing that the owner has accepted on its own. Empty for any other change.
 */
function foldable(row: ChangeRow): readonly (WriteStep | TailStep)[] {
  if (row.proposal !== null) return [];
  if (row.fold === 0 || row.undoes !== '[]' || row.kept !== '[]') return [];
  const steps = stepsOf(row);
  const [step, more] = steps;
  if (step?.do === 'write' && more === undefined) return [step];
  const appends = steps.filter((each): each is TailStep => each.do === 'append');
  return appends.length === steps.length ? appends : [];
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
