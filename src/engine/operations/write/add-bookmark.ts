import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { textOf } from '../../draft/draft-content.ts';
import type { Bookmark, BookmarksText, GroupedBookmark } from '../../notes/bookmarks-file.ts';
import { appendBookmark, bookmarksFile, parseBookmarks } from '../../notes/bookmarks-file.ts';
import type { Draft } from '../../vault/draft.ts';
import { seenBookmarks } from '../list/list-bookmarks.ts';

interface AddBookmarkRequest {
  /**
   * A file, named as `findNote` takes it, or a folder. Give exactly one of `path`, `search` and
   * `url`.
   */
  readonly path?: string;
  readonly search?: string;
  readonly url?: string;
  /** A heading (`#Heading`), block (`#^id`) or page of the file. */
  readonly subpath?: string;
  readonly title?: string;
}

/**
 * Adds a bookmark at the end of the app's list. A bookmark that is already there is not added again
 * but returned as it is. Fails with `invalid_input` when the list cannot be understood or the
 * folder was never opened in Obsidian, and with `forbidden` for a caller who is restricted to some
 * folders, because the list belongs to the whole vault.
 */
export async function addBookmark(
  draft: Draft,
  request: AddBookmarkRequest,
): Promise<{ readonly bookmark: GroupedBookmark; readonly added: boolean }> {
  checkAllowed(draft.vault.caller, { wholeVault: 'bookmarks' });
  const bookmark = await wantedBookmark(draft, request);
  const file = await bookmarksNow(draft);
  const known = seenBookmarks(draft.vault, file).find((each) => isSame(each, bookmark));
  if (known !== undefined) return { bookmark: known, added: false };
  const text = appendBookmark(file, { ...bookmark, ctime: draft.nowMs });
  await draft.put(bookmarksFile, new TextEncoder().encode(text), { dotNames: true });
  return { bookmark: { ...bookmark, groups: [] }, added: true };
}

async function wantedBookmark(draft: Draft, request: AddBookmarkRequest): Promise<Bookmark> {
  const { path, search, url, subpath } = request;
  const [kind, ...others] = [path && 'path', search && 'search', url && 'url'].filter(Boolean);
  if (kind === undefined || others.length > 0) {
    throw new VaultError('invalid_input', 'Give either a path, a search or a url to bookmark.');
  }
  const title = request.title?.trim();
  const titled = title === undefined || title === '' ? {} : { title };
  if (path) return { ...(await fileBookmark(draft, path, subpath)), ...titled };
  if (subpath !== undefined) {
    throw new VaultError('invalid_input', 'Only a bookmark of a file has a subpath; leave it out.');
  }
  if (search) return { type: 'search', query: search, ...titled };
  if (url === undefined || !/^https?:\/\/\S+$/i.test(url)) {
    throw new VaultError('invalid_input', 'A url to bookmark begins with http:// or https://.');
  }
  return { type: 'url', url, ...titled };
}

async function fileBookmark(
  draft: Draft,
  asked: string,
  subpath: string | undefined,
): Promise<Bookmark> {
  const folder = vaultPath(asked.trim());
  if (!folder.startsWith('.') && (await draft.kind(folder)) === 'folder') {
    if (subpath === undefined) return { type: 'folder', path: folder };
    throw new VaultError('invalid_input', `"${folder}" is a folder: it has no subpath.`);
  }
  const path = await draft.find(asked);
  if (subpath === undefined) return { type: 'file', path };
  return { type: 'file', path, subpath: subpath.startsWith('#') ? subpath : `#${subpath}` };
}

/** Reads the file of bookmarks as it is, including what this change has already done to it. */
async function bookmarksNow(draft: Draft): Promise<BookmarksText> {
  if ((await draft.kind(bookmarksFile)) === 'file') {
    const { bytes } = await draft.readBytes(bookmarksFile, limits.noteBytesMax);
    return parseBookmarks(textOf(bookmarksFile, bytes));
  }
  if ((await draft.vault.vault.settings()).opened) return parseBookmarks('');
  throw new VaultError(
    'invalid_input',
    'This folder has not been opened in Obsidian yet, so it has no bookmarks; open it there first.',
  );
}

/** Whether two bookmarks lead to the same place; their titles do not matter. */
function isSame(known: Bookmark, wanted: Bookmark): boolean {
  return (['type', 'path', 'subpath', 'query', 'url'] as const).every(
    (field) => known[field] === wanted[field],
  );
}
