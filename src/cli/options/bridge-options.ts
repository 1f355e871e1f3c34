import { limits } from '../../base/limits.ts';
import { type LogLevel, logLevels } from '../../base/logger.ts';
import { bridgeUrl, checkKey } from '../../doors/bridge/bridge-url.ts';
import { ProgramArguments } from './program-arguments.ts';

/** The options of `vaultdoor bridge`. */
interface BridgeOptions {
  readonly url: string;
  readonly key?: string;
  readonly deadlineMs: number;
  readonly pollMs: number;
  readonly logLevel: LogLevel;
  /** Environment variables with wrong values, and the value that is used instead. */
  readonly ignored: readonly { readonly variable: string; readonly used: string }[];
}

type Env = Readonly<Record<string, string | undefined>>;

const defaultHost = '127.0.0.1';
const defaultPort = '3000';
const keyVariable = 'OBSIDIAN_MCP_API_KEY';

/**
 * Reads the arguments after `bridge` and the environment variables of the stdio bridge that comes
 * with the Obsidian plugin; arguments win. Fails with `invalid_input` for wrong arguments. Wrong
 * variables are ignored, as by that bridge.
 */
export function readBridgeOptions(
  argv: readonly string[],
  env: Env,
  readKeyFile: (file: string) => string,
): BridgeOptions {
  const args = new ProgramArguments('bridge', argv, [
    ['url', 'value'],
    ['timeout', 'value'],
    ['poll', 'value'],
    ['key-file', 'value'],
    ['log-level', 'value'],
  ]);
  if (args.positionals.length > 0) throw args.refusal('"bridge" takes options only.');
  const ignored: { variable: string; used: string }[] = [];
  const variable = (
    name: string,
    fallback: string,
    isRight: (value: string) => boolean,
  ): string => {
    const value = env[name]?.trim() || fallback;
    if (isRight(value)) return value;
    ignored.push({ variable: name, used: fallback });
    return fallback;
  };
  if (variable('OBSIDIAN_MCP_TRANSPORT', 'auto', isTransport) === 'mcp') {
    throw args.refusal(
      'The bridge speaks Bridge v1 only: set OBSIDIAN_MCP_TRANSPORT to "v1", or unset it.',
    );
  }
  const host = variable('OBSIDIAN_MCP_HOST', defaultHost, isHost);
  const port = variable('OBSIDIAN_MCP_PORT', defaultPort, isPort);
  const url = bridgeUrl(args.value('url') ?? `http://${bracketed(host)}:${port}`);
  const key = keyOf(args, env, readKeyFile);
  if (key !== undefined) checkKey(url, key, args.has('key-file') ? '--key-file' : keyVariable);
  return {
    url,
    ...(key === undefined ? {} : { key }),
    deadlineMs: secondsOf(args, 'timeout') ?? limits.bridgeDeadlineMs,
    pollMs: secondsOf(args, 'poll') ?? limits.bridgePollMs,
    logLevel: args.choice('log-level', logLevels) ?? 'info',
    ignored,
  };
}

/** The key to send; undefined for none. A key file without a key is refused, not ignored. */
function keyOf(
  args: ProgramArguments,
  env: Env,
  readKeyFile: (file: string) => string,
): string | undefined {
  const file = args.value('key-file');
  if (file === undefined) return env[keyVariable]?.trim() || undefined;
  const key = readKeyFile(file).trim();
  if (key === '') throw args.refusal(`There is no key in "${file}".`);
  return key;
}

function secondsOf(args: ProgramArguments, flag: string): number | undefined {
  const seconds = args.number(flag);
  if (seconds === 0) throw args.refusal(`"--${flag}" must be more than 0 seconds.`);
  return seconds === undefined ? undefined : 1_000 * seconds;
}

function isTransport(value: string): boolean {
  return ['auto', 'v1', 'mcp'].includes(value);
}

function isHost(value: string): boolean {
  return /^[\w.:[\]-]+$/.test(value) && URL.canParse(`http://${bracketed(value)}:1`);
}

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

/** A host as URLs have it: IPv6 addresses in brackets. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
