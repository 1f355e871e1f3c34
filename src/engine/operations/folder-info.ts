import { limits } from '../../base/limits.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { foldersIn } from '../folders-in.ts';
import type { FileKind } from '../records.ts';
import type { BoundVault } from '../vault.ts';
import { checkFolder } from './check-folder.ts';

const kinds: readonly FileKind[] = ['note', 'canvas', 'base', 'attachment'];

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
  let bytes = 0;
  for (let offset = 0; ; offset += limits.resultsMax) {
    const page = { folder, kinds, sort: 'path', limit: limits.resultsMax, offset } as const;
    const { total, items } = await vault.ask('facts', (store) => store.files(view, page));
    for (const { size } of items) bytes += size;
    if (offset + limits.resultsMax >= total) return { path: folder, files: total, folders, bytes };
  }
}
