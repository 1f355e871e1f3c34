import type { VaultFolder } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import type { FileRow, Page, TagRow } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Lists every tag of the vault, or of the notes in a folder, with its counts, in alphabetical order.
 * Fails as `findFolder` does.
 */
export async function listTags(
  vault: BoundVault,
  { folder = '' }: { readonly folder?: VaultFolder } = {},
): Promise<readonly TagRow[]> {
  const view = await folderView(vault, folder);
  return vault.ask('facts', (store) => store.tags(view));
}

/**
 * Lists the notes that have a tag or one nested under it. A `#` before the tag and its case do not
 * matter.
 */
export async function listTagged(
  vault: BoundVault,
  request: { readonly tag: string; readonly limit: number; readonly offset: number },
): Promise<Page<FileRow>> {
  const view = await vault.listedView();
  const tag = request.tag.replace(/^#/, '');
  return vault.ask('facts', (store) => store.filesWithTag(view, tag, request));
}
