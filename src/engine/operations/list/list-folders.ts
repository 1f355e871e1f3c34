import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { checkFolder } from '../../notes/check-folder.ts';
import { foldersIn } from '../../notes/folders-in.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** The folders of a folder, at any depth, empty ones too, in path order. */
export async function listFolders(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<{ readonly total: number; readonly folders: readonly VaultPath[] }> {
  const { folder, limit, offset } = request;
  await checkFolder(vault, folder);
  const folders = await foldersIn(vault, folder);
  return { total: folders.length, folders: folders.slice(offset, offset + limit) };
}
