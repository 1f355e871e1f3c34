import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { GroupedBookmark } from '../../notes/bookmarks-file.ts';
import { bookmarksFile, bookmarksIn, parseBookmarks } from '../../notes/bookmarks-file.ts';
import { decodeText } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Lists the bookmarks of the vault in the app's order. Leaves out bookmarks of files that the
 * caller may not see. A caller who is restricted to some folders gets no bookmarks of searches,
 * pages and graphs either, because they are about the whole vault. Fails with `invalid_input` when
 * the file of bookmarks is not what the app writes.
 */
export async function listBookmarks(
  vault: BoundVault,
): Promise<{ readonly bookmarks: readonly GroupedBookmark[] }> {
  const file = parseBookmarks(await bookmarksText(vault));
  return { bookmarks: bookmarksIn(file).filter((bookmark) => isShown(vault, bookmark)) };
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
function isShown(vault: BoundVault, { type, path }: GroupedBookmark): boolean {
  if (path === undefined) return vault.caller.scopes.folders.includes('');
  if (!isVaultPath(path)) return path === '/' && vault.sees('');
  return type === 'folder' ? vault.seesFolder(vaultPath(path)) : vault.sees(path);
}
