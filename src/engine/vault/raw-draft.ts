import type { VaultPath } from '../../base/vault-path.ts';

/**
 * What the raw file tools do to a vault: names are names, links in notes are not looked at, and the
 * index is not asked. Dot names are as good as any. Paths are canonical (`RawDisk.canonical`). One
 * of these is a whole change: a draft takes no other after one that changes something.
 */
export interface RawDraft {
  /**
   * Makes a file or gives it other bytes, be they the same, and makes the folders it needs. A symlink
   * is replaced itself; nothing is kept of it, nor of a file over `limits.historyContentBytesMax`. Fails with `already_exists` where a folder is, `not_a_folder` below a file.
   */
  put(path: VaultPath, bytes: Uint8Array): Promise<void>;
  /** Makes a folder and those it needs; one that is there is no change. `not_a_folder` at or below a file. */
  makeFolder(path: VaultPath): Promise<void>;
  /**
   * Gives a file, a symlink or a folder another path, and makes the folders it needs. A file or
   * symlink takes the place of one; a folder that of an empty one. Fails with `not_found`, with
   * `not_a_folder` (folder onto file), with `already_exists` (file onto folder, folder onto one with
   * something in it), with `io_failed` (into itself). The same path is no change.
   */
  move(from: VaultPath, to: VaultPath): Promise<void>;
  /**
   * Removes a file or a symlink. Nothing is kept of a symlink and of a file over
   * `limits.historyContentBytesMax`. Fails with `not_found`, `is_a_folder`.
   */
  remove(path: VaultPath): Promise<void>;
  /**
   * Removes a folder; with `recursive` all that is in it, of which history keeps up to
   * `limits.removedFolderBytesMax`, notes first. Fails with `not_found`, `not_a_folder`, and
   * `already_exists` when something is in it. Of a symlink to a folder only the link goes.
   */
  removeFolder(path: VaultPath, options: { readonly recursive: boolean }): Promise<void>;
}
