import type { OptionWords } from './option-words.ts';
import type { FlagKind } from './read-words.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';

/** What `vaultdoor serve` is told on its command line. */
export interface ServeOptions extends ServerOptions {
  readonly host: string;
  /** 0 takes one that is free. */
  readonly port: number;
  /** Names and addresses that it may be called by, beside its own. */
  readonly allowHosts: readonly string[];
  /** The addresses under which a proxy or tunnel offers it. */
  readonly publicUrls: readonly string[];
  readonly auth: AuthChoice;
}

/** Whether a token must be shown: always, never, or as the address it is served at demands. */
export type AuthChoice = (typeof authChoices)[number];

const authChoices = ['auto', 'token', 'none'] as const;
const standardHost = '127.0.0.1';
const standardPort = 1065;
const portMax = 65_535;

const flags: readonly (readonly [string, FlagKind])[] = [
  ['host', 'value'],
  ['port', 'value'],
  ['allow-host', 'list'],
  ['public-url', 'list'],
  ['auth', 'value'],
];

/** Reads the words after `serve`. Fails with `invalid_input` and what to write instead. */
export function readServeOptions(argv: readonly string[]): ServeOptions {
  const { options, words } = readServerOptions({ name: 'serve', toolset: 'agent', flags }, argv);
  return {
    ...options,
    host: hostOf(words),
    port: portOf(words),
    allowHosts: words.list('allow-host'),
    publicUrls: words.list('public-url'),
    auth: words.choice('auth', authChoices) ?? 'auto',
  };
}

function portOf(words: OptionWords): number {
  const port = words.value('port') ?? String(standardPort);
  if (!/^\d{1,5}$/.test(port) || Number(port) > portMax) {
    throw words.refusal(`"--port" takes a number up to ${portMax}.`);
  }
  return Number(port);
}

/** Brackets around IPv6 are for addresses with ports, and left out. */
function hostOf(words: OptionWords): string {
  const host = (words.value('host') ?? standardHost).replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw words.refusal('"--host" needs an address, such as 0.0.0.0.');
  return host;
}
