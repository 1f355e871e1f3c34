import { networkInterfaces } from 'node:os';
import { limits } from '../base/limits.ts';
import { createMcpHttp } from '../doors/mcp/mcp-http.ts';
import { FrontDoor } from '../net/front-door.ts';
import { hostNameFrom, isLoopback } from '../net/host-name.ts';
import { listenHttp } from '../net/http-listener.ts';
import { nodeTimers } from '../node/node-ports.ts';
import type { TokenBook } from '../node/token-book.ts';
import { openServerSessions, openVaultTokens } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { type Health, httpHandler } from './http-handler.ts';
import type { Program } from './programs.ts';
import type { Shell } from './run.ts';
import { runServer, type Server } from './run-server.ts';
import { serveBridge } from './serve-bridge.ts';
import { readServeOptions, type ServeOptions, serveWords } from './serve-options.ts';
import { noTokenText, type ServeStart, serveText } from './serve-text.ts';
import { serverOptionsHelp, serverVariablesHelp } from './server-help.ts';
import { shareServer } from './share-server.ts';
import { untilAborted } from './until-aborted.ts';
import type { WaitingVault } from './waiting-vault.ts';

const help = `Usage: vaultdoor serve [options]

Serve vaults to MCP clients over HTTP, at /mcp; /health says how the server is. Prints its addresses
and what to paste into clients. SIGTERM or Ctrl-C ends it when what runs is answered. The log goes to
stderr.

  --host <address>          Where it listens (default: 127.0.0.1, this machine only; 0.0.0.0: all
                            networks). Anywhere but on this machine, tokens are asked for.
  --port <number>           The port (default: 1065); 0 takes one that is free.
  --allow-host <name>       A name by which it may be called, beside its own; may be repeated.
  --public-url <address>    The address under which a proxy or tunnel offers it; may be repeated.
                            Tokens are then asked for, on this machine too.
  --auth <auto|token|none>  Whether tokens are asked for (default: auto, as above). "vaultdoor token"
                            makes them. none: Tailscale, Cloudflare Access or a firewall alone
                            decides who comes in.
  --bridge                  Serve Bridge v1 too, at http://127.0.0.1:3000/bridge/v1: for programs on
                            this machine, whatever --host says.
  --bridge-port <number>    The same, on this port; 0 takes one that is free.
  --bridge-tools <notes|obsidian|agent>
                            Its toolset (default: notes), or several with commas between.
  --bridge-token-file <file>
                            The token that it asks for; otherwise VAULTDOOR_BRIDGE_TOKEN, or none.
  --allow-origin <origin>   Web pages that may use it, beside those of this machine and of the
                            Obsidian app; may be repeated. '*': every page, as in the protocol.
${serverOptionsHelp('agent')}

${serverVariablesHelp}; HOST, PORT, VAULTDOOR_AUTH,
VAULTDOOR_ALLOW_HOST=<name>,<name> and VAULTDOOR_PUBLIC_URL=<address>,<address>. Options win.
`;

/** `vaultdoor serve`: MCP over HTTP, and Bridge v1. */
export const serveProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readServeOptions(serveWords(argv, shell.env));
  return runServer(shell, options, (server) => serve(shell, options, server));
}

async function serve(shell: Shell, options: ServeOptions, server: Server): Promise<number> {
  const { service, logger, scopes, deadlineMs, choices, vaults, started, begin } = server;
  const { host, port, allowHosts, publicUrls } = options;
  const tokens = tokensFor(options);
  const book = openVaultTokens(choices, shell.env);
  const front = new FrontDoor({ allowHosts, publicUrls, tokens, book, scopes, nowMs: Date.now });
  const start: ServeStart = {
    vaults: choices.map(({ name }) => name),
    folders: choices.map(({ path }) => path),
    host,
    port,
    ownAddresses: ownAddresses(),
    publicUrls,
    tokens,
    isLoopback: isHere(host),
  };
  if (tokens === 'asked' && !(await hasToken(book, options))) {
    shell.stderr.write(noTokenText(start));
    return exitCodes.invalid_input;
  }
  const mcp = createMcpHttp({
    service,
    logger,
    version: shell.version,
    deadlineMs,
    book: openServerSessions(choices, shell.env),
    timers: nodeTimers,
    nowMs: Date.now,
    isValid: (token) => book.isValid(token),
  });
  const { signal, version } = shell;
  const health = async (): Promise<Health> => (signal.aborted ? 'stopping' : vaultHealth(vaults));
  const handler = httpHandler({ mcp, front, logger, version, health, nowMs: Date.now });
  const bridge = await serveBridge(shell, options, server);
  const listener = await listenHttp({ host, port, handler, logger }).catch(async (error) => {
    await bridge?.close(0);
    throw error;
  });
  const shared = await shareServer(shell, options, server);
  started({
    host: listener.host,
    port: listener.port,
    tokens,
    ...(bridge === undefined ? {} : { bridge: bridge.port }),
  });
  shell.stdout.on('error', () => undefined); // Who has read the addresses may leave.
  shell.stdout.write(
    serveText({ ...start, port: listener.port, ...(bridge === undefined ? {} : { bridge }) }),
  );
  begin();
  await untilAborted(signal);
  logger.log('info', 'stopping', { sessions: mcp.sessions });
  await Promise.all([
    // Later than the door: what it aborts at the end of that time is answered all the same.
    listener.close(limits.shutdownMs + limits.lastAnswersMs),
    mcp.close(limits.shutdownMs),
    shared.close(),
    bridge?.close(limits.shutdownMs),
  ]);
  return 0;
}

/** Whether tokens are asked for: always where others than this machine's programs can knock. */
function tokensFor({ auth, host, publicUrls }: ServeOptions): 'asked' | 'optional' | 'off' {
  if (auth === 'none') return 'off';
  return auth === 'auto' && isHere(host) && publicUrls.length === 0 ? 'optional' : 'asked';
}

/** Whether anybody could come in; assumed of a vault that is waited for. */
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

function isHere(host: string): boolean {
  return isLoopback(hostNameFrom(host) ?? '');
}

/** How long a disk may take to say that it is there. */
const lookMs = 2_000;

async function vaultHealth(vaults: readonly WaitingVault[]): Promise<Health> {
  const looks = vaults.map(async (vault) => (await vault.open()).check());
  const late = new Promise<never>((_, reject) =>
    nodeTimers.after(lookMs, () => reject(new Error('The disk does not answer.'))),
  );
  return Promise.race([Promise.all(looks), late]).then(
    () => 'ok',
    () => 'vault_not_found',
  );
}

/** The machine's addresses in its networks, those aside that other machines cannot use as they are. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}
