import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { sep } from 'node:path';
import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { FileStat } from '../../engine/ports/records.ts';
import { fileStat, isUnchanged, makeFileStat, placeholderOf } from '../disk/file-stat.ts';
import {
  keepsChanging,
  openFlags,
  readsMax,
  refusesSymlinks,
  refuseUnlessFile,
} from '../disk/regular-file.ts';
import {
  admits,
  isAnotherFolder,
  lastingRoots,
  leadsOutside,
  type VaultRoots,
} from '../disk/vault-roots.ts';
import { givesFileEvents } from '../place/drive-kind.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { diskError, errnoOf, isDriveFault } from '../system/disk-error.ts';
import type { ScanSource } from './scan-files.ts';
import { walkVault } from './walk-vault.ts';

/**
 * The vault at `root` as a scanner reads it: synchronously, for a thread that does nothing
 * else. Refuses what `openNodeDisk` refuses. The vault may be away at the moment, or go away: then
 * every call fails with `vault_not_found`.
 */
export function openScanSource(
  root: string,
  options: { readonly allowRoots?: readonly string[]; readonly platform?: NodeJS.Platform } = {},
): ScanSource {
  const roots = lastingRoots(root, options.allowRoots);
  const platform = options.platform ?? process.platform;
  const toFileStat = makeFileStat(roots.root, platform);
  // Where files are far away, so is the drive when it fails; a bad file is for disks of one's own.
  const mayBeAway = (): boolean => !givesFileEvents(roots.root, platform);
  const realFolder = makeRealFolder(roots);
  const readFile = makeReadFile(toFileStat);

  /** Where a file is. A symlink is followed where it may lead; then it is not looked at again. */
  const locate = (path: VaultPath): string => {
    const direct = `${realFolder(folderOf(path))}${sep}${fileNameOf(path)}`;
    if (refusesSymlinks && !lstatSync(direct).isSymbolicLink()) return direct;
    const real = realpathSync.native(direct);
    if (!admits(roots, path, real)) throw leadsOutside(path);
    return real;
  };

  return {
    walk: (folder) => walkVault(roots, { folder, toFileStat, mayBeAway: mayBeAway() }),
    read(path, { bytesMax }) {
      try {
        // Nearly every file is one: opening it at once, and refusing symlinks, saves a look.
        let real = refusesSymlinks
          ? `${realFolder(folderOf(path))}${sep}${fileNameOf(path)}`
          : locate(path);
        for (let reads = 0; reads < readsMax; reads++) {
          try {
            const found = readFile(path, real, bytesMax);
            if (found !== undefined) return found;
          } catch (error) {
            if (errnoOf(error) !== 'ELOOP') throw error;
            real = locate(path);
          }
        }
      } catch (error) {
        if (isDriveFault(error) && mayBeAway()) throw vaultGone('silent', error);
        const failure = diskError(path, error);
        const stat = failure.code === 'not_found' ? placeholderStat(realFolder, path) : undefined;
        if (stat === undefined) throw failure;
        return { stat };
      }
      throw keepsChanging(path);
    },
  };
}

type FoundFile = ReturnType<ScanSource['read']>;

/** Reads whole files into one buffer that grows as needed: a new one for each would cost more. */
function makeReadFile(
  toFileStat: (stat: BigIntStats) => FileStat,
): (path: VaultPath, real: string, bytesMax: number) => FoundFile | undefined {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** The file as it is; undefined when it changed while it was read. */
  return (path, real, bytesMax) => {
    const file = openSync(real, openFlags);
    try {
      const before = fstatSync(file, { bigint: true });
      refuseUnlessFile(path, before);
      const stat = toFileStat(before);
      if (!stat.present || stat.size > bytesMax) return { stat };
      if (buffer.length < stat.size) buffer = Buffer.allocUnsafeSlow(stat.size * 2);
      let at = 0;
      while (at < stat.size) {
        const bytesRead = readSync(file, buffer, at, stat.size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      const unchanged = at === stat.size && isUnchanged(before, fstatSync(file, { bigint: true }));
      return unchanged ? { stat, bytes: buffer.subarray(0, stat.size) } : undefined;
    } finally {
      closeSync(file);
    }
  };
}

/**
 * Resolves folders, remembering the last: files are asked for folder by folder, and a realpath
 * for each would double the cost of reading it.
 */
function makeRealFolder(roots: VaultRoots): (folder: VaultFolder) => string {
  let last: { folder: VaultFolder; real: string } | undefined;
  let forgetAtMs = 0;
  return (folder) => {
    if (folder === '') return roots.root;
    const nowMs = Date.now();
    if (last?.folder === folder && nowMs < forgetAtMs) return last.real;
    const real = realpathSync.native(`${roots.root}${sep}${folder.replaceAll('/', sep)}`);
    if (!admits(roots, folder, real) || isAnotherFolder(roots, folder, real)) {
      throw leadsOutside(folder);
    }
    last = { folder, real };
    forgetAtMs = nowMs + 100;
    return real;
  };
}

function placeholderStat(
  realFolder: (folder: VaultFolder) => string,
  path: VaultPath,
): FileStat | undefined {
  try {
    const placeholder = `${realFolder(folderOf(path))}${sep}${placeholderOf(fileNameOf(path))}`;
    return fileStat(lstatSync(placeholder, { bigint: true }), false);
  } catch {
    return undefined;
  }
}
