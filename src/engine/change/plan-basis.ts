import { inParallel } from '../../base/in-parallel.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isInside, isVaultPath, type VaultPath } from '../../base/vault-path.ts';
import type { PlannedFile } from '../ports/proposals.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { FileChange } from '../vault/draft.ts';
import { Turns } from '../vault/turns.ts';
import { changeFiles, type SeesSpan } from './change-files.ts';

/** How many files are read at once whose versions the plan does not have. */
const readsAtOnce = 2;

/**
 * What a plan does to each file, and to which version of it. Reads the files that it moves and
 * deletes without having read them, and looks through the folders that it moves.
 */
export async function basisOf(
  vault: BoundVault,
  steps: readonly ChangeStep[],
): Promise<readonly PlannedFile[]> {
  const turns = new Turns(vault);
  const moves = steps.filter((step) => step.do === 'moveFolder');
  const found = await inParallel(steps, readsAtOnce, async (step) => {
    await turns.next();
    return step.do === 'moveFolder'
      ? folderAt(vault, turns, pathBefore(step.path, moves.slice(0, moves.indexOf(step))))
      : hasNoVersion(step)
        ? fileAt(vault, step.path)
        : undefined;
  });
  return steps.flatMap((step, at) => {
    const file = plannedFile(step);
    const now = found[at];
    if (file === undefined) return [];
    return [now === undefined ? file : { ...file, found: now }];
  });
}

/** What a finished change has done to each file. */
export function madeFiles(steps: readonly ChangeStep[]): readonly PlannedFile[] {
  return steps.flatMap((step) => plannedFile(step) ?? []);
}

function plannedFile(step: ChangeStep): PlannedFile | undefined {
  const { path } = step;
  switch (step.do) {
    case 'write':
      return { path, ...beforeOf(step.before), after: step.after };
    case 'delete':
      return { path, ...beforeOf(step.before) };
    case 'move': {
      const over = step.over === undefined ? {} : { over: step.over };
      return { path, ...beforeOf(step.version), to: step.to, ...over };
    }
    case 'moveFolder':
      return { path, to: step.to };
    case 'makeFolder':
      return step.asked === true ? { path, folder: 'made' } : undefined;
    case 'dropFolder':
      return step.asked === true ? { path, folder: 'removed' } : undefined;
    case 'append':
    case 'cut':
      return undefined; // No proposal has one; see `TailDraft`.
  }
}

function beforeOf(version: PlannedFile['before']): Pick<PlannedFile, 'before'> {
  return version === undefined ? {} : { before: version };
}

/** Whether a step moves, deletes or replaces a file without saying which version of it. */
function hasNoVersion(step: ChangeStep): boolean {
  switch (step.do) {
    case 'write':
      return step.entry === true && step.before === undefined;
    case 'delete':
      return step.before === undefined;
    case 'move':
      return step.version === undefined;
    default:
      return false;
  }
}

/** Where a folder is now that has this path when other folders have moved. */
function pathBefore(
  path: VaultPath,
  moves: readonly (ChangeStep & { do: 'moveFolder' })[],
): VaultPath {
  let at: string = path;
  for (const { path: from, to } of moves.toReversed()) {
    if (at === to || isInside(at, to)) at = from + at.slice(to.length);
  }
  return at as VaultPath;
}

/** The version of a file, or the stamp of one that is not read; undefined where nothing is found. */
async function fileAt(vault: BoundVault, path: VaultPath): Promise<string | undefined> {
  const { disk } = vault.vault.parts;
  try {
    const stat = await disk.stat(path);
    if (stat === undefined) return undefined;
    const { stamp, present, size } = stat;
    if (!present || size > limits.historyContentBytesMax) return stamp;
    const read = await disk.read(path, { bytesMax: limits.historyContentBytesMax });
    return read.version;
  } catch (error) {
    return unreadable(error);
  }
}

/** The hash of all that is in a folder, with the stamps of the files. Symlinks are not followed. */
async function folderAt(vault: BoundVault, turns: Turns, folder: VaultPath): Promise<string> {
  const { disk, hash } = vault.vault.parts;
  const found: string[] = [];
  const toList = [folder];
  for (let at = toList.pop(); at !== undefined; at = toList.pop()) {
    for (const { name, kind } of (await disk.entries(at)) ?? []) {
      await turns.next();
      const path = `${at}/${name}` as VaultPath;
      if (kind === 'folder' && isVaultPath(path)) toList.push(path);
      const isFile = kind === 'file' && isVaultPath(path);
      const stamp = isFile ? await disk.stat(path).catch(unreadable) : undefined;
      const state = typeof stamp === 'object' ? stamp.stamp : stamp;
      found.push(JSON.stringify([path.slice(folder.length), kind, state]));
    }
  }
  return hash.version(new TextEncoder().encode(found.toSorted().join('\n')));
}

/** What stands for a file that cannot be read; a vault that is away is a failure. */
function unreadable(error: unknown): string {
  if (error instanceof VaultError && error.code !== 'vault_not_found') return error.code;
  throw error;
}

/** Whether two plans do the same to the same versions of the same files. */
export function isSameBasis(one: readonly PlannedFile[], other: readonly PlannedFile[]): boolean {
  const lines = (basis: readonly PlannedFile[]): string =>
    basis
      .map(({ path, before, after, to, folder, found, over }) =>
        JSON.stringify([path, before, after, to, folder, found, over]),
      )
      .toSorted()
      .join('\n');
  return lines(one) === lines(other);
}

/** What a plan would do to the files that `sees` admits, as a change reports it; all when absent. */
export function plannedFiles(basis: readonly PlannedFile[], sees?: SeesSpan): FileChange[] {
  return changeFiles(basis.map(stepOf), sees);
}

/** A step that does to the file what the plan does; only its paths and versions mean something. */
function stepOf({ path, before, after, to, folder }: PlannedFile): ChangeStep {
  if (folder === 'made') return { do: 'makeFolder', path, asked: true };
  if (folder === 'removed') return { do: 'dropFolder', path, asked: true };
  if (after !== undefined) return { do: 'write', path, ...beforeOf(before), after, token: '' };
  if (to === undefined) return { do: 'delete', path, ...beforeOf(before) };
  return { do: 'move', path, to, ...(before === undefined ? {} : { version: before }) };
}
