import { VaultError } from '../../base/vault-error.ts';

/** Whether an error says that the index file itself is broken. */
export function isDamage(error: unknown): boolean {
  return error instanceof VaultError && error.details['damaged'] === true;
}
