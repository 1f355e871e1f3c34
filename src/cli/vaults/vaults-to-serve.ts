import { opendirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { chooseVaults, isUnnamed, type VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * The vaults that a server is started for. With `--wait-for-vault` they need not exist. Otherwise it
 * fails as `check` does, with `forbidden` for a vault whose folder may not be read, and for a folder of
 * `--adr-repo` that does not exist.
 */
export function vaultsToServe(
  shell: Pick<Shell, 'env' | 'currentFolder'>,
  options: ServerOptions,
  check: (choice: VaultChoice, env: Shell['env']) => void,
): readonly VaultChoice[] {
  const choices = chosenVaults(shell, options);
  if (options.sync !== undefined && choices.length > 1) {
    // Both vaults would get the files of the one remote.
    throw new VaultError(
      'invalid_input',
      '"--sync" works with one vault only; serve the others without it.',
    );
  }
  if (options.waitForVault) return choices;
  if (options.publish !== undefined)
    checkCheckout(resolve(shell.currentFolder, options.publish.checkout));
  for (const choice of choices) {
    check(choice, shell.env);
    checkReadable(choice);
  }
  return choices;
}

/** The chosen vaults. A server that waits for its vault also waits until one is chosen. */
function chosenVaults(
  shell: Pick<Shell, 'env' | 'currentFolder'>,
  options: ServerOptions,
): readonly VaultChoice[] {
  const { vaults, vaultVariables, waitForVault } = options;
  try {
    return chooseVaults(vaults, shell, vaultVariables);
  } catch (error) {
    if (!waitForVault || !isUnnamed(error)) throw error;
    return [{ name: 'none chosen', path: '' }];
  }
}

/** Fails when the folder of `--adr-repo` does not exist: every call of `adr_publish` would fail. */
function checkCheckout(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const fault = found === undefined ? 'does not exist' : 'is not a folder';
  throw new VaultError(
    found === undefined ? 'not_found' : 'not_a_folder',
    `--adr-repo: "${path}" ${fault}; it takes the folder of a git checkout.`,
  );
}

/** Fails when the folder may not be read: a server run by the wrong user would serve nothing. */
function checkReadable({ path }: VaultChoice): void {
  try {
    opendirSync(path).closeSync();
    statSync(`${path}/.`); // A folder that may be listed but not entered shows names without notes.
  } catch (error) {
    throw new VaultError(
      'forbidden',
      `The vault "${path}" cannot be opened: its folder may not be read. Check its permissions, and which user this runs as.`,
      { cause: error, details: { vault: path } },
    );
  }
}
