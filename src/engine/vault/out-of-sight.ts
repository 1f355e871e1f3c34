import { VaultError } from '../../base/vault-error.ts';

/** The one answer for a change that would touch what its caller may not see, there or not. */
export function outOfSight(): VaultError {
  return new VaultError(
    'forbidden',
    'The change would have to touch files that this connection may not see; ask someone who may.',
  );
}
