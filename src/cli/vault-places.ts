import { isAbsolute, relative } from 'node:path';
import { VaultError } from '../base/vault-error.ts';
import { refuseUnmounted, type VaultFolders, vaultFolders } from '../node/app-folders.ts';
import { openVaultRoot } from '../node/open-vault-root.ts';
import type { VaultChoice } from './choose-vault.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Fails as `openVault` would, before anything is begun. */
export function checkVault(choice: VaultChoice, env: Env): void {
  placesOf(choice, env);
}

/** The vault's real folder, and those where we keep what is not for it. */
export function placesOf(
  { path }: VaultChoice,
  env: Env,
): { readonly root: string; readonly folders: VaultFolders } {
  const root = openVaultRoot(path);
  const folders = vaultFolders(root, env, process.platform);
  refuseInside(root, folders);
  refuseUnmounted(root, folders);
  return { root, folders };
}

/** What we keep must not lie in the vault: it would be taken for the user's files, and synced. */
function refuseInside(root: string, { cache, state }: VaultFolders): void {
  for (const folder of [cache, state]) {
    const away = relative(root, folder);
    if (away.startsWith('..') || isAbsolute(away)) continue;
    throw new VaultError(
      'invalid_input',
      `Vaultdoor would write into the vault ("${folder}"); set XDG_CACHE_HOME and XDG_STATE_HOME to folders outside of it.`,
    );
  }
}
