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
  /** The name for `vaultdoor install`; absent where that does not know the client. */
  readonly install?: string;
}

/** What to paste into a client, with its real address and its token where it needs one. */
export function clientText(
  client: ConnectClient,
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
        text: `claude mcp add --transport http vaultdoor ${shellWord(url)}${header}`,
        install: client,
      };
    }
    case 'claude-desktop':
      return { where: connectStrings.runThis, text: 'vaultdoor install claude-desktop' };
    case 'cursor':
      return { where: '~/.cursor/mcp.json', text: json({ mcpServers: entry }), install: client };
    case 'vscode':
      return { where: '.vscode/mcp.json', text: json({ servers: entry }), install: client };
    case 'claude-ai':
      return { where: connectStrings.connectors, text: url };
    case 'other':
      return { where: connectStrings.mostOthers, text: json({ mcpServers: entry }) };
  }
}

/** Which calls are those of a client, by the name that it gives. */
export function isCallOf(client: ConnectClient, name: string | undefined): boolean {
  const patterns: Record<ConnectClient, RegExp> = {
    'claude-code': /claude-?code/i,
    'claude-desktop': /claude-?(ai|desktop)/i,
    cursor: /cursor/i,
    vscode: /visual studio code|vscode|copilot/i,
    'claude-ai': /claude|anthropic/i,
    other: /(?:)/,
  };
  return patterns[client].test(name ?? '');
}

/**
 * The address for a client on the machine of this browser: the one that the browser itself uses, else
 * the first, which is public where there is one.
 */
export function bestAddress(addresses: readonly string[], host: string): string | undefined {
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const parts = (text: string): string[] => {
    const at = text.lastIndexOf(':');
    return at > text.lastIndexOf(']') ? [text.slice(0, at), text.slice(at)] : [text, ''];
  };
  const [name = '', port = ''] = parts(host);
  const isSame = (address: string): boolean => {
    const [other = '', otherPort = ''] = parts(new URL(address).host);
    return (
      port === otherPort && (other === name || (local.includes(other) && local.includes(name)))
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
