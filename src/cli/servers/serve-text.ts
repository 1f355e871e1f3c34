import { isIPv6 } from 'node:net';
import { limits } from '../../base/limits.ts';
import { shellWord } from '../../base/shell-word.ts';
import { hint, programText } from '../options/program-text.ts';

/** What `vaultdoor serve` prints about itself when it starts. */
export interface ServeStart {
  readonly vaults: readonly string[];
  /** The paths of the vaults. */
  readonly folders: readonly string[];
  /** Whether it is a node of a cluster. */
  readonly isNode?: boolean;
  readonly host: string;
  readonly port: number;
  /** The addresses of this machine in its networks. */
  readonly ownAddresses: readonly string[];
  /** Further names of it that clients use (`--allow-host`), normalized. In a container, these alone. */
  readonly allowHosts: readonly string[];
  readonly publicUrls: readonly string[];
  readonly tokens: 'asked' | 'optional' | 'off';
  readonly isLoopback: boolean;
  /** Absent when clients cannot sign in. */
  readonly signIn?: SignInStart;
  /** Absent when Bridge v1 is not served. */
  readonly bridge?: { readonly port: number; readonly asksToken: boolean };
  /** Links that open the console, one for each address at which it is shown; any of them works once. */
  readonly consoleLinks: readonly string[];
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

/**
 * The text that `serve` prints: its addresses, what to paste into clients, and the link to the console.
 * A server without an owner begins with the page and the code for setting one up, and does not say what
 * to paste, because no client can sign in yet.
 */
export function serveText(start: ServeStart): string {
  const { vaults, signIn } = start;
  const setUp = signIn?.setUp;
  return [
    ...(setUp === undefined ? [] : setUpLines(setUp)),
    `Serving ${vaults.map((vault) => `"${vault}"`).join(', ')} at`,
    '',
    ...addressesOf(start).map((address) => `  ${address}`),
    '',
    ...(setUp === undefined ? [...signInLines(signIn), ...pasteLines(start)] : []),
    ...bridgeLines(start),
    ...(setUp === undefined ? [whoMayConnect(start)] : []),
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

/** What to paste into clients, in as few lines as will do for all of them. */
function pasteLines(start: ServeStart): readonly string[] {
  const { signIn, consoleLinks } = start;
  // Clients that can sign in are not asked for a token.
  const asksToken = start.tokens === 'asked' && signIn === undefined;
  // Other machines need the public address, or else the one in the network, which follows loopback.
  const [first = '', second = first] = addressesOf(start);
  const url = signIn?.issuers[0]?.resource ?? (start.publicUrls.length > 0 ? first : second);
  const header = asksToken ? ' --header "Authorization: Bearer <token>"' : '';
  const headers = asksToken ? { headers: { Authorization: 'Bearer <token>' } } : {};
  return [
    'Claude Code:',
    '',
    `  claude mcp add --scope user --transport http vaultdoor ${shellWord(url, process.platform)}${header}`,
    '',
    'Other apps, in their file under "mcpServers" (VS Code: "servers"):',
    '',
    `  "vaultdoor": ${JSON.stringify({ type: 'http', url, ...headers })}`,
    '',
    ...(consoleLinks.length === 0
      ? []
      : ['The page "Connect" of the console has the whole text for each app.\n']),
  ];
}

function setUpLines({ url, code }: NonNullable<SignInStart['setUp']>): readonly string[] {
  return [
    `NOBODY CAN SIGN IN YET. Choose your passphrase within ${setUpMinutes} minutes on this page, with the code below it:`,
    '',
    `  ${url}`,
    '',
    `  ${code}`,
    '',
    '(Or type "vaultdoor owner set" in another terminal. "vaultdoor owner code" makes a new code.)',
    '',
  ];
}

/** The link is the last line, where a person who has just started the server looks. */
function consoleLines({ consoleLinks, isNode }: ServeStart): readonly string[] {
  if (consoleLinks.length === 0) return [];
  const link = consoleLinks.length === 1 ? 'This link opens' : 'One of these links opens';
  return [
    '',
    `The console shows what apps do, and takes it back. ${link} it once, within ${consoleMinutes} minutes;`,
    isNode ? 'each node prints one when it starts:' : `${hint('console')} makes another:`,
    '',
    ...consoleLinks.map((each) => `  ${each}`),
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

type Addresses = Pick<
  ServeStart,
  'host' | 'port' | 'ownAddresses' | 'allowHosts' | 'publicUrls' | 'isLoopback'
>;

/** The addresses for clients: public ones first, then loopback, then those of this machine. */
export function addressesOf(start: Addresses): readonly string[] {
  const { host, ownAddresses, publicUrls } = start;
  const hosts = everyAddress.includes(host)
    ? [
        '127.0.0.1',
        ...namesInNetwork(start),
        ...ownAddresses.filter((address) => host === '::' || !isIPv6(address)),
      ]
    : [host, ...namesInNetwork(start)];
  return [
    ...publicUrls.map((url) => `${withoutMcp(url)}/mcp`),
    ...[...new Set(hosts)].map((name) => `${plainOrigin(name, start)}/mcp`),
  ];
}

/**
 * The origins at which the owner can open the console: public ones with https and without a path, this
 * machine, and, where plain HTTP is allowed, the names that the server has in its network.
 */
export function consoleOriginsOf(
  start: Addresses,
  { allowsPlainHttp }: { readonly allowsPlainHttp: boolean },
): readonly string[] {
  const secure = start.publicUrls
    .map(withoutMcp)
    .filter((url) => url.startsWith('https:') && new URL(url).pathname === '/');
  const isHere = start.isLoopback || everyAddress.includes(start.host);
  return [
    ...secure,
    ...(allowsPlainHttp ? namesInNetwork(start).map((name) => plainOrigin(name, start)) : []),
    ...(isHere ? [plainOrigin('localhost', start)] : []),
  ];
}

/** The names by which others reach it; none when it listens on this machine alone. */
function namesInNetwork({ allowHosts, isLoopback }: Addresses): readonly string[] {
  return isLoopback ? [] : allowHosts;
}

function withoutMcp(url: string): string {
  return url.replace(/(\/mcp)?\/?$/, '');
}

function plainOrigin(name: string, { port }: Addresses): string {
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

function whoMayConnect({ tokens, folders, isLoopback, publicUrls, signIn }: ServeStart): string {
  const [issuer] = signIn?.issuers ?? [];
  if (issuer !== undefined) {
    return [
      'Apps sign in, and you decide in the browser what each of them may do. All connections:',
      '',
      `  ${issuer.url}/owner`,
      '',
      'If you change this address (--public-url), every app has to sign in again. Apps that cannot',
      'sign in need a token:',
      '',
      `  ${makeToken(folders)}`,
      '',
    ].join('\n');
  }
  switch (tokens) {
    case 'asked':
      return `Apps need a token. Make one for each app:\n\n  ${makeToken(folders)}\n`;
    case 'optional':
      return 'No token is needed: every program on this machine can connect, and nobody else.';
    case 'off':
      return isLoopback && publicUrls.length === 0
        ? 'NO TOKEN IS CHECKED: every program on this machine can connect.'
        : `NO TOKEN IS CHECKED (--auth ${publicUrls.length > 0 ? 'proxy' : 'none'}): only your network (Tailscale, Cloudflare Access, a firewall) keeps others out.`;
  }
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
      : 'Or let apps sign in: that needs a --public-url that begins with https:, without --oauth off.\n\n';
  const serve = `${programText()} serve${vaultFlags(folders)}`;
  const without = publicUrls.length > 0 ? ', without --public-url' : '';
  // With a tunnel or proxy on this machine, the server can stay on loopback.
  const openHost = isLoopback && publicUrls.length === 0 ? '0.0.0.0' : host;
  const urls = publicUrls
    .map((url) => ` --public-url ${shellWord(url, process.platform)}`)
    .join('');
  return `vaultdoor: ${why}, so apps need a token, and there is none yet.

Make a token for each app, then start again:

  ${makeToken(folders)}

${orSignIn}Or serve this machine only${without}:

  ${serve} --host 127.0.0.1 --auth auto

Or serve without tokens, if Tailscale, Cloudflare Access or a firewall decides who can connect:

  ${serve}${urls} --host ${openHost} --port ${port} --auth ${publicUrls.length > 0 ? 'proxy' : 'none'}
`;
}

function makeToken(folders: readonly string[]): string {
  return `${programText()} token create laptop${vaultFlags(folders)}`;
}

/** The vaults as options, because the command may be pasted in another folder. */
function vaultFlags(folders: readonly string[]): string {
  return folders.map((folder) => ` --vault ${shellWord(folder, process.platform)}`).join('');
}
