import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isInside } from '../../base/vault-path.ts';
import { escapeForJson } from '../../markdown/text/json-ranges.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { bookmarkPaths, bookmarksFile, parseBookmarks } from '../notes/bookmarks-file.ts';
import { seesAll } from '../ports/view.ts';
import { decodeText } from '../text/scan-file.ts';
import type { Draft } from '../vault/draft.ts';

/**
 * Gives the app's bookmarks of moved files and folders their new paths, as the app does. Warns when
 * the list of bookmarks cannot be understood. Leaves it alone for a caller who sees only a
 * part of the vault, because the list belongs to the whole, and the caller could not undo it.
 */
export async function moveBookmarks(
  draft: Draft,
  moved: {
    readonly files: ReadonlyMap<VaultPath, VaultPath>;
    readonly folder?: { readonly from: VaultPath; readonly to: VaultPath };
  },
): Promise<void> {
  if (!seesAll(draft.vault.view())) return;
  if ((await draft.kind(bookmarksFile)) !== 'file') return;
  try {
    const { bytes } = await draft.readBytes(bookmarksFile, limits.noteBytesMax);
    const file = parseBookmarks(checkedText(bytes));
    const edits = bookmarkPaths(file).flatMap(({ path, range }): TextEdit[] => {
      const to = newPath(path as VaultPath, moved);
      return to === undefined ? [] : [{ range, text: `"${escapeForJson(to)}"` }];
    });
    if (edits.length === 0) return;
    const text = applyEdits(file.text, edits);
    await draft.put(bookmarksFile, new TextEncoder().encode(text), { dotNames: true });
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    draft.warn(`The app's bookmarks are not updated: ${error.message}`);
  }
}

/** Fails with `invalid_input` for bytes that are not UTF-8: writing them back would damage them. */
function checkedText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (!text.includes('\ufffd')) return text;
  throw new VaultError('invalid_input', `${bookmarksFile} is not UTF-8 text.`);
}

/** The new path of what a bookmark leads to; undefined when that has not moved. */
function newPath(
  path: VaultPath,
  { files, folder }: Parameters<typeof moveBookmarks>[1],
): string | undefined {
  if (folder !== undefined && (path === folder.from || isInside(path, folder.from))) {
    return folder.to + path.slice(folder.from.length);
  }
  return files.get(path);
}
