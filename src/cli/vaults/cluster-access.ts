import { VaultError } from '../../base/vault-error.ts';
import { nodeClock } from '../../node/system/node-ports.ts';
import type { ClusterBooks } from '../../postgres/books/cluster-books.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { type ClusterAddress, isPostgresUrl } from '../options/cluster-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openCluster } from './open-cluster.ts';
import { openSignInBooks } from './server-files.ts';

/** The books of a cluster, and its PostgreSQL. */
export type OpenedCluster = ClusterBooks & { readonly postgres: Postgres };

/**
 * Runs a command of the owner with the books of the cluster, if the arguments or the environment name
 * one; otherwise `cluster` is undefined. `rest` has the arguments without those of the cluster.
 */
export async function withClusterBooks<T>(
  shell: Shell,
  argv: readonly string[],
  work: (cluster: OpenedCluster | undefined, rest: readonly string[]) => Promise<T>,
): Promise<T> {
  const { address, rest } = splitAddress(argv, shell.env['VAULTDOOR_CLUSTER']);
  if (address === undefined) return work(undefined, rest);
  const postgres = await openCluster(address, shell);
  try {
    const { openClusterBooks } = await import('../../postgres/books/cluster-books.ts');
    const steady = { nowMs: () => performance.now() };
    return await work(
      { ...openClusterBooks({ postgres, steady, clock: nodeClock }), postgres },
      rest,
    );
  } finally {
    await postgres.close();
  }
}

/** What signing in keeps, see `openSignInBooks`. */
export type SignInBooks = ReturnType<typeof openSignInBooks>;

/** Runs a command of the owner with the books of signing in: those of the cluster, or of this machine. */
export function withSignInBooks<T>(
  shell: Shell,
  argv: readonly string[],
  work: (books: SignInBooks, rest: readonly string[]) => Promise<T>,
): Promise<T> {
  return withClusterBooks(shell, argv, (cluster, rest) =>
    work(cluster ?? openSignInBooks(shell.env), rest),
  );
}

const flag = /^--(cluster|cluster-url-file)(?:=(.*))?$/s;

function splitAddress(
  argv: readonly string[],
  variable: string | undefined,
): { readonly address?: ClusterAddress; readonly rest: readonly string[] } {
  const given = new Map<string, string>(variable ? [['cluster', variable]] : []);
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const [, name, value] = flag.exec(word) ?? [];
    if (name === undefined) rest.push(word);
    else given.set(name, value ?? argv[++at] ?? '');
  }
  const [file, url] = [given.get('cluster-url-file'), given.get('cluster')];
  if (file !== undefined) return { address: { file }, rest };
  if (url === undefined) return { rest };
  if (isPostgresUrl(url)) return { address: { url }, rest };
  throw new VaultError(
    'invalid_input',
    '"--cluster" takes an address such as postgres://user@host/vaultdoor.',
  );
}
