import type { VaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';
import { keepLinks } from './keep-links.ts';
import { moveBookmarks } from './move-bookmarks.ts';
import { checkAllRead, warnOfOuterVault } from './unread-files.ts';

/** What a rename does to links: `update` rewrites them as the app does, `keep` leaves them. */
export type LinkHandling = 'update' | 'keep';

/**
 * Moves files to free paths, rewrites every link of the vault that would lead elsewhere, and gives
 * the app's bookmarks of the files their new paths. With
 * `folder`, the files are all that it contains, and it is moved as a whole. Fails with
 * `unavailable` when some notes cannot be read and `force` is not set, and as `keepLinks` does.
 */
export async function moveFiles(
  draft: Draft,
  request: {
    readonly files: ReadonlyMap<VaultPath, VaultPath>;
    readonly folder?: { readonly from: VaultPath; readonly to: VaultPath };
    readonly links: LinkHandling;
    readonly force: boolean;
  },
): Promise<{ readonly links: number; readonly notes: number }> {
  const { files, folder, force } = request;
  let kept = { links: 0, notes: 0 };
  if (request.links === 'update' && files.size > 0) {
    const { links, notes, unread } = await keepLinks(draft, { moves: files, added: [] });
    await checkAllRead(draft, { what: 'links', unread, force });
    warnOfOuterVault(draft);
    kept = { links, notes };
  }
  await moveBookmarks(draft, request);
  if (folder !== undefined) await draft.moveFolder(folder.from, folder.to);
  else for (const [from, to] of files) await draft.move(from, to);
  return kept;
}
