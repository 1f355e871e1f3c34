import { inParallel } from '../../base/in-parallel.ts';
import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { isHidden, isVaultPath, joinPath } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

const listsAtOnce = 16;

/**
 * Every folder in a folder, at any depth, that the caller may know of, in path order. From disk:
 * the index knows no empty ones. One that cannot be listed has none in it. Fails with `too_large`
 * over `limits.foldersMax`. Costs a look at every folder.
 */
export async function foldersIn(
  vault: BoundVault,
  folder: VaultFolder,
): Promise<readonly VaultPath[]> {
  const found: VaultPath[] = [];
  let level: readonly VaultFolder[] = [folder];
  while (level.length > 0) {
    const below = (await inParallel(level, listsAtOnce, (at) => childFolders(vault, at))).flat();
    found.push(...below);
    if (found.length > limits.foldersMax) {
      throw new VaultError(
        'too_large',
        `There are more than ${limits.foldersMax} folders; ask for those of a smaller one.`,
      );
    }
    level = below;
  }
  return found.sort();
}

async function childFolders(vault: BoundVault, folder: VaultFolder): Promise<VaultPath[]> {
  if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  const entries = await vault.vault.parts.disk.list(folder).catch((error: unknown) => {
    if (error instanceof VaultError) return rethrowIfAway(error);
    throw error;
  });
  return (entries ?? []).flatMap(({ name, kind }) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind !== 'folder' || isHidden(name) || !isVaultPath(path)) return [];
    const child = joinPath(folder, name);
    return vault.seesFolder(child) ? [child] : [];
  });
}
