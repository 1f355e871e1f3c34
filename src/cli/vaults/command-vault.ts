import type { Vault } from '../../engine/open/vault.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { openVault } from './compose.ts';

/** Opens a vault for a command that ends at once. Says on stderr which changes were recovered. */
export function openCommandVault(
  choice: VaultChoice,
  { entryFile, env, stderr }: Shell,
  options: { readonly allowRoots: readonly string[] },
): Vault {
  return openVault(choice, {
    entryFile,
    env,
    ...options,
    watch: false,
    index: 'when asked',
    onRecovered: ({ id, tool, outcome }) => {
      const became = outcome === 'finished' ? 'finished' : 'taken back';
      stderr.write(`vaultdoor: Change ${id} (${tool}) was interrupted; now it is ${became}.\n`);
    },
  });
}
