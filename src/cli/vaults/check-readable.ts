import { opendirSync, statSync } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultChoice } from '../options/choose-vault.ts';

/**
 * Fails with `forbidden` where the folder of a vault that is there may not be listed or entered: a
 * server that runs as the wrong user would start, and serve nothing.
 */
export function checkReadable({ path }: VaultChoice): void {
  try {
    opendirSync(path).closeSync();
    statSync(`${path}/.`); // What may be listed but not entered has names and no notes.
  } catch (error) {
    throw new VaultError(
      'forbidden',
      `The vault "${path}" cannot be opened: its folder may not be read. Check its permissions, and which user this runs as.`,
      { cause: error, details: { vault: path } },
    );
  }
}
