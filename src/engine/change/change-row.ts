import type { ChangeName } from '../../base/change-name.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, trashFolder } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type {
  ChangeAuthor,
  ChangeId,
  ChangeStep,
  ProposalId,
  StoredChange,
} from '../ports/state-store.ts';
import { seesAll } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { ChangedFile, SeesSpan } from './change-files.ts';
import { changedFiles } from './change-files.ts';

/** One change of history, as far as its reader may see it, by the names that the reader uses. */
export interface ChangeRow extends ChangeAuthor {
  readonly id: ChangeName;
  readonly timeMs: number;
  /** The proposal that the owner accepted with it. */
  readonly proposal?: ProposalId;
  /** The change that took this one back. */
  readonly undoneBy?: ChangeName;
  /** The changes that this one took back; absent unless it is an undo or a redo. */
  readonly undoes?: readonly ChangeName[];
  /** Files that an outside editor had changed: they were left as that editor had them. */
  readonly kept: readonly VaultPath[];
  readonly files: readonly ChangedFile[];
}

/** The same by numbers, for use within the engine. */
interface SeenChange extends ChangeRow {
  readonly id: ChangeId;
  readonly undoneBy?: ChangeId;
  readonly undoes?: readonly ChangeId[];
}

/**
 * The test whether a caller may see a path of history. A caller who sees the whole vault also sees
 * changes in dot folders.
 */
export function historySees(vault: BoundVault): SeesSpan {
  if (seesAll(vault.view())) return () => true;
  return (path, span) =>
    span?.isFolder ? vault.seesFolder(path) : vault.seesFile(path, span ?? {});
}

/**
 * A change as the caller may see it; undefined when the caller sees none of its files. The
 * arguments may name any file, so they are shown only to a caller who sees the whole change.
 */
export function changeRow(vault: BoundVault, change: StoredChange): SeenChange | undefined {
  const sees = historySees(vault);
  const files = changedFiles(change.steps, sees);
  if (files.length === 0 && !seesAll(vault.view())) return undefined;
  const { id, timeMs, door, client, connection, token, tool, proposal, undoneBy } = change;
  const { undoes = [] } = change;
  return {
    id,
    timeMs,
    door,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { connection }),
    ...(token === undefined ? {} : { token }),
    tool,
    args: seesWhole(vault, change.steps) ? change.args : {},
    ...(proposal === undefined ? {} : { proposal }),
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
    vault.sees(path) || vault.seesFolder(path) || isTrash(path);
  return steps.every(
    (step) =>
      isSeen(step.path) && (!('to' in step) || isSeen(step.to)) && !leadsOutOfSight(vault, step),
  );
}

/** Whether a step is about a symlink to a file that the caller may not see. */
function leadsOutOfSight(vault: BoundVault, step: ChangeStep): boolean {
  return 'leadsTo' in step && step.leadsTo !== undefined && !vault.sees(step.leadsTo);
}

function isTrash(path: VaultPath): boolean {
  return path === trashFolder || isInside(path, trashFolder);
}

/**
 * The steps of a change as its caller sees them: those that touch only what it may not see are left
 * out, a file that was moved out of its sight was deleted, and one that was moved into its sight was
 * made there. A folder that was moved across that border is left out.
 */
export function seenSteps(vault: BoundVault, steps: readonly ChangeStep[]): readonly ChangeStep[] {
  if (seesWhole(vault, steps)) return steps;
  return steps.flatMap((step) => seenStep(vault, step));
}

const noVersion = '' as Version;

function seenStep(vault: BoundVault, step: ChangeStep): readonly ChangeStep[] {
  if (leadsOutOfSight(vault, step)) return [];
  const { path } = step;
  switch (step.do) {
    case 'makeFolder':
    case 'dropFolder':
      return vault.seesFolder(path) ? [step] : [];
    case 'moveFolder':
      return vault.seesFolder(path) && vault.seesFolder(step.to) ? [step] : [];
    case 'append':
    case 'cut':
    case 'delete':
      return vault.sees(path) ? [step] : [];
    case 'write': {
      const { from, ...written } = step;
      if (!vault.sees(path)) return [];
      return from === undefined || vault.sees(from) ? [step] : [written];
    }
    case 'move': {
      const { to, version, over } = step;
      const goes = vault.sees(path);
      const comes = vault.sees(to);
      if ((goes || isTrash(path)) && (comes || isTrash(to))) return goes || comes ? [step] : [];
      const before = version === undefined ? {} : { before: version };
      if (goes) return [{ do: 'delete', path, ...before }];
      if (!comes) return [];
      // Without a version, an undo cannot check that it is still the same file, and leaves it there.
      const isKept = version !== undefined && over !== 'unkept';
      const replaced = isKept && over !== undefined ? { before: over } : {};
      const entry = isKept ? {} : { entry: true as const };
      return [
        { do: 'write', path: to, ...replaced, after: version ?? noVersion, token: '', ...entry },
      ];
    }
  }
}
