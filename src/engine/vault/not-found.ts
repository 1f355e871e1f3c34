import { VaultError } from '../../base/vault-error.ts';

/** The failure for a path that does not exist, and for one that the caller may not see. */
export function notFound(path: string): VaultError {
  return new VaultError('not_found', `There is no file "${path}" in the vault.`, {
    details: { path },
  });
}

/** The failure of a change that would touch a path which its caller may not see. */
export function outOfSight(): VaultError {
  return new VaultError(
    'forbidden',
    'The change would have to touch files that this connection may not see; ask someone who may.',
  );
}
