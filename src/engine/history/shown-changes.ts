import { changeNamer } from '../change/change-names.ts';
import { type ChangeRow, changeRow, seesWhole } from '../change/change-row.ts';
import type { ChangeId, StoredChange } from '../ports/state-store.ts';
import { seesAll } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { Turns } from '../vault/turns.ts';
import { readHistory } from './read-history.ts';

/**
 * Changes as the caller is told of them: by the caller's own names, without files, undos and undone
 * changes that it does not see. Changes of which it sees no file are left out.
 */
export async function shownChanges(
  vault: BoundVault,
  changes: readonly StoredChange[],
): Promise<readonly ChangeRow[]> {
  const rows = changes.flatMap((change) => changeRow(vault, change) ?? []);
  if (seesAll(vault.view())) return rows;
  const nameOf = await changeNamer(vault);
  const undoers = await undoersOf(vault, changes);
  const seen = await seenAmong(
    vault,
    rows.flatMap(({ undoes = [] }) => undoes),
  );
  return rows.map(({ id, undoneBy: _, undoes = [], ...row }) => {
    const undoer = undoers.get(id);
    const undone = undoes.filter((each) => seen.has(each));
    return {
      ...row,
      id: nameOf(id),
      ...(undoer === undefined ? {} : { undoneBy: nameOf(undoer) }),
      ...(undone.length === 0 ? {} : { undoes: undone.map(nameOf) }),
    };
  });
}

/**
 * For each change that is undone as far as the caller sees it, the change that undid it. For a
 * caller who does not see the whole change, an undo of the part that someone saw counts too.
 */
export async function undoersOf(
  vault: BoundVault,
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<ChangeId, ChangeId>> {
  const undoers = new Map<ChangeId, ChangeId>();
  for (const { id, undoneBy } of changes) if (undoneBy !== undefined) undoers.set(id, undoneBy);
  if (seesAll(vault.view())) return undoers;
  const seen = await seenAmong(vault, Array.from(undoers.values()));
  for (const [id, by] of Array.from(undoers)) if (!seen.has(by)) undoers.delete(id);
  const open = changes.filter(({ id, steps }) => !undoers.has(id) && !seesWhole(vault, steps));
  if (open.length === 0) return undoers;
  const ids = new Set(open.map(({ id }) => id));
  // A plain minimum: there may be more changes than a call can have arguments.
  const after = open.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY);
  const turns = new Turns(vault);
  for await (const later of readHistory(vault.history, { after })) {
    await turns.next();
    const undone = (later.partly ?? []).filter((id) => ids.has(id) && !undoers.has(id));
    if (undone.length === 0 || later.undoneBy !== undefined) continue;
    if (changeRow(vault, later) !== undefined) for (const id of undone) undoers.set(id, later.id);
  }
  return undoers;
}

/** Those of the changes of which the caller sees a file. */
async function seenAmong(
  vault: BoundVault,
  ids: readonly ChangeId[],
): Promise<ReadonlySet<ChangeId>> {
  if (ids.length === 0) return new Set();
  const { items } = await vault.history.changes(
    { ids: Array.from(new Set(ids)) },
    { limit: ids.length, offset: 0 },
  );
  const seen = items.filter((change) => changeRow(vault, change) !== undefined);
  return new Set(seen.map(({ id }) => id));
}
