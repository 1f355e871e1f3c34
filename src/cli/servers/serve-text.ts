import { isIPv6 } from 'node:net';
import { limits } from '../../base/limits.ts';
import { shellWord } from '../../base/shell-word.ts';

/** What `vaultdoor serve` prints about itself when it starts. */
export interface ServeStart {
  readonly vaults: readonly string[];
  /** The paths of the vaults. */
  readonly folders: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The addresses of this machine in its networks. */
  readonly ownAddresses: readonly string[];
  readonly publicUrls: readonly string[];
  readonly tokens: 'asked' | 'optional' | 'off';
  readonly isLoopback: boolean;
  /** Absent when clients cannot sign in. */
  readonly signIn?: SignInStart;
  /** Absent when Bridge v1 is not served. */
  readonly bridge?: { readonly port: number; readonly asksToken: boolean };
  /** The link that opens the console once; absent where there is none on this machine. */
  readonly consoleLink?: string;
}

/** What is printed about signing in. */
export interface SignInStart {
  /** The public addresses at which clients sign in: that of MCP, and that above it. */
  readonly issuers: readonly { readonly url: string; readonly resource: string }[];
  /** How the owner is set up; absent when there is an owner. */
  readonly setUp?: { readonly url: string; readonly code: string };
}

const consoleMinutes = limits.consoleKeyMs / 60_000;
const setUpMinutes = limits.setUpCodeMs / 60_000;
/** The addresses that stand for all networks. */
export const everyAddress = ['0.0.0.0', '::'];

/** The text that `serve` prints: its addresses, and what to paste into which client. */
export function serveText(start: ServeStart): string {
  const { vaults, signIn } = start;
  // Clients that can sign in are not asked for a token.
  const asksToken = start.tokens === 'asked' && signIn === undefined;
  const addresses = addressesOf(start);
  // Other machines need the public address, or else the one in the network, which follows loopback.
  const [first = '', second = first] = addresses;
  const url = signIn?.issuers[0]?.resource ?? (start.publicUrls.length > 0 ? first : second);
  const header = asksToken ? ' --header "Authorization: Bearer <token>"' : '';
  const headers = asksToken ? { headers: { Authorization: 'Bearer <token>' } } : {};
  const entry = { vaultdoor: { type: 'http', url, ...headers } };
  return [
    `Serving ${vaults.map((vault) => `"${vault}"`).join(', ')} at`,
    '',
    ...addresses.map((address) => `  ${address}`),
    '',
    ...signInLines(signIn),
    'Claude Code:',
    '',
    `  claude mcp add --transport http vaultdoor ${shellWord(url, process.platform)}${header}`,
    '',
    'Claude Code for a project (.mcp.json), Cursor and most others:',
    '',
    ...indented({ mcpServers: entry }),
    '',
    'VS Code (.vscode/mcp.json):',
    '',
    ...indented({ servers: entry }),
    '',
    ...bridgeLines(start),
    whoMayConnect(start),
    ...setUpLines(signIn),
    'Ctrl-C ends it.',
    ...consoleLines(start),
    '',
  ].join('\n');
}

function signInLines(signIn: SignInStart | undefined): readonly string[] {
  // claude.ai and ChatGPT connect from the internet: an address of this machine is of no use to them.
  const addresses = (signIn?.issuers ?? []).filter(({ url }) => url.startsWith('https:'));
  if (addresses.length === 0) return [];
  return [
    'claude.ai, Claude Desktop and phones (Settings > Connectors > Add custom connector), and ChatGPT',
    '(Settings > Apps & Connectors > Create, with OAuth): paste this address.',
    '',
    ...addresses.map(({ resource }) => `  ${resource}`),
    '',
  ];
}

function setUpLines(signIn: SignInStart | undefined): readonly string[] {
  if (signIn?.setUp === undefined) return [];
  const { url, code } = signIn.setUp;
  return [
    `NOBODY CAN SIGN IN YET: this server has no owner. Within ${setUpMinutes} minutes, open`,
    '',
    `  ${url}`,
    '',
    'and choose a passphrase. The page asks for this code:',
    '',
    `  ${code}`,
    '',
    '"vaultdoor owner code" makes a new code, and "vaultdoor owner set" sets the passphrase here.',
    '',
  ];
}

/** The last lines: a person who has just started the server opens the link first. */
function consoleLines({ consoleLink }: ServeStart): readonly string[] {
  if (consoleLink === undefined) return [];
  return [
    '',
    `The console shows what clients do, and takes it back. This link opens it once, within ${consoleMinutes} minutes;`,
    '"vaultdoor console" makes another:',
    '',
    `  ${consoleLink}`,
  ];
}

function bridgeLines({ bridge }: ServeStart): readonly string[] {
  if (bridge === undefined) return [];
  const url = `http://127.0.0.1:${bridge.port}/bridge/v1`;
  const [who, header] = bridge.asksToken
    ? [' with the token', '-H "Authorization: Bearer <token>" ']
    : ['', ''];
  return [
    `Bridge v1, for every program on this machine${who}:`,
    '',
    `  ${url}`,
    '',
    `  curl -s ${header}${url}/tools`,
    '',
  ];
}

/** The addresses for clients: public ones first, then loopback, then those of this machine. */
export function addressesOf({
  host,
  port,
  ownAddresses,
  publicUrls,
}: Pick<ServeStart, 'host' | 'port' | 'ownAddresses' | 'publicUrls'>): readonly string[] {
  const hosts = everyAddress.includes(host)
    ? ['127.0.0.1', ...ownAddresses.filter((address) => host === '::' || !isIPv6(address))]
    : [host];
  return [
    ...publicUrls.map((url) => `${url.replace(/(\/mcp)?\/?$/, '')}/mcp`),
    ...hosts.map((name) => `http://${isIPv6(name) ? `[${name}]` : name}:${port}/mcp`),
  ];
}

function whoMayConnect({ tokens, folders, isLoopback, publicUrls, signIn }: ServeStart): string {
  const [issuer] = signIn?.issuers ?? [];
  if (issuer !== undefined) {
    return [
      'Clients sign in, and you decide in the browser what each of them may do. All connections:',
      '',
      `  ${issuer.url}/owner`,
      '',
      'If you change this address (--public-url), every client has to sign in again. Clients that cannot',
      'sign in need a token:',
      '',
      `  ${makeToken(folders)}`,
      '',
    ].join('\n');
  }
  switch (tokens) {
    case 'asked':
      return `Clients need a token. Make one for each client:\n\n  ${makeToken(folders)}\n`;
    case 'optional':
      return 'No token is needed: every program on this machine can connect, and nobody else.';
    case 'off':
      return isLoopback && publicUrls.length === 0
        ? 'NO TOKEN IS CHECKED: every program on this machine can connect.'
        : 'NO TOKEN IS CHECKED (--auth none): only your network (Tailscale, Cloudflare Access, a firewall) keeps others out.';
  }
}

function indented(value: object): readonly string[] {
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}

/** The text when clients need tokens and there is none yet: why it does not start, and what to type. */
export function noTokenText(
  start: Pick<ServeStart, 'host' | 'port' | 'folders' | 'isLoopback' | 'publicUrls'>,
): string {
  const { host, port, folders, isLoopback, publicUrls } = start;
  const why =
    publicUrls.length > 0
      ? 'With --public-url, other machines can reach the server'
      : isLoopback
        ? '--auth token is given'
        : `Other machines can reach the server at ${host}`;
  const orSignIn =
    publicUrls.length === 0
      ? ''
      : 'Or let clients sign in: that needs a --public-url that begins with https:, without --oauth off.\n\n';
  const serve = `vaultdoor serve${vaultFlags(folders)}`;
  const without = publicUrls.length > 0 ? ', without --public-url' : '';
  // With a tunnel or proxy on this machine, the server can stay on loopback.
  const openHost = isLoopback && publicUrls.length === 0 ? '0.0.0.0' : host;
  const urls = publicUrls
    .map((url) => ` --public-url ${shellWord(url, process.platform)}`)
    .join('');
  return `vaultdoor: ${why}, so clients need a token, and there is none yet.

Make a token for each client, then start again:

  ${makeToken(folders)}

${orSignIn}Or serve this machine only${without}:

  HOST=127.0.0.1 VAULTDOOR_AUTH=auto ${serve}

Or serve without tokens, if Tailscale, Cloudflare Access or a firewall decides who can connect:

  HOST=${openHost} PORT=${port} VAULTDOOR_AUTH=none ${serve}${urls}
`;
}

function makeToken(folders: readonly string[]): string {
  return `vaultdoor token create laptop${vaultFlags(folders)}`;
}

/** The vaults as options, because the command may be pasted in another folder. */
function vaultFlags(folders: readonly string[]): string {
  return folders.map((folder) => ` --vault ${shellWord(folder, process.platform)}`).join('');
}
