import { VaultError } from './vault-error.ts';

/** Takes a failure as absence, unless the whole vault is away: then nothing is known of a file. */
export function unlessAway(error: unknown): undefined {
  if (error instanceof VaultError && error.code === 'vault_not_found') throw error;
}
