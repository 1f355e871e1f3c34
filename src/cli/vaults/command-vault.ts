import type { Vault } from '../../engine/open/vault.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { embedOfEnvironment } from '../options/embed-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openVault } from './compose.ts';

/** Opens a vault for a command that ends at once. Says on stderr which changes were recovered. */
export function openCommandVault(
  choice: VaultChoice,
  { entryFile, env, stderr }: Shell,
  options: { readonly allowRoots: readonly string[] },
): Vault {
  const embed = embedOfEnvironment(env);
  return openVault(choice, {
    entryFile,
    env,
    ...options,
    watch: false,
    index: 'when asked',
    // A command that ends at once asks for what a server has embedded; it sends only its query.
    ...(embed === undefined ? {} : { meaning: { embed, view: wholeVault } }),
    onRecovered: ({ id, tool, outcome }) => {
      const became = outcome === 'finished' ? 'finished' : 'taken back';
      stderr.write(`vaultdoor: Change ${id} (${tool}) was interrupted; now it is ${became}.\n`);
    },
  });
}
