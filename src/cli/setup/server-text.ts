import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { limits } from '../../base/limits.ts';
import { shellWord } from '../../base/shell-word.ts';
import { counted, plain } from '../../tools/cli/text.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hint } from '../options/program-text.ts';
import { commandText } from '../shell/command-text.ts';
import type { FirstCall } from './first-call.ts';
import { addressText } from './server-address.ts';
import type { DecidedServer } from './server-plan.ts';
import { serveWords } from './service-files.ts';

/** What became of the set-up of a server. */
export interface ServerResult extends Partial<FirstCall> {
  /** The address for clients. */
  readonly url: string;
  /** The address at which this machine reaches it. */
  readonly origin: string;
  /** The files that were written. */
  readonly files: readonly string[];
  /** The token, which is shown only now; absent when none was made. */
  readonly token?: string;
  /** Its name; absent when clients need none. */
  readonly tokenName?: string;
  /** Where the owner signs in; absent when clients do not sign in. */
  readonly ownerPage?: string;
  /** Whether clients sign in and there is no owner yet. */
  readonly needsOwner: boolean;
  /** With it the owner chooses a passphrase in the browser; absent unless one is needed and the server runs. */
  readonly setUpCode?: string;
  /** A link to the console; absent where the server does not run as a service. */
  readonly consoleLink?: string;
  /** Why the first call failed; absent when it did not. */
  readonly failure?: string;
}

const isLinux = process.platform === 'linux';

interface Around {
  readonly decided: DecidedServer;
  readonly vault: VaultChoice;
  /** Whether systemd runs the server. */
  readonly isService: boolean;
  /** The variables that the owner has added to the settings of the service. */
  readonly added: readonly string[];
  /** The text of deploy/Caddyfile; undefined where it does not lie beside the program. */
  readonly caddyfile: string | undefined;
}

/** What is printed at the end: what works, what to paste where, and how to take it back. */
export function serverText(result: ServerResult, around: Around): readonly string[] {
  if (result.failure !== undefined) {
    return [
      `Apps cannot read "${plain(around.vault.name)}" yet: ${plain(result.failure)}`,
      ...(around.isService ? ['To see its log: journalctl --user -u vaultdoor'] : []),
      `To find out more: ${commandText(['doctor'], around.vault.path)}`,
      ...tokenText(result),
      ...undoText(result, around),
    ];
  }
  // Whether the proxy leads to the server was not looked at.
  const isPublic = around.decided.address.publicUrl !== undefined;
  const { notes } = result;
  const url = isPublic ? `${result.origin}/mcp` : result.url;
  const what = notes === undefined ? 'the notes' : counted(notes, 'note');
  return [
    around.isService
      ? `Apps can read ${what} at ${url}`
      : `A trial start worked: apps will be able to read ${what} at ${url}`,
    ...(around.isService ? [''] : []),
    ...startText(around),
    `Which notes apps read is kept for 30 days, without their text. To list it: ${commandText(['reads'], around.vault.path)}`,
    '',
    ...tokenText(result),
    ...pasteText(result, around.decided),
    ...ownerText(result, around),
    ...(result.consoleLink === undefined
      ? [`See what apps did: ${commandText(['console'], around.vault.path)}`]
      : [
          `The console shows what apps do, and takes it back. This link opens it once, within ${limits.consoleKeyMs / 60_000} minutes:`,
          '',
          `  ${result.consoleLink}`,
          '',
        ]),
    ...undoText(result, around),
  ];
}

/** How to take it back. Where setup writes no service, it has made a token at most. */
function undoText({ tokenName }: ServerResult, { vault }: Around): readonly string[] {
  if (isLinux)
    return [`Take this back: ${commandText(['setup', '--server', '--undo'], undefined)}`];
  if (tokenName === undefined) return [];
  return [`Take this back: ${commandText(['token', 'revoke', tokenName], vault.path)}`];
}

/** How the server keeps running. */
function startText({ decided, isService, added }: Around): readonly string[] {
  if (isService) {
    if (existsSync(`/var/lib/systemd/linger/${userInfo().username}`)) return [];
    return [
      'It runs as a service of your user. So that it also runs while you are not signed in:',
      '',
      '  sudo loginctl enable-linger "$USER"',
      '',
    ];
  }
  const service = isLinux
    ? 'Where your systemd runs, this starts it as a service: systemctl --user enable --now vaultdoor'
    : 'Setup makes a service on Linux only. Here, let the system start this command when you sign in.';
  return [
    `It does not run now${isLinux ? ' (no systemd of your user was found)' : ''}; start it with:`,
    '',
    `  ${serveCommand(decided)}`,
    '',
    service,
    'Started by hand, it ends with its terminal, and takes its options from this command alone, not from the settings file.',
    ...(added.length === 0
      ? []
      : [
          `You have added ${added.join(', ')} to that file: write it in front of the command as well, as NAME=value.`,
        ]),
    '',
  ];
}

/** The command that starts the server by hand; undefined where too little is known of it. */
export function serveCommand({
  address,
  port,
  access,
  allow,
  vaultPath,
}: Partial<DecidedServer>): string | undefined {
  if (address === undefined || port === undefined || vaultPath === undefined) return undefined;
  const { host, publicUrl } = address;
  return commandText(
    [
      ...[...serveWords, '--host', host, '--port', String(port)],
      ...(publicUrl === undefined ? [] : ['--public-url', publicUrl]),
      ...(access === 'token' ? ['--auth', 'token'] : []),
      ...(access === 'token' && publicUrl !== undefined ? ['--oauth', 'off'] : []),
      ...(allow === 'read' ? ['--read-only'] : allow === 'propose' ? ['--propose'] : []),
      '--log-reads',
    ],
    vaultPath,
  );
}

function tokenText({ token, tokenName }: ServerResult): readonly string[] {
  if (token !== undefined) {
    return [`The token "${tokenName}" for apps. It is shown only now:`, '', `  ${token}`, ''];
  }
  if (tokenName === undefined) return [];
  return [
    `Apps use the token "${tokenName}", which was shown when it was made. For another one: ${hint('token create <name>')}`,
    '',
  ];
}

/** What to paste into clients. */
function pasteText(
  { url, token, tokenName }: ServerResult,
  decided: DecidedServer,
): readonly string[] {
  if (decided.access === 'sign-in') return [];
  const isAsked = tokenName !== undefined;
  const secret = token ?? '<token>';
  const header = isAsked ? ` --header "Authorization: Bearer ${secret}"` : '';
  const headers = isAsked ? { headers: { Authorization: `Bearer ${secret}` } } : {};
  const entry = { mcpServers: { vaultdoor: { type: 'http', url, ...headers } } };
  return [
    'Paste this into a terminal, for Claude Code:',
    '',
    `  claude mcp add --scope user --transport http vaultdoor ${shellWord(url, process.platform)}${header}`,
    '',
    'Or this into the file of Cursor and most other apps:',
    '',
    `  ${JSON.stringify(entry)}`,
    '',
  ];
}

/** How clients sign in, and what the proxy has to do. */
function ownerText(
  { ownerPage, needsOwner, setUpCode, url, origin }: ServerResult,
  { decided: { address }, caddyfile }: Around,
): readonly string[] {
  const { publicUrl } = address;
  if (publicUrl === undefined) return [];
  const proxy = [
    ...(tailscaleText({ publicUrl, origin }) ?? [
      `Your proxy or tunnel has to lead ${publicUrl} to ${origin}.`,
      ...caddyText(caddyfile, { publicUrl, origin }),
    ]),
    'When the address leads here, this looks whether all of it gets through (best on a computer outside',
    'of your network; on this one it cannot show that the address can be reached from outside):',
    '',
    `  ${commandText(['doctor', '--public-url', publicUrl], undefined)}`,
    '',
  ];
  if (ownerPage === undefined) return proxy;
  return [
    ...proxy,
    'Paste this address into claude.ai, Claude Desktop and phones (Settings > Connectors > Add custom',
    'connector), or into ChatGPT:',
    '',
    `  ${url}`,
    '',
    ...passphraseText({ ownerPage, needsOwner, setUpCode }),
    '',
  ];
}

function passphraseText({
  ownerPage,
  needsOwner,
  setUpCode,
}: Pick<ServerResult, 'ownerPage' | 'needsOwner'> & {
  readonly setUpCode: string | undefined;
}): readonly string[] {
  if (!needsOwner) return [`You sign in, and see all connections, at ${ownerPage}`];
  const page = `${ownerPage}/set-up`;
  if (setUpCode === undefined) {
    return [
      `When the server starts, it prints a code. With it you choose your passphrase at ${page}`,
    ];
  }
  const minutes = limits.setUpCodeMs / 60_000;
  return [
    `Choose your passphrase within ${minutes} minutes at ${page} with this code (${hint('owner code')} makes another):`,
    '',
    `  ${setUpCode}`,
  ];
}

/** The command with which Tailscale leads its address here; undefined for any other address. */
function tailscaleText({
  publicUrl,
  origin,
}: {
  readonly publicUrl: string;
  readonly origin: string;
}): readonly string[] | undefined {
  const { hostname, port, pathname } = new URL(publicUrl);
  if (!hostname.endsWith('.ts.net') || pathname !== '/') return undefined;
  const flags = port === '' ? '' : ` --https=${port}`;
  return [
    `With this, Tailscale leads ${publicUrl} to the server, also after a restart of this machine:`,
    '',
    `  sudo tailscale funnel --bg${flags} ${new URL(origin).port}`,
    '',
  ];
}

/** The block for Caddy, with the name and the port of this server. */
function caddyText(
  file: string | undefined,
  { publicUrl, origin }: { readonly publicUrl: string; readonly origin: string },
): readonly string[] {
  const { host, pathname } = new URL(publicUrl);
  // The shipped block is for a whole name.
  if (pathname !== '/') return [];
  const block = file?.slice(file.indexOf(`\n${caddyName} {`) + 1).trimEnd();
  if (block === undefined || !block.includes(caddyServer)) {
    return ['For Caddy, the file deploy/Caddyfile of the package has the block to copy.'];
  }
  const mended = block
    .replaceAll(caddyName, () => host)
    .replaceAll(caddyServer, () => new URL(origin).host);
  return ['With Caddy, this in /etc/caddy/Caddyfile does it:', '', ...mended.split('\n'), ''];
}

/** What stands in deploy/Caddyfile for the name of the server and for its address on this machine. */
const caddyName = 'vault.example.com';
const caddyServer = '127.0.0.1:1065';

/** The command that sets the server up like this without asking. */
export function commandOf(
  { address, port, access, allow }: DecidedServer,
  vault: VaultChoice,
): string {
  return commandText(
    [
      ...['setup', '--server', '--yes', '--address', addressText(address), '--port', String(port)],
      ...(access === undefined ? [] : ['--access', access]),
      ...['--allow', allow],
    ],
    vault.path,
  );
}
