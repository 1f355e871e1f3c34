import type { ChangeName } from '../../../base/change-name.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { changeNamer } from '../../change/change-names.ts';
import { changeRow } from '../../change/change-row.ts';
import { changeIds, noSuchChange } from '../../history/change-ids.ts';
import { readHistory } from '../../history/read-history.ts';
import { undoersOf } from '../../history/shown-changes.ts';
import type { Undone, UndoOptions } from '../../history/undo-history.ts';
import { undoHistory } from '../../history/undo-history.ts';
import type { ChangeId, StoredChange } from '../../ports/state-store.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';
import type { WhichChanges } from './list-changes.ts';
import { changeFilter } from './list-changes.ts';

/**
 * Which changes to undo: by name; or the last few, or all, of those that match a filter; or, without
 * either, the last change.
 */
export interface UndoRequest extends WhichChanges {
  readonly names?: readonly ChangeName[] | undefined;
  /** The same by numbers; only the engine itself asks this way. */
  readonly ids?: readonly ChangeId[] | undefined;
  /** How many of the newest changes that match. */
  readonly last?: number | undefined;
  /** With names or numbers: only these files of the changes; see `UndoOptions`. */
  readonly paths?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Undoes changes: restores every file that nothing else has changed since, keeps later edits in
 * other places of a file, and lists what it could not restore. An undo is only undone by its name,
 * or by `redoChange`. Fails with `not_found` when no change matches, and as `changesOf` does.
 */
export async function undoChanges(
  draft: Draft,
  request: UndoRequest & UndoOptions,
): Promise<Undone> {
  return undoHistory(draft, await chosenChanges(draft.vault, request), request);
}

/**
 * Finds the changes that a request means. Fails with `not_found` when there is none, and with
 * `invalid_input` when it has both names and a filter.
 */
export async function chosenChanges(
  vault: BoundVault,
  { names, ids, last, session, clients, sinceMs, path, paths }: UndoRequest,
): Promise<readonly StoredChange[]> {
  const filter = changeFilter({ session, clients, sinceMs, path });
  const isFiltered = Object.keys(filter).length > 0;
  if (names !== undefined || ids !== undefined) {
    if (last === undefined && !isFiltered) {
      return ids === undefined ? changesOf(vault, names ?? []) : changesById(vault, ids);
    }
    throw new VaultError(
      'invalid_input',
      'Give either the numbers of changes or a filter, not both.',
    );
  }
  if (paths !== undefined) {
    throw new VaultError('invalid_input', 'Single files are undone by the numbers of changes.');
  }
  const max = last ?? (isFiltered ? Number.POSITIVE_INFINITY : 1);
  // For a caller who does not see all, `undoersOf` decides which changes are undone.
  const isWhole = seesAll(vault.view());
  const found: StoredChange[] = [];
  for await (const change of readHistory(vault.history, filter)) {
    if (isWhole && found.length >= max) break;
    const isUndo = (change.undoes ?? []).length > 0;
    if (isUndo || (isWhole && change.undoneBy !== undefined)) continue;
    if (changeRow(vault, change) !== undefined) found.push(change);
  }
  const undoers = await undoersOf(vault, found);
  const open = found.filter(({ id }) => !undoers.has(id)).slice(0, max);
  if (open.length === 0) {
    const what = isFiltered ? 'no matching change' : 'nothing';
    throw new VaultError('not_found', `There is ${what} to undo.`, {
      details: { missing: 'matching change' },
    });
  }
  return open;
}

/**
 * Finds changes by name. Fails with `not_found` when one does not exist or the caller may see none
 * of its files, and with `invalid_input` when one is undone already.
 */
export async function changesOf(
  vault: BoundVault,
  names: readonly ChangeName[],
): Promise<readonly StoredChange[]> {
  const ids = await changeIds(vault, names);
  const missing = names.filter((name) => !ids.has(name));
  if (missing.length > 0) throw noSuchChange(missing);
  return changesById(vault, Array.from(new Set(ids.values())));
}

async function changesById(
  vault: BoundVault,
  ids: readonly ChangeId[],
): Promise<readonly StoredChange[]> {
  const { items } = await vault.history.changes({ ids }, { limit: ids.length, offset: 0 });
  const seen = items.filter((change) => changeRow(vault, change) !== undefined);
  const found = new Set(seen.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  const nameOf = await changeNamer(vault);
  if (missing.length > 0) throw noSuchChange(missing.map(nameOf));
  for (const [undone, undoer] of await undoersOf(vault, seen)) {
    const [id, undoneBy] = [nameOf(undone), nameOf(undoer)];
    throw new VaultError(
      'invalid_input',
      `Change ${id} is undone already, by change ${undoneBy}.`,
      { details: { id, undoneBy } },
    );
  }
  return seen;
}
