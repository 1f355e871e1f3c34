import { shellWord } from '../../base/shell-word.ts';
import { VaultError } from '../../base/vault-error.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { plain } from '../../tools/cli/text.ts';
import { chooseVault, isUnnamed, type VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import type { ClientId, Machine } from './client-places.ts';
import type { InstallOptions } from './install-options.ts';
import { chooseAtTerminal, knownVaults } from './known-vaults.ts';

/**
 * The vaults to install: those of `--vault`, of the environment, or the current folder. Where none of
 * these names one, a person at a terminal chooses among the vaults that Obsidian knows; undefined
 * when they choose none. Without a terminal it fails with `invalid_input` and the commands to run.
 */
export async function vaultsToInstall(
  shell: Shell,
  {
    client,
    options,
    machine,
  }: { readonly client: ClientId; readonly options: InstallOptions; readonly machine: Machine },
): Promise<readonly VaultChoice[] | undefined> {
  const { stdin, stderr, stdout } = shell;
  const checked = (vault: VaultChoice): VaultChoice => {
    openVaultRoot(vault.path);
    return vault;
  };
  if (options.vaults.length > 0) {
    return options.vaults.map((flag) => checked(chooseVault(flag, shell)));
  }
  try {
    return [checked(chooseVault(undefined, shell))];
  } catch (error) {
    const known = knownVaults(machine);
    if (!isUnnamed(error) || known.length === 0) throw error;
    if (stdin.isTTY && stderr.isTTY && stdout.isTTY && !options.json) {
      const chosen = await chooseAtTerminal(shell, known);
      if (chosen === undefined) stdout.write('Nothing was written.\n');
      return chosen === undefined ? undefined : [chosen];
    }
    const commands = known.map(
      ({ path }) => `vaultdoor install ${client} --vault ${shellWord(path, machine.platform)}`,
    );
    if (!options.json) stderr.write(commands.map((command) => `  ${plain(command)}\n`).join(''));
    throw new VaultError(
      'invalid_input',
      `No vault was given: add --vault <folder>. ${known.length === 1 ? 'Obsidian has opened one vault' : `Obsidian has opened ${known.length} vaults`} on this machine.`,
      { details: { commands } },
    );
  }
}
