import { isGrantId } from '../../base/caller.ts';
import { McpHttp } from '../../doors/mcp/http/mcp-http.ts';
import { FrontDoor } from '../../net/front-door.ts';
import { hostNameFrom, isLoopback } from '../../net/host-name.ts';
import type { HttpHandler } from '../../net/http-handler.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import type { ServeOptions } from '../options/serve-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openServerSessions, openVaultTokens } from '../vaults/server-files.ts';
import { type Health, httpHandler, type StatePaths } from './http-handler.ts';
import type { Server } from './run-server.ts';
import type { ServeConsoleParts, ServedConsole } from './serve-console.ts';
import { type ServedSignIn, type SignInPorts, serveSignIn } from './serve-sign-in.ts';
import { servicePerToolsets } from './service-per-toolsets.ts';

/** The parts of a server that answers HTTP, not listening yet. */
interface ServedHttp {
  readonly handler: HttpHandler;
  readonly mcp: McpHttp;
  readonly book: TokenBook;
  readonly tokens: 'asked' | 'optional' | 'off';
  /** Absent when clients cannot sign in. */
  readonly signIn: ServedSignIn | undefined;
  /** Absent when no console is served. */
  readonly consolePage: ServedConsole | undefined;
}

/** What the console needs of the server. Sign-in and sessions are there when its first page is opened. */
export type ConsoleNeeds = Pick<ServeConsoleParts, 'book' | 'grants' | 'mcp'>;

/** What a server that answers HTTP uses of the world. */
interface HttpPorts extends Omit<SignInPorts, 'consoleKey'> {
  readonly health: () => Promise<Health>;
  readonly states?: StatePaths;
  /** Absent when no console is to be served. */
  readonly openConsole?: (needs: ConsoleNeeds) => ServedConsole;
}

/** Joins what answers the requests of `vaultdoor serve`. `ports` are the real ones unless a test gives its own. */
export function serveHttp(
  shell: Pick<Shell, 'env' | 'version'>,
  options: ServeOptions,
  server: Pick<
    Server,
    'service' | 'makeService' | 'logger' | 'scopes' | 'deadlineMs' | 'choices' | 'vaults'
  > &
    Partial<Pick<Server, 'readLarge' | 'views' | 'books' | 'consoleVaults'>>,
  { health, states, openConsole, ...ports }: HttpPorts,
): ServedHttp {
  const { logger, scopes, choices, service, deadlineMs, readLarge, views, books } = server;
  const { allowHosts, publicUrls } = options;
  const tokens = tokensFor(options);
  const { nowMs } = ports;
  const { version, env } = shell;
  const book = books?.tokens ?? openVaultTokens(choices, env);
  const served: { mcp?: McpHttp; signIn?: ServedSignIn } = {};
  const consolePage = openConsole?.({
    book,
    grants: () => served.signIn?.grants,
    mcp: () => served.mcp,
  });
  const signIn = serveSignIn(shell, { ...options, tokens }, server, {
    ...ports,
    ...(consolePage === undefined ? {} : { consoleKey: () => consolePage.makeKey() }),
  });
  if (signIn !== undefined) served.signIn = signIn;
  const hears = consolePage?.hears;
  const front = new FrontDoor({
    allowHosts,
    publicUrls,
    tokens,
    book,
    ...(signIn === undefined ? {} : { signIn: signIn.port }),
    ...(hears === undefined ? {} : { onWrongToken: hears.onWrongToken }),
    scopes,
    nowMs,
  });
  const mcp: McpHttp = new McpHttp({
    service,
    serviceOf: servicePerToolsets(options, server),
    ...(signIn === undefined ? {} : { asksMore: signIn.asksMore }),
    logger,
    version,
    deadlineMs,
    ...(readLarge === undefined ? {} : { readLarge }),
    ...(views === undefined ? {} : { views }),
    book: books?.sessions ?? openServerSessions(choices, env),
    timers: nodeTimers,
    nowMs,
    ...(hears === undefined ? {} : { onCall: hears.onCall, onSessions: hears.onSessions }),
    isValid: async (id, folders) =>
      isGrantId(id) ? ((await signIn?.grants.isAlive(id, folders)) ?? false) : book.isValid(id),
  });
  served.mcp = mcp;
  const handler = httpHandler({
    mcp,
    front,
    logger,
    version,
    health,
    ...(states === undefined ? {} : { states }),
    nowMs,
    doors: [signIn?.door ?? [], consolePage ?? []].flat(),
    ...(signIn === undefined ? {} : { prefixes: signIn.prefixes }),
  });
  return { handler, mcp, book, tokens, signIn, consolePage };
}

/** Whether clients need a token. With `--auth auto` they do when other machines can reach the server. */
function tokensFor({ auth, host, publicUrls }: ServeOptions): 'asked' | 'optional' | 'off' {
  if (auth === 'none' || auth === 'proxy') return 'off';
  return auth === 'auto' && isThisMachine(host) && publicUrls.length === 0 ? 'optional' : 'asked';
}

/** Whether only this machine can reach this address. */
export function isThisMachine(host: string): boolean {
  return isLoopback(hostNameFrom(host) ?? '');
}
