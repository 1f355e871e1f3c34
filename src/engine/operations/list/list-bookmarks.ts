import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { GroupedBookmark } from '../../notes/bookmarks-file.ts';
import { bookmarksFile, bookmarksIn, parseBookmarks } from '../../notes/bookmarks-file.ts';
import { decodeText } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * The bookmarks of the vault, in the app's order. Those of files that the caller may not see are
 * left out; so are searches, pages and graphs for one that is kept to some folders, since they
 * speak of the whole vault.
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

function isShown(vault: BoundVault, { type, path }: GroupedBookmark): boolean {
  if (path === undefined) return vault.caller.scopes.folders.includes('');
  if (!isVaultPath(path)) return path === '/' && vault.sees('');
  return type === 'folder' ? vault.seesFolder(vaultPath(path)) : vault.sees(path);
}
