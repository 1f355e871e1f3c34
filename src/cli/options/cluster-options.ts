import type { Variables } from './environment-options.ts';
import type { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** Where PostgreSQL is: its address, or the file that has the address. */
export type ClusterAddress = { readonly url: string } | { readonly file: string };

/** The options that say where PostgreSQL is. */
export const clusterFlags: readonly (readonly [string, FlagKind])[] = [
  ['cluster', 'value'],
  ['cluster-url-file', 'value'],
];

/** The variable that stands for `--cluster`: everybody on a machine can see the arguments of programs. */
export const clusterVariables: Variables = { VAULTDOOR_CLUSTER: { value: '--cluster' } };

/** The lines about these options in the help of a command. */
export const clusterHelp = `  --cluster <url>     The PostgreSQL of the cluster, such as postgres://user@host/vaultdoor.
                      Everybody on a machine can see the arguments of programs, so give an address
                      with a password in VAULTDOOR_CLUSTER, or in a file:
  --cluster-url-file <file>
                      The file with the address. It wins over --cluster and VAULTDOOR_CLUSTER.
`;

/**
 * Where PostgreSQL is; undefined when neither the arguments nor the environment say so. Fails with
 * `invalid_input` for what is no address of PostgreSQL.
 */
export function readClusterAddress(args: ProgramArguments): ClusterAddress | undefined {
  const file = args.value('cluster-url-file');
  if (file === '') throw args.refusal('"--cluster-url-file" needs the name of a file.');
  if (file !== undefined) return { file };
  const url = args.value('cluster');
  if (url === undefined) return undefined;
  if (!isPostgresUrl(url)) {
    throw args.refusal('"--cluster" takes an address such as postgres://user@host/vaultdoor.');
  }
  return { url };
}

/** Whether a text is an address of PostgreSQL. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/\S+$/.test(text);
}
