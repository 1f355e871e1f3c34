import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import {
  refuseUnmounted,
  type VaultFolders,
  vaultFolders,
} from '../../node/place/vault-folders.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { refuseInside } from './refuse-inside.ts';

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
