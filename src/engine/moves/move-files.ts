import type { VaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';
import { keepBases } from './keep-bases.ts';
import { keepLinks } from './keep-links.ts';
import { moveBookmarks } from './move-bookmarks.ts';
import { checkAllRead, warnOfOuterVault } from './unread-files.ts';

/** What a rename does to links: `update` rewrites them as the app does, `keep` leaves them. */
export type LinkHandling = 'update' | 'keep';

/** What was rewritten when files moved. */
export interface MovedLinks {
  /** The number of links that were rewritten, and of the files in which they were. */
  readonly links: number;
  readonly notes: number;
  /** The number of files whose bases name the new path now (`keepBases`); absent for none. */
  readonly bases?: number;
}

/**
 * Moves files to free paths, rewrites every link of the vault that would lead elsewhere, makes bases
 * follow, and gives the app's bookmarks of the files their new paths. With `folder`, the files are all that it contains, and it is moved as a whole. Fails with
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
): Promise<MovedLinks> {
  const { files, folder, force } = request;
  let kept: MovedLinks = { links: 0, notes: 0 };
  if (request.links === 'update' && (files.size > 0 || folder !== undefined)) {
    // The bases first: the files that this changes are the few that are read once more for links.
    const { bases, unread: unreadBases } = await keepBases(draft, request);
    const { links, notes, unread } = await keepLinks(draft, { moves: files, added: [] });
    await checkAllRead(draft, { what: 'links', unread: [...unread, ...unreadBases], force });
    warnOfOuterVault(draft);
    kept = { links, notes, ...(bases === 0 ? {} : { bases }) };
  }
  await moveBookmarks(draft, request);
  if (folder !== undefined) await draft.moveFolder(folder.from, folder.to);
  else for (const [from, to] of files) await draft.move(from, to);
  return kept;
}
