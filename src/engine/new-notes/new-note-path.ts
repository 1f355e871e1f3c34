import { isVaultPath, vaultFolder } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Where a new note of this name belongs: a bare name goes into the folder that the vault's settings
 * choose for new notes, one with `/` is a path. What cannot be a folder counts as not set.
 */
export async function newNotePath(vault: BoundVault, name: string): Promise<string> {
  if (name.includes('/')) return name;
  const { newFileLocation, newFileFolderPath } = await vault.vault.settings();
  const asked = newFileFolderPath.replace(/^\/+/, '');
  if (newFileLocation !== 'folder' || !isVaultPath(asked)) return name;
  return `${vaultFolder(asked)}/${name}`;
}
