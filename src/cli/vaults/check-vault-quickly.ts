import { opendirSync } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { refuseInside } from './refuse-inside.ts';

/**
 * Fails wherever `checkVault` does, and where that has to look closer: what it needs takes Node a
 * tenth of its own start to load.
 */
export function checkVaultQuickly(
  { path }: VaultChoice,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const root = openVaultRoot(path);
  refuseInside(root, appFolders(env, process.platform));
  // Only an empty folder may be one where a drive is to be mounted first.
  const folder = opendirSync(root);
  try {
    if (folder.readSync() === null) throw new VaultError('vault_not_found', 'It may be away.');
  } finally {
    folder.closeSync();
  }
}
