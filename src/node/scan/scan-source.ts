import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { FileStat } from '../../engine/ports/records.ts';
import { fileStat, isUnchanged, makeFileStat, placeholderOf } from '../disk/file-stat.ts';
import { linkOfSync } from '../disk/link-of.ts';
import { isSameFile, placeOfOpen, showsOpened } from '../disk/opened-paths.ts';
import { openHandleSync, type PathHandle } from '../disk/path-handle.ts';
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
  isOtherCase,
  lastingRoots,
  leadsOutside,
  type VaultRoots,
} from '../disk/vault-roots.ts';
import { givesFileEvents } from '../place/drive-kind.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { diskError, errnoOf, isDriveFault, systemError } from '../system/disk-error.ts';
import { listNames } from './list-names.ts';
import type { PeekedFiles, ScanSource } from './scan-files.ts';
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
  const files = new ScanFiles(roots, showsOpened && platform === 'linux');
  const readFile = makeReadFile(toFileStat);

  return {
    walk: (folder) =>
      walkVault(roots, { folder, toFileStat, mayBeAway: mayBeAway(), handles: files.handles }),
    read(path, { bytesMax }) {
      try {
        for (let opens = 0; opens < readsMax; opens++) {
          const opened = files.open(path);
          if (opened === undefined) continue;
          try {
            const { stat, ...found } = readFile(path, opened.file, bytesMax);
            return { ...found, stat: { ...stat, ...linkOfSync(roots, path, opened.real) } };
          } finally {
            closeSync(opened.file);
          }
        }
      } catch (error) {
        if (isDriveFault(error) && mayBeAway()) throw vaultGone('silent', error);
        const failure = diskError(path, error);
        const stat = failure.code === 'not_found' ? files.placeholderStat(path) : undefined;
        if (stat === undefined) throw failure;
        return { stat };
      }
      throw keepsChanging(path);
    },
    names: () => listNames(roots.root),
    peek: () => files.peek(),
  };
}

/** Larger files are left to `ScanSource.read`. */
const peekBytesMax = 256 * 1024;

/** Opens the vault's files, first opening and then looking where that is. */
class ScanFiles {
  /** Whether the system shows what is open. */
  readonly handles: boolean;
  readonly #roots: VaultRoots;

  constructor(roots: VaultRoots, handles: boolean) {
    this.#roots = roots;
    this.handles = handles;
  }

  /**
   * Opens a file to read it, and says where it really is; undefined when it was replaced or removed at
   * that moment.
   */
  open(path: VaultPath): { readonly file: number; readonly real: string } | undefined {
    const direct = this.#full(path);
    const plain = openUnlessLink(direct);
    const file = plain ?? this.#openLinked(path);
    let inside: string | undefined;
    try {
      const real = this.handles ? placeOfOpen(file) : placeByPath(direct, file);
      if (real !== undefined && real !== direct) {
        const folder = plain === undefined ? undefined : folderOf(path);
        this.#check(path, real, folder);
      }
      inside = real;
    } finally {
      if (inside === undefined) closeSync(file);
    }
    return inside === undefined ? undefined : { file, real: inside };
  }

  /** The stat of the file's iCloud placeholder; undefined when there is none. */
  placeholderStat(path: VaultPath): FileStat | undefined {
    try {
      return this.#inFolder(folderOf(path), (held) => {
        const placeholder = held.at(placeholderOf(fileNameOf(path)));
        return fileStat(lstatSync(placeholder, { bigint: true }), false);
      });
    } catch {
      return undefined;
    }
  }

  /**
   * Reads each file through its folder, which is held open and checked once. Nothing is peeked at
   * where the system does not show what is open.
   */
  peek(): PeekedFiles {
    const buffer = Buffer.allocUnsafeSlow(this.handles ? peekBytesMax : 0);
    let held: { readonly folder: VaultFolder; readonly handle: PathHandle } | undefined;
    const close = (): void => {
      held?.handle.close();
      held = undefined;
    };
    return {
      read: (path) => {
        if (!this.handles) return undefined;
        try {
          const folder = folderOf(path);
          if (held?.folder !== folder) {
            close();
            held = { folder, handle: this.#hold(folder) };
          }
          const size = readOnce(held.handle.at(fileNameOf(path)), buffer);
          return size < buffer.length ? buffer.subarray(0, size) : undefined;
        } catch {
          return undefined;
        }
      },
      close,
    };
  }

  #full(path: VaultFolder): string {
    const { root } = this.#roots;
    return path === '' ? root : `${root}${sep}${sep === '/' ? path : path.replaceAll('/', sep)}`;
  }

  /** Opens what a symlink leads to, if it may lead there. */
  #openLinked(path: VaultPath): number {
    const { handles } = this;
    return this.#inFolder(folderOf(path), (inside) => {
      const held = openHandleSync(inside.at(fileNameOf(path)), { handles });
      try {
        this.#check(path, held.real);
        refuseUnlessFile(path, statSync(held.path));
        return openSync(held.path, held.readFlags);
      } finally {
        held.close();
      }
    });
  }

  #inFolder<T>(folder: VaultFolder, call: (held: PathHandle) => T): T {
    const held = this.#hold(folder);
    try {
      return call(held);
    } finally {
      held.close();
    }
  }

  /** Opens a folder. Fails unless it is in the vault. */
  #hold(folder: VaultFolder): PathHandle {
    const { handles } = this;
    const held = openHandleSync(this.#full(folder), { folder: true, handles });
    try {
      this.#check(folder, held.real);
      if (isAnotherFolder(this.#roots, folder, held.real)) throw leadsOutside(folder);
      return held;
    } catch (error) {
      held.close();
      throw error;
    }
  }

  /** Fails unless a path may lead to this real path, which must be in `folder` if that is given. */
  #check(path: VaultFolder, real: string, folder?: VaultFolder): void {
    if (isOtherCase(this.#roots, path, real)) throw systemError('ENOENT');
    if (!admits(this.#roots, path, real)) throw leadsOutside(path);
    if (folder !== undefined && isAnotherFolder(this.#roots, folder, dirname(real))) {
      throw leadsOutside(path);
    }
  }
}

/** Reads from a plain file as much as the buffer holds, and answers how many bytes that were. */
function readOnce(path: string, buffer: Buffer): number {
  const file = openSync(path, openFlags);
  try {
    return readSync(file, buffer, 0, buffer.length, 0);
  } finally {
    closeSync(file);
  }
}

/** Opens a file directly, since nearly all entries are plain files; undefined for a symlink. */
function openUnlessLink(direct: string): number | undefined {
  if (!refusesSymlinks && lstatSync(direct).isSymbolicLink()) return undefined;
  try {
    return openSync(direct, openFlags);
  } catch (error) {
    if (errnoOf(error) !== 'ELOOP') throw error;
    return undefined;
  }
}

/** Where a path leads, if an open file is still what is there; undefined if not. */
function placeByPath(path: string, file: number): string | undefined {
  const real = realpathSync.native(path);
  const [there, open] = [lstatSync(real, { bigint: true }), fstatSync(file, { bigint: true })];
  return isSameFile(there, open) ? real : undefined;
}

type FoundFile = ReturnType<ScanSource['read']>;

/** Returns a function that reads whole open files into one buffer, which grows as needed. */
function makeReadFile(
  toFileStat: (stat: BigIntStats) => FileStat,
): (path: VaultPath, file: number, bytesMax: number) => FoundFile {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  return (path, file, bytesMax) => {
    let before = fstatSync(file, { bigint: true });
    refuseUnlessFile(path, before);
    for (let reads = 0; reads < readsMax; reads++) {
      const stat = toFileStat(before);
      if (!stat.present || stat.size > bytesMax) return { stat };
      if (buffer.length < stat.size) buffer = Buffer.allocUnsafeSlow(stat.size * 2);
      let at = 0;
      while (at < stat.size) {
        const bytesRead = readSync(file, buffer, at, stat.size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      const after = fstatSync(file, { bigint: true });
      if (at === stat.size && isUnchanged(before, after)) {
        return { stat, bytes: buffer.subarray(0, stat.size) };
      }
      before = after; // On a FUSE drive, opening a file may already change its time.
    }
    throw keepsChanging(path);
  };
}
