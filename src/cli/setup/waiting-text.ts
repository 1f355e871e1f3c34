import { existsSync } from 'node:fs';
import { counted } from '../../tools/cli/text.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import type { Shell } from '../shell/shell.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import { vaultPlaces } from '../vaults/vault-places.ts';

/**
 * Says how many proposals still wait for the owner of a vault; empty when none does. They wait also when
 * the apps may change notes themselves now. Where that cannot be found out, it says nothing: setup has
 * done its work.
 */
export async function waitingText(shell: Shell, choice: VaultChoice): Promise<readonly string[]> {
  try {
    // A vault without a state has no proposals, and must not get a state by being asked.
    if (!existsSync(vaultPlaces(choice, shell.env).folders.state)) return [];
    const vault = openCommandVault(choice, shell, { allowRoots: [] });
    try {
      const { proposals, clock } = vault.parts;
      const filter = { state: 'open', nowMs: clock.nowMs() } as const;
      const { total } = await proposals.list(filter, { limit: 1, offset: 0 });
      if (total === 0) return [];
      const waits = `${counted(total, 'proposal')} still ${total === 1 ? 'waits' : 'wait'} for you`;
      return [`${waits}: ${commandText(['proposals'], choice.path)}`];
    } finally {
      await vault.close();
    }
  } catch {
    return [];
  }
}
