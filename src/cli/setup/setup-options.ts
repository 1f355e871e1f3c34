import { type ClientId, clientIds, noSuchApp } from '../install/client-places.ts';
import { behindDashes } from '../install/join-flags.ts';
import { ProgramArguments } from '../options/program-arguments.ts';
import { portOf } from '../options/serve-options.ts';
import type { FlagKind } from '../options/split-arguments.ts';
import { type Allowed, allowed } from './allowed.ts';

/** The options of `vaultdoor setup`. */
export interface SetupOptions {
  readonly vault?: string;
  /** Absent when it is to be asked, or stays as it is. */
  readonly allow?: Allowed;
  /** Whether to take back what setup has written. */
  readonly undo: boolean;
  /** `write` asks nothing and writes. Absent: a person at a terminal is asked, a script gets a dry run. */
  readonly mode?: 'write' | 'dry-run';
  readonly json: boolean;
  /** Empty for all that are found. */
  readonly clients: readonly ClientId[];
  /** Absent when it is the apps on this machine that are set up. */
  readonly server?: ServerSetupOptions;
}

/** The options of `vaultdoor setup --server`. */
export interface ServerSetupOptions {
  /** `this-machine`, `network`, an address of this machine, or an https address. */
  readonly address?: string;
  readonly port?: number;
  readonly access?: Access;
  readonly passphraseFile?: string;
}

const accesses = ['token', 'sign-in'] as const;
/** How clients come in. */
export type Access = (typeof accesses)[number];

const serverFlags: readonly (readonly [string, FlagKind])[] = [
  ['address', 'value'],
  ['port', 'value'],
  ['access', 'value'],
  ['passphrase-file', 'value'],
];
const kinds: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'list'],
  ['client', 'list'],
  ['allow', 'value'],
  ['server', 'switch'],
  ['undo', 'switch'],
  ['yes', 'switch'],
  ['dry-run', 'switch'],
  ['json', 'switch'],
  ...serverFlags,
];

/** What to write in place of an option of `vaultdoor stdio`, which the entries of apps may have. */
function insteadOf(flag: string, argv: readonly string[]): string | undefined {
  if (argv.includes('--server')) return undefined;
  if (flag === 'read-only') return 'use "--allow read"';
  if (flag === 'propose') return 'use "--allow propose"';
  return behindDashes(clientIds.find((id) => argv.includes(id)) ?? clientIds[0])(flag);
}

/** Reads the arguments after `setup`. Fails with `invalid_input` and what to write instead. */
export function readSetupOptions(argv: readonly string[]): SetupOptions {
  const args = new ProgramArguments('setup', argv, kinds, (flag) => insteadOf(flag, argv));
  if (args.positionals.length > 0) throw args.refusal('"setup" takes options only.');
  const isServer = args.has('server');
  const [vault, another] = args.list('vault');
  if (another !== undefined) {
    throw args.refusal('"setup" sets up one vault at a time; run it once for each --vault.');
  }
  if (args.has('yes') && args.has('dry-run')) {
    throw args.refusal('--yes and --dry-run contradict each other; give one of them.');
  }
  const stray = serverFlags.map(([flag]) => flag).find((flag) => args.has(flag));
  if (stray !== undefined && !isServer) throw args.refusal(`"--${stray}" is for --server.`);
  if (isServer && args.has('client')) {
    throw args.refusal('"--client" is for the apps on this machine; leave it out with --server.');
  }
  // There is one server, whichever its vault is.
  const needless = ['allow', ...(isServer ? ['vault'] : []), ...serverFlags.map(([flag]) => flag)];
  const undone = needless.find((flag) => args.has(flag));
  if (args.has('undo') && undone !== undefined) {
    throw args.refusal(`"--${undone}" means nothing with ${isServer ? '--server ' : ''}--undo.`);
  }
  const allow = args.choice('allow', allowed);
  return {
    ...(vault === undefined ? {} : { vault }),
    ...(allow === undefined ? {} : { allow }),
    undo: args.has('undo'),
    ...(args.has('yes') ? { mode: 'write' } : args.has('dry-run') ? { mode: 'dry-run' } : {}),
    json: args.has('json'),
    clients: args.list('client').map(clientOf),
    ...(isServer ? { server: serverOptionsOf(args) } : {}),
  };
}

function serverOptionsOf(args: ProgramArguments): ServerSetupOptions {
  const address = args.value('address');
  const passphraseFile = args.value('passphrase-file');
  // A passphrase protects only a server at which clients sign in.
  const access =
    args.choice('access', accesses) ?? (passphraseFile === undefined ? undefined : 'sign-in');
  if (access === 'token' && passphraseFile !== undefined) {
    throw args.refusal('"--passphrase-file" is for --access sign-in.');
  }
  const port = portOf(args, 'port');
  if (port === 0) throw args.refusal('"--port" cannot be 0: apps need a port that stays.');
  return {
    ...(address === undefined ? {} : { address }),
    ...(port === undefined ? {} : { port }),
    ...(access === undefined ? {} : { access }),
    ...(passphraseFile === undefined ? {} : { passphraseFile }),
  };
}

function clientOf(word: string): ClientId {
  const client = clientIds.find((id) => id === word);
  if (client !== undefined) return client;
  throw noSuchApp(word);
}
