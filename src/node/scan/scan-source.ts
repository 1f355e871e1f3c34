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
 * The vault at `root` for a scanner: read synchronously, on a thread that does nothing else. Refuses
 * the same paths as `openNodeDisk`. While the vault is away, every call fails with `vault_not_found`.
 */
export function openScanSource(
  root: string,
  options: { readonly allowRoots?: readonly string[]; readonly platform?: NodeJS.Platform } = {},
): ScanSource {
  const roots = lastingRoots(root, options.allowRoots);
  const platform = options.platform ?? process.platform;
  const toFileStat = makeFileStat(roots.root, platform);
  // On a network drive, a failing call means that the drive is away. On a local disk, that the file
  // is damaged.
  const mayBeAway = (): boolean => !givesFileEvents(roots.root, platform);
  const realFolder = makeRealFolder(roots);
  const readFile = makeReadFile(toFileStat);

  /** The real path of a file. A symlink is followed if it may lead there. */
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
        // Nearly all entries are plain files: opening them directly, without following symlinks, saves
        // one call. If it was a symlink after all, the open fails with ELOOP.
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

/** Returns a function that reads whole files into one buffer, which grows as needed. */
function makeReadFile(
  toFileStat: (stat: BigIntStats) => FileStat,
): (path: VaultPath, real: string, bytesMax: number) => FoundFile | undefined {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** The file's content; undefined when it was changed while it was read. */
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
 * Returns a function that finds the real path of a folder. It remembers the last one for 100 ms:
 * files are read folder by folder, and a realpath for each file would double the cost.
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

/** The stat of the file's iCloud placeholder; undefined when there is none. */
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
