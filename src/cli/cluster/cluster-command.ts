import type { Postgres } from '../../postgres/connection/postgres.ts';
import { type ClusterCommandOptions, readClusterOptions } from '../options/cluster-actions.ts';
import { clusterHelp, clusterVariables } from '../options/cluster-options.ts';
import { inUsersNames, withEnvironment } from '../options/environment-options.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { openCluster, openClusterUnchecked } from '../vaults/open-cluster.ts';

import { checkRoot } from './check-root.ts';
import { addToCluster, drain, moveToNode, showStatus } from './cluster-vaults.ts';
import { exportVault, importVault } from './copy-vault.ts';
import { restoreCluster } from './restore-cluster.ts';
import { initCluster, migrateTables } from './set-up-cluster.ts';

const help = `Usage: vaultdoor cluster init [--cluster-secret-file <file>]
       vaultdoor cluster check --vaults-root <folder> [--also-at <folder>]
       vaultdoor cluster add <name> <path> [--pinned <node>]
       vaultdoor cluster status
       vaultdoor cluster move <vault> <node>
       vaultdoor cluster drain <node>
       vaultdoor cluster import --vault <folder> [--name <name>]
                                [--vaults-root <folder> | --path <path>]
       vaultdoor cluster export --vault <folder> [--name <name>]
       vaultdoor cluster migrate
       vaultdoor cluster restored --vaults-root <folder>

Set up and look after several machines ("nodes") that serve the same vaults. They share one
PostgreSQL; docs/cluster.md tells how.

  init      Make the tables, and the file with the secret of the nodes, if they are missing.
  check     Find out whether the file system of the vaults is good enough for several nodes. Run it
            on two nodes at the same time, or on one that has the folder mounted twice (--also-at).
  add       Add a vault by its path below the folder that the nodes serve.
  status    List the nodes, the vaults, and who owns which.
  move      Give a vault to another node.
  drain     Let a node give its vaults away, before it is stopped.
  import    Copy the history of a vault from this machine to the cluster, and add the vault.
  export    Copy it back, and remove the vault from the cluster.
  migrate   Bring the tables to the version of this program. Nodes go on meanwhile.
  restored  To be run after PostgreSQL was restored from a backup, before any node starts.

${clusterHelp}  --cluster-secret-file <file>
                      The file with the secret that the nodes share. Copy it to every node.
  --vaults-root <folder>
                      The folder with the vaults, as this machine sees it.
  --also-at <folder>  The same folder through a second mount of this machine.
  --path <path>       The path that the vault will have below the folder with the vaults; copy it
                      there after the import.
  --pinned <node>     Only this node sees the vault.
  --vault <folder>    The vault on this machine.
  --name <name>       Its name in the cluster (default: that of its folder).
  --json              The whole answer as JSON.

Examples:
  vaultdoor cluster init --cluster-secret-file /etc/vaultdoor/secret
  vaultdoor cluster check --vaults-root /srv/vaults
  vaultdoor cluster add work work
  vaultdoor cluster import --vault ~/Notes --vaults-root /srv/vaults
`;

/** What an action answers: as text for a person, and as data. */
export interface ClusterAnswer {
  readonly text: string;
  readonly value: object;
}

/** `vaultdoor cluster`: sets up and looks after several nodes with one PostgreSQL. */
export const clusterProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const { env } = shell;
  const options = await inUsersNames({ argv, env, variables: clusterVariables }, async () =>
    readClusterOptions(withEnvironment(argv, env, clusterVariables)),
  );
  const isSetUp = options.do === 'init' || options.do === 'migrate';
  const postgres = await (isSetUp ? openClusterUnchecked : openCluster)(options.address, shell);
  try {
    const { text, value } = await carryOut(postgres, options, shell);
    return options.json ? printJson(shell, value) : print(shell, text);
  } finally {
    await postgres.close();
  }
}

async function carryOut(
  postgres: Postgres,
  options: ClusterCommandOptions,
  shell: Shell,
): Promise<ClusterAnswer> {
  const paint = paintFor(shell.stdout, shell.env);
  switch (options.do) {
    case 'init':
      return initCluster(postgres, shell, options.secretFile);
    case 'migrate':
      return migrateTables(postgres);
    case 'status':
      return showStatus(postgres, paint);
    case 'add':
      return addToCluster(postgres, options);
    case 'move':
      return moveToNode(postgres, options);
    case 'drain':
      return drain(postgres, options.node);
    case 'restored':
      return restoreCluster(postgres, shell, options.root);
    case 'check':
      return checkRoot(postgres, shell, options);
    case 'import':
      return importVault(postgres, shell, options);
    case 'export':
      return exportVault(postgres, shell, options);
  }
}
