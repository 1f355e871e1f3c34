import { limits } from '../../base/limits.ts';
import { hostNameFrom } from '../../net/host-name.ts';
import { listenHttp } from '../../net/http-listener.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { shareServer } from '../attach/share-server.ts';
import { serveVariables } from '../options/choose-vault.ts';
import { inUsersNames } from '../options/environment-options.ts';
import { type ClusterServeOptions, nodeHelp } from '../options/node-options.ts';
import { readServeOptions, type ServeOptions, serveEnvironment } from '../options/serve-options.ts';
import { serverOptionsHelp, serverVariablesHelp } from '../options/server-help.ts';
import type { Health } from '../servers/http-handler.ts';
import { ownAddresses } from '../servers/own-addresses.ts';
import { runServer, type Server } from '../servers/run-server.ts';
import { serveBridge } from '../servers/serve-bridge.ts';
import type { ServedNode } from '../servers/serve-cluster.ts';
import { ServedConsole } from '../servers/serve-console.ts';
import { type ConsoleNeeds, isThisMachine, serveHttp } from '../servers/serve-http.ts';
import {
  addressesOf,
  consoleOriginsOf,
  everyAddress,
  noTokenText,
  type ServeStart,
  serveText,
} from '../servers/serve-text.ts';
import { untilAborted } from '../servers/server-process.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Program, Shell } from '../shell/shell.ts';
import type { WaitingVault } from '../vaults/waiting-vault.ts';

const help = `Usage: vaultdoor serve [options]

Serve vaults to AI apps over HTTP, at /mcp, and the console to you, at /c/; /health answers
whether the server is well. Prints its addresses, what to paste into apps, and a link to the
console. After SIGTERM or Ctrl-C it answers the calls that are running, and ends. The log goes to
stderr.

  --host <address>          The address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0:
                            all networks). If other machines can reach it, apps need a token.
  --port <number>           The port (default: 1065); 0 takes any free port.
  --allow-host <name>       Another host name that apps may use for it; may be repeated.
  --public-url <address>    The address at which a proxy or tunnel makes it available; may be
                            repeated. Apps then sign in or need a token, on this machine too.
  --auth <choice>           Whether apps need a token: auto (the default, as above), token or none;
                            "vaultdoor token" makes them. With none, only Tailscale or a firewall
                            keeps others out. With --public-url, write proxy instead of none, and
                            only if the proxy itself asks who may connect (Cloudflare Access).
  --oauth <auto|off>        Whether apps such as claude.ai and ChatGPT can sign in (default: auto,
                            if --public-url begins with https:, or with http: and localhost, and
                            apps need a token).
  --oauth-access-hours <hours>
                            How long an app stays in before it renews its access (default: 24).
  --oauth-fetch <auto|off>  Whether to fetch the documents in which unknown apps describe
                            themselves (default: auto).
  --no-console              Serve no console: the web page on which you see what apps do, take it
                            back and decide what waits for you.
  --console-http            Show the console over plain HTTP in a network too, where others can read
                            along.
  --bridge                  Also serve Bridge v1 at http://127.0.0.1:3000/bridge/v1, to programs on
                            this machine only, whatever --host says.
  --bridge-port <number>    The same, on this port; 0 takes any free port.
  --bridge-tools <notes|obsidian|agent>
                            Its toolset (default: notes), or several, separated by commas.
  --bridge-token-file <file>
                            The file with its token; otherwise VAULTDOOR_BRIDGE_TOKEN, or none.
  --allow-origin <origin>   Web pages that may use Bridge v1, beside those of this machine and of the
                            Obsidian app; may be repeated. '*' allows every page.
${nodeHelp}
${serverOptionsHelp('agent', serveVariables)}

${serverVariablesHelp}, HOST, PORT, VAULTDOOR_AUTH,
VAULTDOOR_ALLOW_HOST=<name>,<name>, VAULTDOOR_PUBLIC_URL=<address>,<address>,
VAULTDOOR_OAUTH=<auto|off>, VAULTDOOR_OAUTH_ACCESS_HOURS, VAULTDOOR_OAUTH_FETCH=<auto|off>.

Examples:
  vaultdoor serve --vault ~/Notes
  vaultdoor serve --vault ~/Notes --host 0.0.0.0 --tools notes
  vaultdoor serve --vault ~/Notes --public-url https://vault.example.com
`;

/** `vaultdoor serve`: serves MCP over HTTP, and Bridge v1 if asked. */
export const serveProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return inUsersNames({ argv, env: shell.env, variables: serveEnvironment }, () => {
    const options = readServeOptions(argv, shell.env);
    if (options.cluster !== undefined) return runNode(shell, options, options.cluster);
    return runServer(shell, options, (server) => serve(shell, options, server));
  });
}

/** Serves as a node of a cluster. Only then the code for it is loaded. */
async function runNode(
  shell: Shell,
  options: ServeOptions,
  cluster: ClusterServeOptions,
): Promise<number> {
  const { runClusterServer } = await import('../servers/serve-cluster.ts');
  const chosen = { ...options, cluster };
  return runClusterServer(shell, chosen, (server, node) => serve(shell, chosen, server, node));
}

async function serve(
  shell: Shell,
  options: ServeOptions,
  server: Server,
  node?: ServedNode,
): Promise<number> {
  const { logger, choices, vaults, started, begin } = server;
  const { host, port, publicUrls } = options;
  const { signal } = shell;
  const health = async (): Promise<Health> => (signal.aborted ? 'stopping' : vaultHealth(vaults));
  const bound = { port };
  const openConsole = (parts: ConsoleNeeds): ServedConsole =>
    new ServedConsole(shell, server, {
      ...parts,
      allowsPlainHttp: options.console === 'plain',
      port: () => bound.port,
      facts: () => ({
        isAlone: false,
        addresses: addressesOf({ ...start, port: bound.port }),
        publicUrls,
        tokens,
        logsReads: options.logReads,
        toolsets: options.toolsets,
        ...(signIn === undefined ? {} : { ownerPage: signIn.ownerPage }),
      }),
    });
  const { handler, mcp, book, signIn, tokens, consolePage } = serveHttp(shell, options, server, {
    nowMs: Date.now,
    health,
    ...(node === undefined ? {} : { states: node.states }),
    ...(options.console === 'off' ? {} : { openConsole }),
  });
  const start: ServeStart = {
    vaults: choices.map(({ name }) => name),
    // A node has no folders to name: without them, a token is for all vaults of the cluster.
    folders: node === undefined ? choices.map(({ path }) => path) : [],
    isNode: node !== undefined,
    host,
    port,
    ownAddresses: ownAddresses(),
    allowHosts: options.allowHosts.flatMap((name) => hostNameFrom(name.trim()) ?? []),
    publicUrls,
    tokens,
    isLoopback: isThisMachine(host),
    consoleLinks: [],
  };
  if (tokens === 'asked' && signIn === undefined && !(await hasToken(book, options))) {
    shell.stderr.write(noTokenText(start));
    return exitCodes.invalid_input;
  }
  const bridge = await serveBridge(shell, options, server);
  const guarded = node?.guard(handler) ?? handler;
  node?.countSessions(() => mcp.sessions);
  const listener = await listenHttp({ host, port, handler: guarded, logger }).catch(
    async (error) => {
      await bridge?.close(0);
      throw error;
    },
  );
  bound.port = listener.port;
  const isHere = start.isLoopback || everyAddress.includes(host);
  const here = { ...start, port: listener.port };
  const origins = consoleOriginsOf(here, { allowsPlainHttp: options.console === 'plain' });
  const outside = origins.filter((origin) => origin.startsWith('https:'));
  const consoleLinks =
    consolePage && isHere
      ? () => consolePage.makeLinks([`http://localhost:${listener.port}`, ...outside])
      : undefined;
  const shared =
    node === undefined ? await shareServer(shell, options, server, consoleLinks) : undefined;
  started({
    host: listener.host,
    port: listener.port,
    apps: signIn === undefined ? whoComesIn[tokens] : 'sign in, or have a token',
    ...(bridge === undefined ? {} : { bridge: bridge.port }),
  });
  shell.stdout.on('error', () => undefined); // The reader of the addresses may close the pipe.
  shell.stdout.write(
    serveText({
      ...here,
      ...(signIn === undefined ? {} : { signIn: await signIn.start() }),
      ...(bridge === undefined ? {} : { bridge }),
      ...(consolePage === undefined ? {} : { consoleLinks: await consolePage.makeLinks(origins) }),
    }),
  );
  begin();
  await untilAborted(signal);
  logger.log('info', 'stopping', { sessions: mcp.sessions });
  await node?.drain().catch(() => undefined); // Its vaults are free when its lease ends.
  await Promise.all([
    // Later than the door: calls that it aborts at the end of that time are still answered.
    listener.close(limits.shutdownMs + limits.lastAnswersMs),
    mcp.close(limits.shutdownMs),
    shared?.close(),
    consolePage?.close(),
    bridge?.close(limits.shutdownMs),
  ]);
  return 0;
}

/** How apps come in that cannot sign in, for the log. */
const whoComesIn: Readonly<Record<ServeStart['tokens'], string>> = {
  asked: 'need a token',
  optional: 'on this machine need no token',
  off: 'are not asked for a token',
};

/** Whether there is a valid token. For a vault that does not exist yet it is assumed. */
async function hasToken(book: TokenBook, { waitForVault }: ServeOptions): Promise<boolean> {
  try {
    return (await book.list()).some(
      ({ expiresMs }) => expiresMs === undefined || Date.now() < expiresMs,
    );
  } catch (error) {
    if (waitForVault) return true;
    throw error;
  }
}

/** How long a disk may take to answer. */
const lookMs = 2_000;

/** Whether all vaults can be opened and answer in time. */
async function vaultHealth(vaults: readonly WaitingVault[]): Promise<Health> {
  const looks = vaults.map(async (vault) => (await vault.open()).check());
  const timeout = new Promise<never>((_, reject) =>
    nodeTimers.after(lookMs, () => reject(new Error('The disk does not answer.'))),
  );
  return Promise.race([Promise.all(looks), timeout]).then(
    () => 'ok',
    () => 'vault_not_found',
  );
}
