import { VaultError } from '../../base/vault-error.ts';
import { refuseImported } from '../../node/place/cluster-above.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import {
  refuseUnmounted,
  useStateFolder,
  type VaultFolders,
  vaultFolders,
} from '../../node/place/vault-folders.ts';
import { refuseVaultsInside } from '../../node/place/vaults-inside.ts';
import { closePrivateFolder } from '../../node/system/private-files.ts';
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
  /** `isImported`: also for a vault whose state was copied to a cluster. */
  { isImported = false }: { readonly isImported?: boolean } = {},
): { readonly root: string; readonly folders: VaultFolders } {
  const root = openVaultRoot(path);
  refuseVaultsInside(root, { name: path, isTyped: true });
  const folders = vaultFolders(root, env, process.platform);
  checkFoldersOutside(root, folders);
  refuseUnmounted(root, folders);
  if (!isImported) refuseImported(folders.state);
  return { root, folders };
}

/** Makes the folder for the state of a vault. Fails with `io_failed` where it cannot be written. */
export async function makeStateFolder(root: string, folders: VaultFolders): Promise<void> {
  try {
    await useStateFolder(root, folders);
  } catch (cause) {
    if (cause instanceof VaultError) throw cause;
    throw cannotWrite(folders.state, 'XDG_STATE_HOME', { cause });
  }
}

/** Makes the folder for the index. Fails with `io_failed` where it cannot be written. */
export async function makeCacheFolder(folders: VaultFolders): Promise<void> {
  try {
    await closePrivateFolder(folders.cache);
  } catch (cause) {
    throw cannotWrite(folders.cache, 'XDG_CACHE_HOME', { cause, details: { unusable: true } });
  }
}

function cannotWrite(
  folder: string,
  variable: string,
  options: ConstructorParameters<typeof VaultError>[2],
): VaultError {
  // These variables have a meaning on Linux alone.
  const isMovable = process.platform !== 'win32' && process.platform !== 'darwin';
  const other = isMovable ? `, or set ${variable} to another folder` : '';
  const message = `Vaultdoor cannot write to "${folder}"; make room there and check its permissions${other}.`;
  return new VaultError('io_failed', message, options);
}
