import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';

/** What an entry of a folder is; sockets, pipes and devices count as files. */
export type RawKind = 'file' | 'folder' | 'symlink';

/** What a stat says, in the units of the remote protocol. */
export interface RawStat {
  readonly kind: RawKind;
  /** Whole milliseconds, rounded down, as everywhere in the remote protocol. */
  readonly mtimeMs: number;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/** An entry with its path. */
export interface RawEntry extends Omit<RawStat, 'mode'> {
  readonly path: VaultPath;
  /** Changes when the entry is written to: inode, size and mtime in nanoseconds. */
  readonly stamp: string;
}

/**
 * The files of the vault for the raw file tools (those of the remote protocol), dot names included.
 * Leaves out our own temporary files and names that no vault path can spell. Follows symlinks to
 * files and folders in the vault; fails with `outside_vault` where a symlink leads out of it, even
 * to nothing, with `not_a_folder` for a path through a file, and with `vault_not_found` while the
 * vault is away.
 */
export interface RawDisk {
  /** The stat, following symlinks; undefined for nothing, and for a symlink that leads nowhere. */
  stat(path: VaultFolder): Promise<RawStat | undefined>;
  /** The entry, not following a symlink; undefined for nothing. */
  entry(path: VaultPath): Promise<RawEntry | undefined>;
  /**
   * The entries of a folder, symlinks not followed, in byte order of their names. Fails with
   * `not_found`, `not_a_folder`.
   */
  list(folder: VaultFolder): Promise<readonly RawEntry[]>;
  /**
   * The entries of a folder like `list`, with `recursive` also everything below; each folder is
   * followed by what is in it.
   * Symlinks are not entered, not even when `folder` is one; folders that cannot be read are
   * skipped. `truncated` says whether there were more than `entriesMax`. `skip` leaves out a path,
   * and a folder with everything in it.
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
  /** A whole file with its stat. Fails with `not_found`, `is_a_folder`, `too_large`. */
  read(
    path: VaultPath,
    options: { readonly bytesMax: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }>;
  /** Up to `length` bytes from `offset` on, fewer at the end of the file, and the file's stat. */
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
   * The path with symlinks in its folders resolved, but not one at its end: a change in a linked
   * folder is made where that folder really is. The folders need not exist.
   */
  canonical(path: VaultPath): Promise<VaultPath>;
  /**
   * The path with all symlinks resolved, also one at its end: what is appended to a linked file is
   * appended where that file really is. A symlink may lead to the vault's root. Undefined for
   * nothing, and for a symlink that leads nowhere.
   */
  real(path: VaultPath): Promise<VaultFolder | undefined>;
}

/**
 * One thing that happened to a file, a folder or a symlink. A rename is a `deleted` and a
 * `created`. Everything in a folder that came or went has an event of its own: `created` after that
 * of the folder, `deleted` before it.
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
