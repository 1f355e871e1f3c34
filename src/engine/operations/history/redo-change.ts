import type { ChangeName } from '../../../base/change-name.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { changeNamer } from '../../change/change-names.ts';
import { changeRow, seesWhole } from '../../change/change-row.ts';
import { changeIds } from '../../history/change-ids.ts';
import { readHistory } from '../../history/read-history.ts';
import type { Undone } from '../../history/undo-history.ts';
import { undoHistory } from '../../history/undo-history.ts';
import type { ChangeId, StateStore, StoredChange } from '../../ports/state-store.ts';
import type { Draft } from '../../vault/draft.ts';
import { changesOf } from './undo-changes.ts';

/** What a redo did. */
export interface Redone extends Undone {
  /** The changes that the undo had taken back, at least in part. */
  readonly redone: readonly ChangeId[];
}

/**
 * Takes back an undo: restores what it had undone, except in files that have changed since.
 * Without an id it takes back the newest undo that is still in effect. The id of a change that was
 * undone alone stands for its undo. Fails with `not_found` when there is no such undo, and with
 * `invalid_input` when the change is no undo and was not undone, or was undone together with others.
 */
export async function redoChange(
  draft: Draft,
  { id }: { readonly id?: ChangeName | undefined; readonly dryRun?: boolean | undefined },
): Promise<Redone> {
  const state = draft.vault.history;
  const change = id === undefined ? await newestUndo(draft, state) : await undoOf(draft, state, id);
  return { ...(await undoHistory(draft, [change])), redone: change.undoes ?? [] };
}

async function newestUndo(draft: Draft, state: Pick<StateStore, 'changes'>): Promise<StoredChange> {
  for await (const change of readHistory(state, {})) {
    if (change.undoneBy !== undefined || !(await isUndo(state, change))) continue;
    if (seesWhole(draft.vault, change.steps)) return change;
  }
  throw new VaultError('not_found', 'There is no undo to take back.');
}

/** The undo with this id, or the one that took back this change alone. */
async function undoOf(
  draft: Draft,
  state: Pick<StateStore, 'changes'>,
  id: ChangeName,
): Promise<StoredChange> {
  const one = async (which: ChangeId | undefined): Promise<StoredChange | undefined> => {
    if (which === undefined) return undefined;
    const { items } = await state.changes({ ids: [which] }, { limit: 1, offset: 0 });
    return items.find((each) => changeRow(draft.vault, each) !== undefined);
  };
  const asked = await one((await changeIds(draft.vault, [id])).get(id));
  if (asked?.undoneBy === undefined || asked.undoes !== undefined) {
    const [change] = await changesOf(draft.vault, [id]);
    if (change !== undefined && (await isUndo(state, change))) return change;
    throw notRedone(id, 'is not undone, so there is nothing to redo');
  }
  const undo = await one(asked.undoneBy);
  if (undo?.undoes?.length === 1) return undo;
  const nameOf = await changeNamer(draft.vault);
  throw notRedone(
    id,
    `was undone together with others, by change ${nameOf(asked.undoneBy)}; redo that one to make all of them again`,
  );
}

function notRedone(id: ChangeName, why: string): VaultError {
  return new VaultError('invalid_input', `Change ${id} ${why}.`, { details: { id } });
}

/** Whether a change undid others. A change that undid an undo is a redo, which does not count. */
async function isUndo(
  state: Pick<StateStore, 'changes'>,
  { undoes = [] }: StoredChange,
): Promise<boolean> {
  if (undoes.length === 0) return false;
  const { items } = await state.changes({ ids: undoes }, { limit: undoes.length, offset: 0 });
  // The undone changes may be too old for the history to have them; then they count as changes.
  return items.length === 0 || items.some((change) => (change.undoes ?? []).length === 0);
}
