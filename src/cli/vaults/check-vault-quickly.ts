import { opendirSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { refuseVaultsInside } from '../../node/place/vaults-inside.ts';
import type { VaultChoice } from '../options/choose-vault.ts';

/**
 * Fails for every vault that `checkVault` refuses, and also for some that it accepts, such as an empty
 * folder, which may be the mount point of a missing drive. It is used before the first answer of a
 * server, which cannot wait for the modules that `checkVault` needs: loading them takes a tenth of
 * Node's own start.
 */
export function checkVaultQuickly(
  { path }: VaultChoice,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const root = openVaultRoot(path);
  refuseVaultsInside(root, { name: path, isTyped: true });
  checkFoldersOutside(root, appFolders(env, process.platform));
  const folder = opendirSync(root);
  try {
    if (folder.readSync() === null) throw new VaultError('vault_not_found', 'It may be away.');
  } finally {
    folder.closeSync();
  }
}

/**
 * Fails with `invalid_input` when the folder for state or cache is inside the vault: its files would
 * be taken for the user's own, and synced.
 */
export function checkFoldersOutside(
  root: string,
  { cache, state }: { readonly cache: string; readonly state: string },
): void {
  // These variables have a meaning on Linux alone.
  const advice =
    process.platform === 'win32' || process.platform === 'darwin'
      ? 'choose a vault in which this folder is not'
      : 'set XDG_CACHE_HOME and XDG_STATE_HOME to folders outside of it';
  for (const folder of [cache, state]) {
    const path = relative(root, folder);
    if (path.startsWith('..') || isAbsolute(path)) continue;
    throw new VaultError(
      'invalid_input',
      `Vaultdoor would write into the vault ("${folder}"); ${advice}.`,
    );
  }
}
