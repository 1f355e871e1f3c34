import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';

/** What something is; sockets, pipes and devices count as files. */
export type RawKind = 'file' | 'folder' | 'symlink';

/** What a stat says, in the units of the remote protocol. */
export interface RawStat {
  readonly kind: RawKind;
  /** Whole milliseconds, cut off: the one number for a file's time, everywhere. */
  readonly mtimeMs: number;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/** An entry by its path, or by its name in a folder. */
export interface RawEntry extends Omit<RawStat, 'mode'> {
  readonly path: VaultPath;
  /** Equal as long as nobody wrote to it: inode, size and mtime in nanoseconds. */
  readonly stamp: string;
}

/**
 * The files of the vault as they are, dot names included, temporary files of ours and names that no
 * vault path can spell left out. Symlinks are followed where they lead to something in the vault, be
 * it a folder, and refused with `outside_vault` where they lead out of it, be it to nothing. A path
 * through a file is `not_a_folder`. Fails with `vault_not_found` while the vault is away.
 */
export interface RawDisk {
  /** Follows symlinks; undefined for nothing, and for a symlink that leads nowhere. */
  stat(path: VaultFolder): Promise<RawStat | undefined>;
  /** The entry itself, a symlink as such; undefined for nothing. */
  entry(path: VaultPath): Promise<RawEntry | undefined>;
  /** What is in a folder, not followed, in byte order of the names; `not_found`, `not_a_folder`. */
  list(folder: VaultFolder): Promise<readonly RawEntry[]>;
  /**
   * The same with all that is below if it is `recursive`, each folder followed by what is in it.
   * Symlinks are not entered, nor is a start that is one; folders that cannot be read are passed
   * over. `truncated` when there is more than `entriesMax`. `skip` leaves out what it says, folders
   * with all that is in them.
   */
  walk(
    folder: VaultFolder,
    options: {
      readonly recursive: boolean;
      readonly entriesMax: number;
      readonly signal?: AbortSignal;
      readonly skip?: (path: VaultPath) => boolean;
    },
  ): Promise<{ readonly entries: readonly RawEntry[]; readonly truncated: boolean }>;
  /** A whole file with its stat; `not_found`, `is_a_folder`, `too_large`. */
  read(
    path: VaultPath,
    options: { readonly bytesMax: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }>;
  /** Up to `length` bytes from `offset` on, fewer where the file ends, and the stat of the whole. */
  readRange(
    path: VaultPath,
    range: { readonly offset: number; readonly length: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }>;
  /** The version of a file of any size, without holding it in memory. */
  hash(
    path: VaultPath,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly version: Version; readonly stat: RawStat }>;
  /**
   * The path that leads to the same name without symlinks in its folders: what is changed in a
   * linked folder is changed where that folder is. The folders need not exist.
   */
  canonical(path: VaultPath): Promise<VaultPath>;
  /**
   * The path of what a path leads to, a symlink at its end followed too: what is appended to a
   * linked file is appended where that file is. A symlink may lead to the root. Undefined for
   * nothing, and for a symlink that leads nowhere.
   */
  real(path: VaultPath): Promise<VaultFolder | undefined>;
}

/**
 * One thing that happened to a file, a folder or a symlink. A rename is a `deleted` and a `created`.
 * Everything in a folder that came or went has an event of its own: `created` after that of the
 * folder, `deleted` before it.
 */
export type FileEvent =
  | {
      readonly event: 'created' | 'modified';
      readonly path: VaultPath;
      /** Whole milliseconds. */
      readonly mtimeMs: number;
    }
  | { readonly event: 'deleted'; readonly path: VaultPath };

/**
 * The failure of a raw file tool about one path: a sentence that begins with the path and goes on
 * with `says`. The root of the vault is shown as `/`.
 */
export function rawError(code: VaultErrorCode, path: VaultFolder, says: string): VaultError {
  return new VaultError(code, `"${path === '' ? '/' : path}" ${says}.`, { details: { path } });
}
