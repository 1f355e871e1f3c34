import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, trashFolder } from '../../base/vault-path.ts';
import type { ChangeAuthor, ChangeId, ChangeStep, StoredChange } from '../ports/state-store.ts';
import { seesAll } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { ChangedFile, SeesSpan } from './change-files.ts';
import { changedFiles } from './change-files.ts';

/** One change of history, as far as its reader may see it. */
export interface ChangeRow extends ChangeAuthor {
  readonly id: ChangeId;
  readonly timeMs: number;
  /** The change that took this one back. */
  readonly undoneBy?: ChangeId;
  /** The changes that this one took back; absent unless it is an undo or a redo. */
  readonly undoes?: readonly ChangeId[];
  /** Files that an outside editor had changed: they were left as that editor had them. */
  readonly kept: readonly VaultPath[];
  readonly files: readonly ChangedFile[];
}

/**
 * The test whether a caller may see a path of history. A caller who sees the whole vault also sees
 * changes in dot folders.
 */
export function historySees(vault: BoundVault): SeesSpan {
  if (seesAll(vault.view())) return () => true;
  return (path, span) => (span?.isFolder ? vault.seesFolder(path) : vault.sees(path));
}

/**
 * A change as the caller may see it; undefined when the caller sees none of its files. The
 * arguments may name any file, so they are shown only to a caller who sees the whole change.
 */
export function changeRow(vault: BoundVault, change: StoredChange): ChangeRow | undefined {
  const sees = historySees(vault);
  const files = changedFiles(change.steps, sees);
  if (files.length === 0 && !seesAll(vault.view())) return undefined;
  const { id, timeMs, door, client, connection, tool, undoneBy, undoes = [] } = change;
  return {
    id,
    timeMs,
    door,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { connection }),
    tool,
    args: seesWhole(vault, change.steps) ? change.args : {},
    ...(undoneBy === undefined ? {} : { undoneBy }),
    ...(undoes.length === 0 ? {} : { undoes }),
    kept: change.kept.filter((path) => sees(path)),
    files,
  };
}

/**
 * Whether the caller sees every path that a change touched. Everyone may see paths in the trash.
 */
export function seesWhole(vault: BoundVault, steps: readonly ChangeStep[]): boolean {
  if (seesAll(vault.view())) return true;
  const isSeen = (path: VaultPath): boolean =>
    vault.sees(path) ||
    vault.seesFolder(path) ||
    path === trashFolder ||
    isInside(path, trashFolder);
  return steps.every((step) => isSeen(step.path) && (!('to' in step) || isSeen(step.to)));
}
