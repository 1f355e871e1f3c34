import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, folderOf, foldName, isVaultPath, joinPath } from '../../base/vault-path.ts';
import type { View } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Finds the folder that a caller means, without regard to case and Unicode form, and returns its
 * path as it is spelled on disk. Fails with `not_found` or `not_a_folder` unless the folder exists
 * and the caller may see it, so that a mistyped folder does not look empty, and with `ambiguous`
 * when several folders differ only in case.
 */
export async function findFolder(vault: BoundVault, asked: VaultFolder): Promise<VaultFolder> {
  if (asked === '') return asked;
  const found = await foldersLike(vault, asked);
  if (found.includes(asked)) return asked;
  const [only, another] = found;
  if (only !== undefined && another === undefined) return only;
  if (another !== undefined) {
    throw new VaultError(
      'ambiguous',
      `Several folders are called "${asked}"; give the one you mean: ${found.join(', ')}.`,
      { details: { path: asked, candidates: found } },
    );
  }
  const isFile = (await vault.stat(asked)) !== undefined;
  throw isFile
    ? new VaultError('not_a_folder', `"${asked}" is a file, not a folder.`, {
        details: { path: asked },
      })
    : new VaultError('not_found', `There is no folder "${asked}" in the vault.`, {
        details: { path: asked, missing: 'folder' },
      });
}

/** The folders that the caller may see whose paths are equal to this one when folded. */
async function foldersLike(vault: BoundVault, asked: VaultPath): Promise<readonly VaultPath[]> {
  const parent = folderOf(asked);
  const parents = parent === '' ? ([''] as const) : await foldersLike(vault, parent);
  const name = foldName(fileNameOf(asked));
  const found: VaultPath[] = [];
  for (const folder of parents) {
    for (const entry of (await vault.vault.parts.disk.list(folder)) ?? []) {
      if (entry.kind !== 'folder' || foldName(entry.name) !== name) continue;
      if (!isVaultPath(entry.name)) continue;
      const path = joinPath(folder, entry.name);
      if (vault.seesFolder(path)) found.push(path);
    }
  }
  return found;
}

/**
 * Returns the view of a search in a folder, without excluded files. Fails as `findFolder` does.
 */
export async function folderView(vault: BoundVault, folder: VaultFolder): Promise<View> {
  const within = await findFolder(vault, folder);
  const listed = await vault.listedView();
  return within === '' ? listed : { ...listed, within };
}
