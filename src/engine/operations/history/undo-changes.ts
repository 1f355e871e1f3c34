import { VaultError } from '../../../base/vault-error.ts';
import { changeRow, seesWhole } from '../../change/change-row.ts';
import { readHistory } from '../../history/read-history.ts';
import type { Undone, UndoOptions } from '../../history/undo-history.ts';
import { undoHistory } from '../../history/undo-history.ts';
import type { ChangeId, StateStore, StoredChange } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';
import type { WhichChanges } from './list-changes.ts';
import { changeFilter } from './list-changes.ts';
import { noSuchChange } from './show-change.ts';

/**
 * Which changes to undo: by id; or the last few, or all, of those that match a filter; or, without
 * either, the last change.
 */
export interface UndoRequest extends WhichChanges {
  readonly ids?: readonly ChangeId[] | undefined;
  /** How many of the newest changes that match. */
  readonly last?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Undoes changes: restores every file that nothing else has changed since, keeps later edits in
 * other places of a file, and lists what it could not restore. An undo is only undone by its id, or
 * by `redoChange`. Fails with `not_found` when no change matches, and as `changesOf` does for ids.
 */
export async function undoChanges(
  draft: Draft,
  request: UndoRequest & UndoOptions,
): Promise<Undone> {
  const { changes, warnings } = await chosenChanges(draft.vault, request);
  for (const warning of warnings) draft.warn(warning);
  return undoHistory(draft, changes, request);
}

/**
 * Finds the changes that a request means. Fails with `not_found` when there is none, and with
 * `invalid_input` when it has both ids and a filter.
 */
export async function chosenChanges(
  vault: BoundVault,
  { ids, last, session, client, sinceMs, path }: UndoRequest,
): Promise<{ readonly changes: readonly StoredChange[]; readonly warnings: readonly string[] }> {
  const { state } = vault.vault.parts;
  const filter = changeFilter({ session, client, sinceMs, path });
  const isFiltered = Object.keys(filter).length > 0;
  if (ids !== undefined) {
    if (last === undefined && !isFiltered) {
      return { changes: await changesOf(vault, state, ids), warnings: [] };
    }
    throw new VaultError(
      'invalid_input',
      'Give either the numbers of changes or a filter, not both.',
    );
  }
  const max = last ?? (isFiltered ? Number.POSITIVE_INFINITY : 1);
  const found: StoredChange[] = [];
  let hidden = 0;
  for await (const change of readHistory(state, filter)) {
    if (found.length >= max) break;
    const isPlain = change.undoneBy === undefined && (change.undoes ?? []).length === 0;
    if (!isPlain || changeRow(vault, change) === undefined) continue;
    if (seesWhole(vault, change.steps)) found.push(change);
    else hidden++;
  }
  if (found.length === 0) {
    throw new VaultError('not_found', 'There is no matching change to undo.');
  }
  return {
    changes: found,
    warnings: hidden > 0 ? [`${hidden} changes stay: ${partlyHidden}`] : [],
  };
}

const partlyHidden =
  'this connection may not see all files that were changed; ask someone who may see them.';

/**
 * Finds changes by id. Fails with `not_found` when one does not exist or the caller may see none of
 * its files, with `invalid_input` when one is undone already, and with `forbidden` when the caller
 * may see only some of its files.
 */
export async function changesOf(
  vault: BoundVault,
  state: StateStore,
  ids: readonly ChangeId[],
): Promise<readonly StoredChange[]> {
  const { items } = await state.changes({ ids }, { limit: ids.length, offset: 0 });
  const seen = items.filter((change) => changeRow(vault, change) !== undefined);
  const missing = ids.filter((id) => !seen.some((change) => change.id === id));
  if (missing.length > 0) throw noSuchChange(missing);
  for (const { id, undoneBy, steps } of seen) {
    if (undoneBy !== undefined) {
      throw new VaultError(
        'invalid_input',
        `Change ${id} is undone already, by change ${undoneBy}; redo ${undoneBy} brings it back.`,
        { details: { id, undoneBy } },
      );
    }
    if (!seesWhole(vault, steps)) {
      throw new VaultError('forbidden', `Change ${id} cannot be undone here: ${partlyHidden}`, {
        details: { id },
      });
    }
  }
  return seen;
}
