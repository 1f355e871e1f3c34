import { VaultError } from '../../base/vault-error.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { plain } from '../../tools/cli/text.ts';
import { chooseVault, type VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { chooseAt } from './choose-at.ts';
import type { ClientId, Machine } from './client-places.ts';
import type { InstallWords } from './install-options.ts';
import { knownVaults } from './known-vaults.ts';

/** The vaults that are meant; undefined when the person chose none of those that were offered. */
export async function chooseVaults(
  shell: Shell,
  {
    client,
    words,
    machine,
  }: { readonly client: ClientId; readonly words: InstallWords; readonly machine: Machine },
): Promise<readonly VaultChoice[] | undefined> {
  const { env, currentFolder, stdin, stderr, stdout } = shell;
  const checked = (vault: VaultChoice): VaultChoice => {
    openVaultRoot(vault.path);
    return vault;
  };
  if (words.vaults.length > 0) {
    return words.vaults.map((flag) => checked(chooseVault(flag, {}, currentFolder)));
  }
  try {
    return [checked(chooseVault(undefined, env, currentFolder))];
  } catch (error) {
    const known = knownVaults(machine);
    const isUnnamed = error instanceof VaultError && error.code === 'invalid_input';
    if (!isUnnamed || known.length === 0) throw error;
    if (stdin.isTTY && stderr.isTTY && stdout.isTTY && !words.json) {
      const paths = known.map(({ path }) => path);
      const at = await chooseAt(shell, 'Which vault?', paths);
      const chosen = at === undefined ? undefined : known[at];
      if (chosen === undefined) stdout.write('Nothing was written.\n');
      return chosen === undefined ? undefined : [chosen];
    }
    const commands = known.map(
      ({ path }) => `vaultdoor install ${client} --vault ${quoted(path, machine.platform)}`,
    );
    if (!words.json) stderr.write(commands.map((command) => `  ${plain(command)}\n`).join(''));
    throw new VaultError(
      'invalid_input',
      `No vault: give --vault <folder>. Obsidian knows ${known.length}.`,
      { details: { commands } },
    );
  }
}

/** A path as it is typed at a shell. */
function quoted(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
