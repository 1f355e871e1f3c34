import { clusterLimits } from '../../base/door-limits.ts';
import { type ClusterAddress, readClusterAddress } from './cluster-options.ts';
import type { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** How `vaultdoor serve` is a node of a cluster. */
export interface ClusterServeOptions {
  readonly postgres: ClusterAddress;
  /** The folder that has all vaults, and the gates of their owners. */
  readonly vaultsRoot: string;
  /** Where other nodes reach this one. */
  readonly address: URL;
  /** The name of this node; that of the machine if absent. */
  readonly node?: string;
  /** The file with the secret of the cluster; a second line has the one before or after. */
  readonly secretFile: string;
  /** The port for other nodes; 0 takes any free port. */
  readonly port: number;
  readonly awakeMax: number;
  readonly readOnly: boolean;
  readonly leaseMs: number;
  /** How long reading goes on while PostgreSQL is away. */
  readonly graceMs: number;
}

/** The options of a node. */
export const nodeFlags: readonly (readonly [string, FlagKind])[] = [
  ['vaults-root', 'value'],
  ['node-address', 'value'],
  ['node', 'value'],
  ['cluster-secret-file', 'value'],
  ['cluster-port', 'value'],
  ['awake-max', 'value'],
  ['cluster-read-only', 'switch'],
];

/** The lines about these options in the help of `serve`. */
export const nodeHelp = `  --cluster <url>           Serve the vaults of a cluster, as one of several machines that share this
                            PostgreSQL (docs/cluster.md). VAULTDOOR_CLUSTER or
                            --cluster-url-file <file> keep its password out of the list of programs.
  --vaults-root <folder>    The folder with all vaults of the cluster, the same on every machine.
  --node-address <address>  Where the other machines reach this one: http://10.0.0.3:1066.
  --node <name>             Its name in the cluster (default: that of the machine).
  --cluster-secret-file <file>
                            The secret that all machines share, of 32 characters or more. While it is
                            changed, a second line has the other one.
  --cluster-port <number>   The port for other machines (default: that of --node-address).
  --awake-max <number>      How many vaults are open at once (default: ${clusterLimits.awakeMax}).
  --cluster-read-only       Write nothing, for a file system that "cluster check" refuses.`;

/**
 * How this server is a node; undefined where it is not to be one. Fails with `invalid_input` when
 * something is missing, and on Windows.
 */
export function readNodeOptions(
  args: ProgramArguments,
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): ClusterServeOptions | undefined {
  const postgres = readClusterAddress(args);
  if (postgres === undefined) {
    const needless = nodeFlags.map(([flag]) => flag).find((flag) => args.has(flag));
    if (needless !== undefined) throw args.refusal(`"--${needless}" is for "--cluster".`);
    return undefined;
  }
  if (platform === 'win32') {
    throw args.refusal(
      '"--cluster" needs Linux or macOS: on Windows, the names in a folder cannot be made durable.',
    );
  }
  const needed = (flag: string): string => {
    const value = args.value(flag);
    if (value) return value;
    throw args.refusal(`With "--cluster", "--${flag}" is needed too.`);
  };
  const address = addressOf(args, needed('node-address'));
  const node = args.value('node');
  if (node === '') throw args.refusal('"--node" needs a name.');
  const awakeMax = args.number('awake-max') ?? clusterLimits.awakeMax;
  if (awakeMax < 1) throw args.refusal('"--awake-max" takes a number from 1 on.');
  return {
    postgres,
    vaultsRoot: needed('vaults-root'),
    address,
    ...(node === undefined ? {} : { node }),
    secretFile: needed('cluster-secret-file'),
    port: args.number('cluster-port') ?? Number(address.port),
    awakeMax,
    readOnly: args.has('cluster-read-only'),
    leaseMs: Number(env['VAULTDOOR_CLUSTER_LEASE_MS'] ?? '') || clusterLimits.leaseMs,
    graceMs: Number(env['VAULTDOOR_CLUSTER_GRACE_MS'] ?? '') || clusterLimits.graceMs,
  };
}

function addressOf(args: ProgramArguments, text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.protocol === 'http:' && address.port !== '') return address;
  throw args.refusal(
    '"--node-address" takes an address with a port, such as http://10.0.0.3:1066.',
  );
}
