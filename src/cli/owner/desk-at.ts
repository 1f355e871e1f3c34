import type { Caller } from '../../base/caller.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { OwnerDesk } from '../../tools/owner/owner-desk.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { proposalToolset } from '../options/server-toolsets.ts';
import { personAt } from '../shell/person-at.ts';
import type { Shell } from '../shell/shell.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import { type TokenNames, tokenNames } from '../vaults/token-names.ts';
import { nextCommand } from './owner-words.ts';

/** What a command of the owner works with. */
export interface DeskAtShell {
  readonly desk: OwnerDesk;
  readonly owner: Caller;
  readonly tokens: TokenNames;
}

/** Runs a command of the owner with the desk of one vault, and closes the vault. */
export async function withDesk(
  shell: Shell,
  options: { readonly vault?: string; readonly allowRoots?: readonly string[] },
  run: (at: DeskAtShell) => Promise<number>,
): Promise<number> {
  const choice = chooseVault(options.vault, shell);
  const { allowRoots = [] } = options;
  const vault = openCommandVault(choice, shell, { allowRoots });
  const { person, clear } = personAt(shell);
  try {
    const desk = new OwnerDesk({
      source: openedVault(vault),
      timers: nodeTimers,
      toolset: proposalToolset,
      command: (...words) => nextCommand(words.join(' '), options.vault),
    });
    return await run({ desk, owner: person, tokens: await tokenNames(choice, shell) });
  } finally {
    clear();
    await vault.close();
  }
}
