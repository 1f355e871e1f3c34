import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import type { Scopes } from '../../base/caller.ts';
import { steadyClock } from '../../base/steady-clock.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ConsoleHttp } from '../../doors/console/console-http.ts';
import type { ConsoleMe } from '../../doors/console/console-me.ts';
import type { ConsoleParts, OwnAnswers } from '../../doors/console/console-parts.ts';
import { isConsolePath } from '../../doors/console/console-routes.ts';
import { ConsoleSessions } from '../../doors/console/console-sessions.ts';
import type { HttpParts } from '../../doors/mcp/http/http-parts.ts';
import type { McpHttp } from '../../doors/mcp/http/mcp-http.ts';
import { consoleScopes } from '../../engine/decide/console-scopes.ts';
import type { Refusal, RequestHead } from '../../net/http-handler.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import type { LastCalls } from '../../node/server/last-calls.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { Grants } from '../../oauth/grants/grants.ts';
import { type BriefBooks, memoryBriefBooks } from '../../oauth/ports/brief-book.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { OwnerBook } from '../../oauth/ports/owner-book.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { programText } from '../options/program-text.ts';
import { commandText } from '../shell/command-text.ts';
import type { Shell } from '../shell/shell.ts';
import { machineGrants } from '../vaults/machine-grants.ts';
import { openLastCalls, openSignInBooks } from '../vaults/server-files.ts';
import { VaultNews } from './console-news.ts';
import { type ConsoleVaults, machineVaults } from './console-vaults.ts';
import { keepTotals } from './keep-totals.ts';
import type { Server } from './run-server.ts';

/** What the console tells about the server that it belongs to. */
type ConsoleServerFacts = Pick<
  ConsoleMe,
  'isAlone' | 'addresses' | 'publicUrls' | 'tokens' | 'logsReads' | 'toolsets' | 'ownerPage'
>;

/** What the console is told by the server that it belongs to. */
export interface ServeConsoleParts {
  readonly book: TokenBook;
  readonly allowsPlainHttp: boolean;
  /** Asked for when a page is opened: the port is known by then. */
  readonly facts: () => ConsoleServerFacts;
  /** The connections of clients that have signed in; absent where they cannot sign in. */
  readonly grants: () => Pick<Grants, 'list' | 'end'> | undefined;
  /** Absent where MCP is not served. */
  readonly mcp: () => Pick<McpHttp, 'openSessions' | 'endSession' | 'connected'> | undefined;
  readonly port: () => number;
}

/**
 * The console of a server. It is loaded at the first request to it, so that it costs nothing before;
 * only who may open it is known from the start.
 */
export class ServedConsole {
  readonly #sessions: ConsoleSessions;
  readonly #news: VaultNews;
  readonly #lastCalls: LastCalls;
  readonly #load: () => Promise<ConsoleHttp>;
  readonly #port: () => number;
  readonly #stopTotals: () => void;
  #loading: Promise<ConsoleHttp> | undefined;
  #door: ConsoleHttp | undefined;
  #usedMs = Date.now();

  constructor(shell: Shell, server: Server, parts: ServeConsoleParts) {
    const { scopes, consoleVaults: vaults = machineVaults(shell, server) } = server;
    const connected = () => parts.mcp()?.connected;
    const timers = nodeTimers;
    this.#news = new VaultNews({ vaults: vaults.news, timers, connected });
    this.#port = parts.port;
    this.#lastCalls = openLastCalls(shell.env);
    const nowMs = steadyClock(Date.now);
    const brief = server.books?.brief ?? memoryBriefBooks({ crypto: nodeOAuthCrypto, nowMs });
    const books = server.books ?? openSignInBooks(shell.env);
    const owner = ownerMark(books.owner);
    this.#sessions = new ConsoleSessions({ brief, nowMs, owner });
    const own = { sessions: this.#sessions, news: this.#news, lastCalls: this.#lastCalls };
    const kept = { books: { ...books, brief }, vaults };
    this.#load = () => loadConsole(shell, server, { ...parts, ...own, ...kept });
    this.#stopTotals = keepTotals({ vaults: () => vaults.counted(), scopes }, timers);
  }

  /** Makes a key that opens the console once. */
  makeKey(): Promise<string> {
    return this.#sessions.makeKey();
  }

  /** A link that opens the console once, in a browser on this machine. */
  async makeLink(): Promise<string> {
    const [link = ''] = await this.makeLinks([`http://localhost:${this.#port()}`]);
    return link;
  }

  /** A link for each of these origins. They have the same key, so that only the first one that is used works. */
  async makeLinks(origins: readonly string[]): Promise<readonly string[]> {
    const key = await this.makeKey();
    return origins.map((origin) => `${origin}/c/enter#k=${key}`);
  }

  /** What MCP over HTTP tells the console. */
  get hears(): Required<Pick<HttpParts, 'onCall'>> & {
    onSessions: () => void;
    onWrongToken: () => void;
  } {
    return {
      onCall: (call) => {
        const { token, client } = call;
        const from = client === undefined ? {} : { client };
        if (token !== undefined) this.#lastCalls.add(token, { timeMs: Date.now(), ...from });
        this.#news.call(call);
      },
      onSessions: () => this.#news.sessions(),
      onWrongToken: () => this.#news.wrongToken(),
    };
  }

  serves(path: string): boolean {
    return isConsolePath(path);
  }

  async ready(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined; // The next request tries again.
      throw error;
    });
    this.#door = await this.#loading;
  }

  async bodyBytesMax(head: RequestHead): Promise<number> {
    return this.#door?.bodyBytesMax(head) ?? 0;
  }

  async handle(request: Request): Promise<Response> {
    this.#usedMs = Date.now();
    await this.ready();
    if (this.#door === undefined) throw new VaultError('unavailable', 'The console is not loaded.');
    return this.#door.handle(request);
  }

  refusal(path: string, refusal: Refusal): Response | undefined {
    return this.#door?.refusal(path, refusal);
  }

  /** Since when no page was open and nothing was asked for; undefined while a page is open. */
  get idleSinceMs(): number | undefined {
    const isOpen = this.#door !== undefined && this.#door.pages > 0;
    if (isOpen) this.#usedMs = Date.now();
    return isOpen ? undefined : this.#usedMs;
  }

  /** Ends the streams of open pages, and writes down who called last. */
  async close(): Promise<void> {
    this.#stopTotals();
    this.#door?.close();
    await this.#lastCalls.close();
  }
}

/**
 * Answers what `ConsoleSessions` has to know of the owner. When the book cannot be read, consoles go on:
 * nobody comes in by it either.
 */
function ownerMark(
  book: Pick<OwnerBook, 'read'>,
): (how?: { readonly newest: true }) => Promise<string | undefined> {
  return async (how) => {
    const page = await book.read(how).catch(() => undefined);
    if (page === undefined) return undefined;
    const hash = page.owner?.passphrase.hash;
    return hash === undefined ? '' : createHash('sha256').update(hash).digest('hex');
  };
}

type LoadParts = ServeConsoleParts & {
  readonly sessions: ConsoleSessions;
  readonly news: VaultNews;
  readonly lastCalls: LastCalls;
  readonly books: {
    readonly oauth: OAuthBook;
    readonly owner: OwnerBook;
    readonly brief: BriefBooks;
  };
  readonly vaults: ConsoleVaults;
};

async function loadConsole(shell: Shell, server: Server, parts: LoadParts): Promise<ConsoleHttp> {
  const { ConsoleHttp } = await import('../../doors/console/console-http.ts');
  const { readPageFiles } = await import('./page-files.ts');
  const { logger, deadlineMs } = server;
  const { sessions, news, port, allowsPlainHttp, vaults } = parts;
  const service = await vaults.service();
  sessions.ended.add((id) => service.disconnected(id));
  const scopes = consoleScopes(server.scopes);
  const given: ConsoleParts = {
    service,
    own: await ownAnswers(shell, { ...parts, scopes }),
    picture: (path, caller) => vaults.picture(path, caller),
    sessions,
    news,
    files: () => readPageFiles(shell.entryFile),
    // A browser comes to all nodes of a cluster, which may have different ports.
    cookiePort: server.books === undefined ? port : () => 0,
    publicUrls: parts.facts().publicUrls,
    allowsPlainHttp,
    scopes,
    deadlineMs,
    timers: nodeTimers,
    nowMs: Date.now,
    logger,
    version: shell.version,
  };
  return new ConsoleHttp(given);
}

async function ownAnswers(
  shell: Shell,
  parts: LoadParts & { readonly scopes: Scopes },
): Promise<OwnAnswers> {
  const { accessAnswers } = await import('./console-access.ts');
  const { deskAnswers } = await import('../owner/console-desk.ts');
  const { passkeyAnswers } = await import('../owner/console-passkeys.ts');
  const { OwnerConfirmation } = await import('../../oauth/owner/owner-confirmation.ts');
  const { OwnerSignIn } = await import('../../oauth/owner/owner-sign-in.ts');
  const { book, mcp, lastCalls, sessions, books, vaults } = parts;
  const names = () => vaults.names();
  const grants = parts.grants() ?? machineGrants(books.oauth);
  const open = mcp();
  const { owner, brief } = books;
  const signIn = { book: owner, brief, crypto: nodeOAuthCrypto, nowMs: Date.now };
  const confirmation = new OwnerConfirmation(signIn);
  return {
    ...deskAnswers({ deskOf: (caller) => vaults.desk(caller), names, confirmation }),
    ...passkeyAnswers({ confirmation, owner: new OwnerSignIn({ ...signIn, names: [] }) }),
    ...accessAnswers({
      book,
      grants,
      ...(open === undefined ? {} : { mcp: open }),
      reads: (caller) => vaults.reads(caller),
      names,
      lastCalls: () => lastCalls.all(),
    }),
    me: async ({ session, site }): Promise<ConsoleMe> => ({
      version: shell.version,
      vaults: vaults.list().map(({ name, path }) => ({ name, path, commands: commandsFor(path) })),
      program: programText(),
      setupCommand: commandText(['setup', '--server'], undefined),
      ...commandFolder(process.argv[1], process.cwd()),
      isHistoryApart: isHistoryApart(shell.env),
      isDemo: shell.env['VAULTDOOR_DEMO'] === 'true',
      rights: parts.scopes.effects,
      ...parts.facts(),
      isPlainHttp: site.kind === 'plain',
      consoles: (await sessions.list()).map((each) => ({
        ...each,
        isThis: each.id === session.id,
      })),
    }),
  };
}

/** What a person can paste into a terminal of this machine to connect clients with a vault. */
function commandsFor(vault: string): ConsoleMe['vaults'][number]['commands'] {
  const forClients = (verb: string) => ({
    'claude-code': commandText([verb, 'claude-code'], vault),
    'claude-desktop': commandText([verb, 'claude-desktop'], vault),
    cursor: commandText([verb, 'cursor'], vault),
    vscode: commandText([verb, 'vscode'], vault),
  });
  return {
    serve: commandText(['serve'], vault),
    install: forClients('install'),
    uninstall: forClients('uninstall'),
  };
}

/** Where npx finds the program; nothing where it would fetch the same one anywhere. */
function commandFolder(program = '', folder: string): Pick<ConsoleMe, 'commandFolder'> {
  const isNpx = commandText([], undefined).startsWith('npx ');
  const isInside = program.startsWith(`${folder}${sep}`) && !program.includes('_npx');
  return isNpx && isInside ? { commandFolder: folder } : {};
}

/** Whether a program that does not have the variables of this server keeps its history elsewhere. */
function isHistoryApart(env: Shell['env']): boolean {
  const { XDG_STATE_HOME: _, ...others } = env;
  return appFolders(env, process.platform).state !== appFolders(others, process.platform).state;
}
