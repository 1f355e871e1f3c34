import { VaultError } from '../../base/vault-error.ts';

/** The one answer for a path that is not there, or that the caller may not see. */
export function notFound(path: string): VaultError {
  return new VaultError('not_found', `There is no file "${path}" in the vault.`, {
    details: { path },
  });
}

/** The one answer for a change that would touch what its caller may not see, there or not. */
export function outOfSight(): VaultError {
  return new VaultError(
    'forbidden',
    'The change would have to touch files that this connection may not see; ask someone who may.',
  );
}
