import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, trashFolder } from '../../base/vault-path.ts';
import { bookmarksFile } from './bookmarks-file.ts';

/** The dot names that a change may use: what is in the trash, and the app's list of bookmarks. */
export function isOwnDotFile(path: VaultPath): boolean {
  if (path === bookmarksFile) return true;
  return isInside(path, trashFolder) && !isHidden(path.slice(trashFolder.length + 1));
}
