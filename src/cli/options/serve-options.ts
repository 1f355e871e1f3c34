import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { serveVariables } from './choose-vault.ts';
import { clusterFlags, clusterVariables } from './cluster-options.ts';
import { serverVariables, type Variables, withEnvironment } from './environment-options.ts';
import { type ClusterServeOptions, nodeFlags, readNodeOptions } from './node-options.ts';
import type { ProgramArguments } from './program-arguments.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';
import type { FlagKind } from './split-arguments.ts';

/** The options of `vaultdoor serve`. */
export interface ServeOptions extends ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names and addresses by which clients may call it, besides its own. */
  readonly allowHosts: readonly string[];
  /** The addresses at which a proxy or tunnel makes it available. */
  readonly publicUrls: readonly string[];
  readonly auth: AuthChoice;
  readonly oauth: OAuthServeOptions;
  /** Whether the console is served: everywhere but over plain HTTP in a network, also there, or not. */
  readonly console: 'safely' | 'plain' | 'off';
  /** Absent when Bridge v1 is not served. */
  readonly bridge?: BridgeServeOptions;
  /** Absent where this server is alone. */
  readonly cluster?: ClusterServeOptions;
}

/** The options of signing in with OAuth. */
interface OAuthServeOptions {
  /** With `auto`, clients can sign in where the server has a public https address and asks for tokens. */
  readonly choice: (typeof oauthChoices)[number];
  /** How long an access token holds. */
  readonly accessMs: number;
  /** Whether the documents of clients that are not known yet are fetched. */
  readonly fetches: boolean;
}

/** The options of Bridge v1, which `serve` offers on a port of its own. */
export interface BridgeServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly toolsets: readonly ServedToolset[];
  /** Origins of the web pages that may use it, besides those that always may. */
  readonly allowOrigins: readonly string[];
  /** The file with the token that clients must send. */
  readonly tokenFile?: string;
}

/** Whether clients need a token: always, never, or only when other machines can reach the server. */
export type AuthChoice = (typeof authChoices)[number];

const authChoices = ['auto', 'token', 'none', 'proxy'] as const;
const oauthChoices = ['auto', 'off'] as const;
const hourMs = 60 * 60_000;
const defaultHost = '127.0.0.1';
/** The port of `vaultdoor serve`. */
export const defaultServePort = 1065;
const defaultBridgePort = 3000;
const portMax = 65_535;

const flags: readonly (readonly [string, FlagKind])[] = [
  ['host', 'value'],
  ['port', 'value'],
  ['allow-host', 'list'],
  ['public-url', 'list'],
  ['auth', 'value'],
  ['oauth', 'value'],
  ['oauth-access-hours', 'value'],
  ['oauth-fetch', 'value'],
  ['no-console', 'switch'],
  ['console-http', 'switch'],
  ['bridge', 'switch'],
  ['bridge-port', 'value'],
  ['bridge-tools', 'value'],
  ['bridge-token-file', 'value'],
  ['allow-origin', 'list'],
  ...clusterFlags,
  ...nodeFlags,
];

/** The environment variables that stand for options of `vaultdoor serve`. */
export const serveEnvironment: Variables = {
  ...serverVariables,
  ...clusterVariables,
  HOST: { value: '--host' },
  PORT: { value: '--port' },
  VAULTDOOR_AUTH: { value: '--auth' },
  VAULTDOOR_OAUTH: { value: '--oauth' },
  VAULTDOOR_OAUTH_ACCESS_HOURS: { value: '--oauth-access-hours' },
  VAULTDOOR_OAUTH_FETCH: { value: '--oauth-fetch' },
  VAULTDOOR_ALLOW_HOST: { list: '--allow-host' },
  VAULTDOOR_PUBLIC_URL: { list: '--public-url' },
};

/**
 * Reads the arguments after `serve` and the environment; arguments win. Fails with `invalid_input` and
 * what to write instead.
 */
export function readServeOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  platform: string = process.platform,
): ServeOptions {
  const program = {
    name: 'serve',
    toolset: 'agent',
    vaultVariables: serveVariables,
    flags,
  } as const;
  const { options, args } = readServerOptions(
    program,
    withEnvironment(argv, env, serveEnvironment),
  );
  const bridge = bridgeOf(args);
  const cluster = readNodeOptions(args, env, platform);
  return {
    ...options,
    ...(cluster === undefined ? {} : { cluster }),
    // Tokens and grants may be for any toolset.
    otherToolsets: servedToolsets,
    ...(bridge === undefined ? {} : { bridge }),
    host: hostOf(args),
    port: portOf(args, 'port') ?? defaultServePort,
    allowHosts: args.list('allow-host'),
    publicUrls: args.list('public-url'),
    auth: authOf(args),
    oauth: oauthOf(args),
    console: consoleOf(args),
  };
}

/**
 * Whether clients need a token. "none" is refused for a server on the internet, where it would let
 * everybody in: "proxy" says that something in front of the server decides who may connect.
 */
function authOf(args: ProgramArguments): AuthChoice {
  const auth = args.choice('auth', authChoices) ?? 'auto';
  if (auth !== 'none' || args.list('public-url').length === 0) return auth;
  throw args.refusal(
    'With --auth none and --public-url, everybody who knows the address could read and change your notes. Leave out --auth none, so that apps sign in or need a token; or, if the proxy itself asks who may connect (Cloudflare Access, "tailscale serve"), use --auth proxy.',
  );
}

function consoleOf(args: ProgramArguments): ServeOptions['console'] {
  const [isOff, isPlain] = [args.has('no-console'), args.has('console-http')];
  if (isOff && isPlain) {
    throw args.refusal('"--no-console" and "--console-http" contradict each other.');
  }
  if (isOff) return 'off';
  return isPlain ? 'plain' : 'safely';
}

function oauthOf(args: ProgramArguments): OAuthServeOptions {
  const hours = args.number('oauth-access-hours') ?? limits.accessHours;
  if (hours < 1 || hours > limits.accessHoursMax) {
    throw args.refusal(
      `"--oauth-access-hours" takes a number of hours between 1 and ${limits.accessHoursMax}.`,
    );
  }
  return {
    choice: args.choice('oauth', oauthChoices) ?? 'auto',
    accessMs: hours * hourMs,
    fetches: args.choice('oauth-fetch', oauthChoices) !== 'off',
  };
}

/** The port in an option; undefined when it was not given. Refuses what is not a number up to 65535. */
export function portOf(args: ProgramArguments, flag: string): number | undefined {
  const port = args.value(flag);
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > portMax) {
    throw args.refusal(`"--${flag}" takes a number up to ${portMax}.`);
  }
  return Number(port);
}

function bridgeOf(args: ProgramArguments): BridgeServeOptions | undefined {
  const port = portOf(args, 'bridge-port');
  if (port === undefined && !args.has('bridge')) {
    const needless = ['bridge-tools', 'bridge-token-file', 'allow-origin'].find((flag) =>
      args.has(flag),
    );
    if (needless !== undefined) throw args.refusal(`"--${needless}" is for "--bridge".`);
    return undefined;
  }
  const tokenFile = args.value('bridge-token-file');
  if (tokenFile === '') throw args.refusal('"--bridge-token-file" needs the name of a file.');
  return {
    port: port ?? defaultBridgePort,
    toolsets: args.several('bridge-tools', servedToolsets) ?? ['notes'],
    allowOrigins: args.list('allow-origin'),
    ...(tokenFile === undefined ? {} : { tokenFile }),
  };
}

/** The address without the brackets that IPv6 addresses have in URLs. */
function hostOf(args: ProgramArguments): string {
  const host = (args.value('host') ?? defaultHost).replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw args.refusal('"--host" needs an address, such as 0.0.0.0.');
  return host;
}
