import type { VaultFolder } from '../../../base/vault-path.ts';
import { checkFolder } from '../../notes/check-folder.ts';
import type { FileRow, Page } from '../../ports/index-store.ts';
import type { FileKind } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** The files of a folder, at any depth, without those that the vault's settings exclude. */
export async function listFiles(
  vault: BoundVault,
  request: {
    readonly folder: VaultFolder;
    readonly kinds: readonly FileKind[];
    readonly sort: 'path' | 'name' | 'modified';
    readonly limit: number;
    readonly offset: number;
  },
): Promise<Page<FileRow>> {
  await checkFolder(vault, request.folder);
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.files(view, request));
}
