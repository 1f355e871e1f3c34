import { VaultError } from '../../base/vault-error.ts';
import { chooseVaults, type VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { checkReadable } from './check-readable.ts';

/**
 * The vaults that a server is to serve. Fails where they cannot be, as `check` says, unless it waits
 * for them.
 */
export function vaultsToServe(
  shell: Pick<Shell, 'env' | 'currentFolder'>,
  options: ServerOptions,
  check: (choice: VaultChoice, env: Shell['env']) => void,
): readonly VaultChoice[] {
  const choices = chosenVaults(shell, options);
  if (options.sync !== undefined && choices.length > 1) {
    // Both would become what the remote is.
    throw new VaultError('invalid_input', '"--sync" is for one vault; serve the others without.');
  }
  if (options.waitForVault) return choices;
  for (const choice of choices) {
    check(choice, shell.env);
    checkReadable(choice);
  }
  return choices;
}

/** The vaults that are meant; a server that waits does so, too, until one is chosen. */
function chosenVaults(
  shell: Pick<Shell, 'env' | 'currentFolder'>,
  options: ServerOptions,
): readonly VaultChoice[] {
  const { vaults, waitForVault } = options;
  try {
    return chooseVaults(vaults, shell.env, shell.currentFolder);
  } catch (error) {
    if (!waitForVault || vaults.length > 0) throw error;
    return [{ name: 'none chosen', path: '' }];
  }
}
