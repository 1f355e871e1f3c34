import { accessSync, constants, lstatSync, readdirSync, statfsSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { fileKind } from '../../engine/ports/file-kind.ts';
import { makeFileStat } from '../../node/disk/file-stat.ts';
import { realRoots } from '../../node/disk/vault-roots.ts';
import { fileSystemType, silentDrive } from '../../node/place/drive-kind.ts';
import { walkVault } from '../../node/scan/walk-vault.ts';
import { diskError, errnoOf } from '../../node/system/disk-error.ts';
import type { Shell } from '../shell/shell.ts';
import { vaultPlaces } from '../vaults/vault-places.ts';

/** What a look at the folder of a vault has found. Plain JSON: it comes from another process. */
export type VaultLook =
  | { readonly fault: LookFault; readonly message: string }
  | {
      /** The path without symlinks. */
      readonly real: string;
      readonly drive: VaultDrive;
      /** Absent after a brief look. */
      readonly tree?: VaultTree;
    };

/** Why a vault cannot be opened; `silent` means that its drive does not answer. */
type LookFault = 'missing' | 'refused' | 'silent';

export interface VaultDrive {
  /** The type of its file system, such as `ext4`, where the system says it. */
  readonly type?: string;
  /** Its kind, such as `FUSE`, if it does not report all changes. */
  readonly silent?: string;
  /** Whether names that differ only in case are the same file; absent where it could not be told. */
  readonly ignoresCase?: boolean;
  /** Absent where the drive does not say it. */
  readonly freeBytes?: number;
  /** The error with which the system refuses to watch the folder. */
  readonly watchFault?: string;
}

export interface VaultTree {
  /** Whether the walk came to its end; otherwise all numbers are at least these. */
  readonly isWhole: boolean;
  readonly notes: number;
  readonly files: number;
  readonly folders: number;
  /** How many files and folders cannot be read, and the paths of the first ones. */
  readonly unreadable: number;
  readonly unreadableNames: readonly string[];
  /** Notes whose content is in the cloud and not on this machine. */
  readonly away: number;
  /** Files that were changed in the future, by the clock of this machine. */
  readonly future: number;
  /** Folders in which no file can be made or replaced. */
  readonly closedFolders: number;
}

/**
 * Looks at the folder of a vault without changing anything. May wait for ever on a drive that does not
 * answer, so it is run in a process of its own (`lookAtVaults`).
 */
export function lookAtVault(
  path: string,
  { env, brief }: Pick<Shell, 'env'> & { readonly brief: boolean },
): VaultLook {
  try {
    const { root } = vaultPlaces({ name: path, path }, env);
    if (brief) return { real: root, drive: driveOf(root) };
    return { real: root, drive: driveOf(root), tree: treeOf(root) };
  } catch (error) {
    const { message, cause } = diskError(path, error);
    return { fault: errnoOf(cause) === 'ENOENT' ? 'missing' : 'refused', message };
  }
}

function driveOf(root: string): VaultDrive {
  const { platform } = process;
  const type = fileSystemType(root);
  const silent = silentDrive(root, platform);
  const ignoresCase = ignoresCaseIn(root);
  const watchFault = silent === undefined ? watchFaultOf(root) : undefined;
  const freeBytes = freeBytesOf(root);
  return {
    ...(type === undefined ? {} : { type }),
    ...(silent === undefined ? {} : { silent }),
    ...(ignoresCase === undefined ? {} : { ignoresCase }),
    ...(watchFault === undefined ? {} : { watchFault }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  };
}

/** How many bytes are free on the drive of a folder; undefined where it does not say it. */
export function freeBytesOf(folder: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Looks for something that is there under a name in the other case, so nothing has to be made. */
function ignoresCaseIn(root: string): boolean | undefined {
  const names = readdirSync(root);
  const all = new Set(names);
  const name = names.find((each) => swapped(each) !== each && !all.has(swapped(each)));
  if (name === undefined) return undefined;
  // The list of names has no such name. Inodes would tell nothing: some drives invent them.
  return lstatSync(join(root, swapped(name)), { throwIfNoEntry: false }) !== undefined;
}

function swapped(name: string): string {
  return name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase();
}

function watchFaultOf(root: string): string | undefined {
  try {
    watch(root).close();
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? 'unknown';
  }
}

/** Walks through the vault as the index does, for a limited time. */
function treeOf(root: string): VaultTree {
  const walk = walkVault(realRoots(root), {
    folder: '',
    toFileStat: makeFileStat(root, process.platform),
  });
  const endMs = performance.now() + limits.doctorWalkMs;
  const latestMs = Date.now() + limits.doctorClockMs;
  const unreadable: string[] = [];
  const folders = new Set([root]);
  let [notes, files, away, future] = [0, 0, 0, 0];
  let isWhole = false;
  while (performance.now() < endMs && files < limits.doctorWalkFilesMax) {
    const step = walk.next();
    if (step.done) {
      isWhole = true;
      unreadable.push(...step.value.refused.filter(({ unread }) => unread).map(pathOf));
      break;
    }
    for (const { path, present, mtimeMs } of step.value) {
      files += 1;
      folders.add(join(root, dirname(path)));
      if (fileKind(path) === 'note') notes += 1;
      if (!present) away += 1;
      if (mtimeMs > latestMs) future += 1;
      if (present && !isAllowed(join(root, path), constants.R_OK)) unreadable.push(path);
    }
  }
  const toWrite = constants.W_OK | constants.X_OK;
  return {
    isWhole,
    notes,
    files,
    folders: folders.size,
    unreadable: unreadable.length,
    unreadableNames: unreadable.slice(0, limits.doctorNamesMax),
    away,
    future,
    closedFolders: Array.from(folders).filter((folder) => !isAllowed(folder, toWrite)).length,
  };
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    return errnoOf(error) === 'ENOENT'; // It was deleted since it was listed.
  }
}
