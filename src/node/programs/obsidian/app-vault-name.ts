import { readFile, realpath } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { VaultError } from '../../../base/vault-error.ts';
import type { UserPlace } from '../../place/app-data-folder.ts';
import { type ListedVault, obsidianFiles, vaultsIn } from './obsidian-vaults.ts';

/**
 * What the app calls the vault at a real path: its id in the app's own list or, where that list
 * cannot be found, the name of its folder. Fails with `vault_not_found` when the list has another
 * vault of that name instead: the command would be carried out there.
 */
export async function appVaultName(root: string, place: UserPlace): Promise<string> {
  const { basename } = place.platform === 'win32' ? win32 : posix;
  const name = basename(root);
  const listed = await listedVaults(place);
  const same = listed.find(({ path }) => path === root) ?? (await findReal(root, listed));
  if (same !== undefined) return same.id;
  if (!listed.some(({ path }) => basename(path) === name)) return name;
  throw new VaultError(
    'vault_not_found',
    `Obsidian knows another vault named "${name}", but not this one. Open this vault's folder in Obsidian once, and try again.`,
    { details: { vault: name } },
  );
}

async function listedVaults(place: UserPlace): Promise<readonly ListedVault[]> {
  const texts = obsidianFiles(place).map((file) => readFile(file, 'utf8').catch(() => ''));
  return (await Promise.all(texts)).flatMap(vaultsIn);
}

/** The app lists paths as the user chose them: through a symlink, or in another case. */
async function findReal(
  root: string,
  listed: readonly ListedVault[],
): Promise<ListedVault | undefined> {
  const paths = await Promise.all(listed.map(({ path }) => realpath(path).catch(() => undefined)));
  return listed[paths.indexOf(root)];
}
