import type { VaultFolder } from '../../../base/vault-path.ts';
import { checkFolder } from '../../notes/check-folder.ts';
import { foldersIn } from '../../notes/folders-in.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** What a folder holds, at any depth; `''` is the vault itself. */
export interface FolderInfo {
  readonly path: VaultFolder;
  readonly files: number;
  readonly folders: number;
  /** Of all its files together. */
  readonly bytes: number;
}

/** How many files and folders are in a folder, and their size, as far as the caller sees them. */
export async function folderInfo(
  vault: BoundVault,
  { folder }: { readonly folder: VaultFolder },
): Promise<FolderInfo> {
  await checkFolder(vault, folder);
  const folders = (await foldersIn(vault, folder)).length;
  const view = vault.view();
  const { files, bytes } = await vault.ask('facts', (store) => store.totals(view, folder));
  return { path: folder, files, folders, bytes };
}
