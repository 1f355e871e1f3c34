import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { View } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Fails with `not_found` or `not_a_folder` unless the folder exists and the caller may see it, so
 * that a mistyped folder does not look empty.
 */
export async function checkFolder(vault: BoundVault, folder: VaultFolder): Promise<void> {
  if (folder === '') return;
  const { disk } = vault.vault.parts;
  if (vault.seesFolder(folder) && (await disk.list(folder)) !== undefined) return;
  const isFile = vault.sees(folder) && (await disk.stat(folder)) !== undefined;
  throw isFile
    ? new VaultError('not_a_folder', `"${folder}" is a file, not a folder.`, {
        details: { path: folder },
      })
    : new VaultError('not_found', `There is no folder "${folder}" in the vault.`, {
        details: { path: folder },
      });
}

/**
 * Returns the view of a search in a folder, without excluded files. Fails as `checkFolder` does.
 */
export async function folderView(vault: BoundVault, folder: VaultFolder): Promise<View> {
  await checkFolder(vault, folder);
  const listed = await vault.listedView();
  return folder === '' ? listed : { ...listed, within: folder };
}
