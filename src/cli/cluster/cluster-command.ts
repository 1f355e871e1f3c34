import type { Postgres } from '../../postgres/connection/postgres.ts';
import { type ClusterCommandOptions, readClusterOptions } from '../options/cluster-actions.ts';
import { clusterHelp, clusterVariables } from '../options/cluster-options.ts';
import { inUsersNames, withEnvironment } from '../options/environment-options.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { openCluster, openClusterUnchecked } from '../vaults/open-cluster.ts';

const help = `Usage: vaultdoor cluster init [--cluster-secret-file <file>]
       vaultdoor cluster migrate

Set up and look after several machines ("nodes") that serve the same vaults. They share one
PostgreSQL; docs/cluster.md tells how.

  init      Make the tables, and the file with the secret of the nodes, if they are missing.
  migrate   Bring the tables to the version of this program. Nodes go on meanwhile.

${clusterHelp}  --cluster-secret-file <file>
                      The file with the secret that the nodes share. Copy it to every node.
  --json              The whole answer as JSON.

Examples:
  vaultdoor cluster init --cluster-url-file /etc/vaultdoor/postgres --cluster-secret-file /etc/vaultdoor/secret
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
  const { initCluster, migrateTables } = await import('./set-up-cluster.ts');
  switch (options.do) {
    case 'init':
      return initCluster(postgres, shell, options.secretFile);
    default:
      return migrateTables(postgres);
  }
}
