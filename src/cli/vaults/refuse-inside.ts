import { isAbsolute, relative } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';

/** What we keep must not lie in the vault: it would be taken for the user's files, and synced. */
export function refuseInside(
  root: string,
  { cache, state }: { readonly cache: string; readonly state: string },
): void {
  for (const folder of [cache, state]) {
    const away = relative(root, folder);
    if (away.startsWith('..') || isAbsolute(away)) continue;
    throw new VaultError(
      'invalid_input',
      `Vaultdoor would write into the vault ("${folder}"); set XDG_CACHE_HOME and XDG_STATE_HOME to folders outside of it.`,
    );
  }
}
