import { existsSync } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import { hint } from '../options/program-text.ts';

/**
 * Where the folder of the vault is gone, the failure says what to do as well: who reads it reads the log
 * of an app, and has typed no path that could be corrected. Every other failure stays as it is.
 */
export function movedVaultAdvice(error: unknown): unknown {
  if (!(error instanceof VaultError) || error.code !== 'vault_not_found') return error;
  const { vault } = error.details;
  if (typeof vault !== 'string' || existsSync(vault)) return error;
  return new VaultError(
    'vault_not_found',
    `${error.message} If an app started this and the folder was moved, ${hint('setup')} gives its entry the new path; ${hint('doctor')} says what is wrong.`,
    { cause: error, details: error.details },
  );
}
