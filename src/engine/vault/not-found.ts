import { VaultError } from '../../base/vault-error.ts';

/** The failure for a path that does not exist, and for one that the caller may not see. */
export function notFound(path: string): VaultError {
  return new VaultError('not_found', `There is no file "${path}" in the vault.`, {
    details: { path },
  });
}
