import { resolve } from 'node:path';
import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { OwnerDesk } from '../../tools/owner/owner-desk.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { proposalToolset } from '../options/server-toolsets.ts';
import { personAt } from '../shell/person-at.ts';
import type { Shell } from '../shell/shell.ts';
import type { OpenedCluster } from '../vaults/cluster-access.ts';
import { clusterSecrets } from '../vaults/cluster-secrets.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import { namesInBooks, type TokenNames, tokenNames } from '../vaults/token-names.ts';
import type { Desk } from './desk-message.ts';
import { nextCommand } from './owner-words.ts';

/** What a command of the owner works with. */
export interface DeskAtShell {
  readonly desk: Desk;
  readonly owner: Caller;
  readonly tokens: TokenNames;
}

interface DeskOptions {
  /** A folder; in a cluster the name of a vault. */
  readonly vault?: string;
  readonly allowRoots?: readonly string[];
  /** The file with the secret of the cluster. */
  readonly secretFile?: string;
}

/** The lines about a cluster in the help of the commands that decide. */
export const deskHelp = `  --cluster-secret-file <file>
                      With --cluster, the secret of the cluster; otherwise
                      VAULTDOOR_CLUSTER_SECRET_FILE. The machine that serves the vault decides,
                      and --vault is the name of the vault.
`;

/**
 * Runs a command of the owner with the desk of one vault, and closes the vault. In a cluster the node that
 * serves the vault is asked, which takes the secret of the cluster.
 */
export async function withDesk(
  shell: Shell,
  options: DeskOptions,
  cluster: OpenedCluster | undefined,
  run: (at: DeskAtShell) => Promise<number>,
): Promise<number> {
  if (cluster !== undefined) return withClusterDesk(shell, options, cluster, run);
  if (options.secretFile !== undefined) {
    throw new VaultError('invalid_input', '"--cluster-secret-file" is for "--cluster".');
  }
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

async function withClusterDesk(
  shell: Shell,
  { vault: name, allowRoots = [], secretFile }: DeskOptions,
  { postgres, ...books }: OpenedCluster,
  run: (at: DeskAtShell) => Promise<number>,
): Promise<number> {
  const file = secretFile ?? shell.env['VAULTDOOR_CLUSTER_SECRET_FILE'];
  if (!file) {
    throw new VaultError(
      'invalid_input',
      'With "--cluster", "--cluster-secret-file" is needed too: only who has the secret of the cluster may decide.',
    );
  }
  if (allowRoots.length > 0) {
    throw new VaultError('invalid_input', '"--allow-root" does not work with "--cluster".');
  }
  const [secret] = clusterSecrets(resolve(shell.currentFolder, file));
  const { clusterDesk, clusterVault } = await import('./cluster-desk.ts');
  const vault = await clusterVault(postgres, name);
  const { person, clear } = personAt(shell);
  try {
    const desk = clusterDesk({ postgres, secret }, vault, person);
    return await run({ desk, owner: person, tokens: await namesInBooks(books) });
  } finally {
    clear();
  }
}
