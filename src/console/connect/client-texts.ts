import type { CallEvent } from '../../doors/console/console-wire.ts';
import { localNames } from '../page/is-here.ts';
import { connectStrings } from '../words/connect-strings.ts';

/** The clients that Connect has a page for, by the words in its address. */
export const connectClients = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'claude-ai',
  'other',
] as const;
export type ConnectClient = (typeof connectClients)[number];

/** What to give to a client. */
interface ClientText {
  /** Where it goes, in words. */
  readonly where: string;
  readonly text: string;
}

/** What to paste into a client, with its real address and its token where it needs one. */
export function clientText(
  client: Exclude<ConnectClient, 'claude-desktop'>,
  url: string,
  token: string | undefined,
): ClientText {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  const entry = { vaultdoor: { type: 'http', url, ...headers } };
  const json = (value: object): string => JSON.stringify(value, null, 2);
  switch (client) {
    case 'claude-code': {
      const header = token === undefined ? '' : ` --header "Authorization: Bearer ${token}"`;
      return {
        where: connectStrings.runThis,
        text: `claude mcp add --scope user --transport http vaultdoor ${shellWord(url)}${header}`,
      };
    }
    case 'cursor':
      return { where: '~/.cursor/mcp.json', text: json({ mcpServers: entry }) };
    case 'vscode':
      return { where: '.vscode/mcp.json', text: json({ servers: entry }) };
    case 'claude-ai':
      return { where: connectStrings.connectors, text: url };
    case 'other':
      return { where: connectStrings.mostOthers, text: json({ mcpServers: entry }) };
  }
}

/** The command that takes out what `clientText` has put into a client; undefined where there is none. */
export function removeCommand(client: ConnectClient): string | undefined {
  return client === 'claude-code' ? 'claude mcp remove --scope user vaultdoor' : undefined;
}

/** What tells the calls of the client that is being connected from those of others. */
export interface Awaited {
  readonly client: ConnectClient;
  /** The id of the token that was made for it. */
  readonly token?: string | undefined;
  /** Whether clients need a token or have to sign in: then one that is new may be anybody's. */
  readonly isAsked: boolean;
  /** Whether this is the demo: the apps that it plays have tokens, and are not those of the reader. */
  readonly isDemo: boolean;
}

/** Recognizes the calls of the client that is being connected. Calls are given in their order. */
export class CallFinder {
  readonly #awaited: Awaited;
  /** The names of clients that have come while nothing is asked of them. */
  readonly #came = new Set<string | undefined>();

  constructor(awaited: Awaited) {
    this.#awaited = awaited;
  }

  /**
   * Whether a call is to be shown: one with the token that was made, one by a client of that name, or
   * one by a client that has just come.
   */
  takes({ client, token, method }: Pick<CallEvent, 'client' | 'token' | 'method'>): boolean {
    const { client: awaited, token: made, isAsked, isDemo } = this.#awaited;
    if (made !== undefined && token === made) return true;
    if (isDemo && token !== undefined) return false;
    if (isCallOf(awaited, client)) return true;
    if (made === undefined && !isAsked && method === 'initialize') this.#came.add(client);
    return this.#came.has(client);
  }
}

/** Which calls are those of a client, by the name that it gives. */
export function isCallOf(client: ConnectClient, name: string | undefined): boolean {
  const patterns: Record<ConnectClient, RegExp> = {
    'claude-code': /claude-?code/i,
    'claude-desktop': /claude-?(ai|desktop)/i,
    cursor: /cursor/i,
    // Cursor calls itself "cursor-vscode".
    vscode: /^(?!.*cursor).*(visual studio code|vscode|copilot)/i,
    'claude-ai': /claude|anthropic/i,
    // Any name can be its own; /$^/ would fit an app that gives none.
    other: /(?!)/,
  };
  return patterns[client].test(name ?? '');
}

/** The public address over HTTPS, which clients that connect from the internet need. */
export function publicAddress(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => address.startsWith('https:'));
}

/**
 * The address for a client: the one that the browser uses (`host`), else the first, which is public
 * where there is one. An empty host takes the first.
 */
export function bestAddress(addresses: readonly string[], host: string): string | undefined {
  const parts = (text: string): string[] => {
    const at = text.lastIndexOf(':');
    return at > text.lastIndexOf(']') ? [text.slice(0, at), text.slice(at)] : [text, ''];
  };
  const [name = '', port = ''] = parts(host);
  const isSame = (address: string): boolean => {
    const [other = '', otherPort = ''] = parts(new URL(address).host);
    return (
      port === otherPort &&
      (other === name || (localNames.includes(other) && localNames.includes(name)))
    );
  };
  return addresses.find(isSame) ?? addresses[0];
}

/** A word for a shell; addresses with other characters than these are quoted. */
function shellWord(text: string): string {
  return /^[\w:/.@%+=~[\]-]+$/.test(text) && !text.includes('[')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
