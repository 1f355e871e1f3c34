import { VaultError } from '../../base/vault-error.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import {
  refuseUnmounted,
  useVaultFolders,
  type VaultFolders,
  vaultFolders,
} from '../../node/place/vault-folders.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { checkFoldersOutside } from './check-vault-quickly.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Fails where `openVault` would fail, without opening anything. */
export function checkVault(choice: VaultChoice, env: Env): void {
  vaultPlaces(choice, env);
}

/**
 * The real path of the vault's folder, and the folders outside of it for its state and cache, which
 * need not exist yet. Fails where the vault cannot be opened.
 */
export function vaultPlaces(
  { path }: VaultChoice,
  env: Env,
): { readonly root: string; readonly folders: VaultFolders } {
  const root = openVaultRoot(path);
  const folders = vaultFolders(root, env, process.platform);
  checkFoldersOutside(root, folders);
  refuseUnmounted(root, folders);
  return { root, folders };
}

/** Makes the folders for state and cache. Fails with `io_failed` where they cannot be written. */
export async function makeVaultFolders(root: string, folders: VaultFolders): Promise<void> {
  try {
    await useVaultFolders(root, folders);
  } catch (cause) {
    if (cause instanceof VaultError) throw cause;
    throw new VaultError(
      'io_failed',
      `Vaultdoor cannot write to "${folders.cache}" or "${folders.state}"; set XDG_CACHE_HOME and XDG_STATE_HOME to folders that you may write to.`,
      { cause },
    );
  }
}
