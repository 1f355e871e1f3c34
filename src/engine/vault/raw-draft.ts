import type { VaultPath } from '../../base/vault-path.ts';

/**
 * What the raw file tools (`ToolCall.raw`, the remote protocol) can do to a vault: they change
 * files by path, dot names included, without asking the index and without touching links. Paths are
 * canonical (`RawDisk.canonical`). Each call that changes something is a whole change: the draft
 * takes no other after it.
 */
export interface RawDraft {
  /**
   * Writes a file, also when it has these bytes already, and makes the folders it needs. A symlink
   * is replaced by the file. History keeps nothing of a symlink, nor of a file over
   * `limits.historyContentBytesMax`. Fails with `already_exists` where a folder is, and with
   * `not_a_folder` below a file.
   */
  put(path: VaultPath, bytes: Uint8Array): Promise<void>;
  /**
   * Adds bytes to the end of a file in place, whatever its size; see `TailStep`. Fails with
   * `not_found` when there is no file.
   */
  append(path: VaultPath, bytes: Uint8Array): Promise<void>;
  /**
   * Makes a folder and those around it. Does nothing when it already exists. Fails with
   * `not_a_folder` at or below a file.
   */
  makeFolder(path: VaultPath): Promise<void>;
  /**
   * Moves a file, a symlink or a folder, and makes the folders it needs. A file or symlink replaces
   * a file or symlink; a folder replaces an empty folder. Fails with `not_found`, `not_a_folder`
   * (folder onto file), `already_exists` (file onto folder, folder onto a folder that is not empty)
   * and `io_failed` (into itself). Does nothing when both paths are the same.
   */
  move(from: VaultPath, to: VaultPath): Promise<void>;
  /**
   * Removes a file or a symlink. History keeps nothing of a symlink, nor of a file over
   * `limits.historyContentBytesMax`. Fails with `not_found`, `is_a_folder`.
   */
  remove(path: VaultPath): Promise<void>;
  /**
   * Removes a folder; with `recursive` everything in it, of which history keeps up to
   * `limits.removedFolderBytesMax`, notes first. Fails with `not_found`, `not_a_folder`, and
   * without `recursive` with `already_exists` when the folder is not empty. Of a symlink to a
   * folder only the link is removed.
   */
  removeFolder(path: VaultPath, options: { readonly recursive: boolean }): Promise<void>;
}
