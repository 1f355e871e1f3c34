import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { BookmarksText, GroupedBookmark } from '../../notes/bookmarks-file.ts';
import { bookmarksFile, bookmarksIn, parseBookmarks } from '../../notes/bookmarks-file.ts';
import { seesAll } from '../../ports/view.ts';
import { decodeText } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Lists the bookmarks of the vault in the app's order, as far as the caller may see them
 * (`seenBookmarks`). Fails with `invalid_input` when the file of bookmarks is not what the app
 * writes.
 */
export async function listBookmarks(
  vault: BoundVault,
): Promise<{ readonly bookmarks: readonly GroupedBookmark[] }> {
  return { bookmarks: seenBookmarks(vault, parseBookmarks(await bookmarksText(vault))) };
}

/**
 * The bookmarks that a caller may see. A caller who does not see the whole vault gets only bookmarks
 * of files and folders that it sees, without their groups: searches, pages, graphs and the titles of
 * groups are about the whole vault.
 */
export function seenBookmarks(vault: BoundVault, file: BookmarksText): readonly GroupedBookmark[] {
  const bookmarks = bookmarksIn(file);
  if (seesAll(vault.view())) return bookmarks;
  return bookmarks.filter((each) => isSeen(vault, each)).map((each) => ({ ...each, groups: [] }));
}

async function bookmarksText(vault: BoundVault): Promise<string> {
  try {
    const bytesMax = limits.noteBytesMax;
    return decodeText((await vault.vault.parts.disk.read(bookmarksFile, { bytesMax })).bytes);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return '';
    throw error;
  }
}

/** Whether the caller may see what a bookmark leads to; `/` is how the app writes the vault. */
function isSeen(vault: BoundVault, { type, path }: GroupedBookmark): boolean {
  if (path === undefined) return false;
  if (!isVaultPath(path)) return path === '/' && vault.sees('');
  return type === 'folder' ? vault.seesFolder(vaultPath(path)) : vault.sees(path);
}
