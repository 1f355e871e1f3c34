import type { VaultFolder } from '../../../base/vault-path.ts';
import { isVaultPath, joinPath } from '../../../base/vault-path.ts';
import type { FolderEntry } from '../../ports/ports.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * What lies in a folder itself, as it is on disk now and as far as the caller sees it; nothing when
 * there is no such folder. Costs what the folder holds.
 */
export async function listEntries(
  vault: BoundVault,
  folder: VaultFolder,
): Promise<readonly FolderEntry[]> {
  if (folder !== '' && !vault.seesFolder(folder)) return [];
  const entries = (await vault.vault.parts.disk.list(folder)) ?? [];
  return entries.filter(({ name, kind }) => {
    if (!isVaultPath(name)) return false;
    const path = joinPath(folder, name);
    return kind === 'folder' ? vault.seesFolder(path) : vault.sees(path);
  });
}
