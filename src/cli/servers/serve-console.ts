import { sep } from 'node:path';
import type { Caller, Scopes } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ConsoleHttp } from '../../doors/console/console-http.ts';
import type { ConsoleMe } from '../../doors/console/console-me.ts';
import type { ConsoleNews, ConsoleParts, OwnAnswers } from '../../doors/console/console-parts.ts';
import { isConsolePath } from '../../doors/console/console-routes.ts';
import { ConsoleSessions } from '../../doors/console/console-sessions.ts';
import type { HttpParts } from '../../doors/mcp/http/http-parts.ts';
import type { McpHttp } from '../../doors/mcp/http/mcp-http.ts';
import { consoleScopes } from '../../engine/decide/console-scopes.ts';
import type { Refusal, RequestHead } from '../../net/http-handler.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import type { LastCalls } from '../../node/server/last-calls.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { Grants } from '../../oauth/grants/grants.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { programText } from '../options/program-text.ts';
import { commandText } from '../shell/command-text.ts';
import type { Shell } from '../shell/shell.ts';
import { machineGrants } from '../vaults/machine-grants.ts';
import { openLastCalls, openSignInBooks } from '../vaults/server-files.ts';
import { vaultPlaces } from '../vaults/vault-places.ts';
import { openVaultReads } from '../vaults/vault-reads.ts';
import type { WaitingVault } from '../vaults/waiting-vault.ts';
import { VaultNews } from './console-news.ts';
import { keepTotals } from './keep-totals.ts';
import { OwnerWatch } from './owner-watch.ts';
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
  readonly #sessions = new ConsoleSessions(Date.now);
  readonly #news: VaultNews;
  readonly #lastCalls: LastCalls;
  readonly #load: () => Promise<ConsoleHttp>;
  readonly #port: () => number;
  /** Signs all consoles out when the owner was forgotten, or has another passphrase than before. */
  readonly #owner: OwnerWatch;
  readonly #stopTotals: () => void;
  #loading: Promise<ConsoleHttp> | undefined;
  #door: ConsoleHttp | undefined;
  #usedMs = Date.now();

  constructor(shell: Shell, server: Server, parts: ServeConsoleParts) {
    const connected = () => parts.mcp()?.connected;
    this.#news = new VaultNews({ vaults: server.vaults, timers: nodeTimers, connected });
    this.#port = parts.port;
    this.#lastCalls = openLastCalls(shell.env);
    const books = openSignInBooks(shell.env);
    this.#owner = new OwnerWatch({
      owner: books.owner,
      timers: nodeTimers,
      onOther: () => this.#sessions.endAll(),
    });
    const news = this.#watchedNews();
    const own = { sessions: this.#sessions, news, lastCalls: this.#lastCalls, books };
    this.#load = () => loadConsole(shell, server, { ...parts, ...own });
    this.#stopTotals = keepTotals(server, nodeTimers);
    void this.#owner.look();
  }

  /** Makes a key that opens the console once. */
  async makeKey(): Promise<string> {
    await this.#owner.look();
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

  bodyBytesMax(head: RequestHead): number {
    return this.#door?.bodyBytesMax(head) ?? 0;
  }

  async handle(request: Request): Promise<Response> {
    this.#usedMs = Date.now();
    await this.#owner.look();
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

  /** What happens in the vaults. While a page listens, the owner is watched, who may be another. */
  #watchedNews(): ConsoleNews {
    return {
      latest: () => this.#news.latest(),
      listen: (tell) => {
        const stops = [this.#news.listen(tell), this.#owner.start()];
        return () => {
          for (const stop of stops) stop();
        };
      },
    };
  }

  /** Ends the streams of open pages, and writes down who called last. */
  async close(): Promise<void> {
    this.#stopTotals();
    this.#door?.close();
    await this.#lastCalls.close();
  }
}

type LoadParts = ServeConsoleParts & {
  readonly sessions: ConsoleSessions;
  readonly news: ConsoleNews;
  readonly lastCalls: LastCalls;
  readonly books: ReturnType<typeof openSignInBooks>;
};

async function loadConsole(shell: Shell, server: Server, parts: LoadParts): Promise<ConsoleHttp> {
  const { ConsoleHttp } = await import('../../doors/console/console-http.ts');
  const { consoleToolset } = await import('../../tools/console/console-toolset.ts');
  const { createService } = await import('../../tools/service/service.ts');
  const { readPageFiles } = await import('./page-files.ts');
  const { readPicture } = await import('./console-picture.ts');
  const { vaults, logger, deadlineMs } = server;
  const { sessions, news, port, allowsPlainHttp } = parts;
  const service = createService(vaults, [consoleToolset], nodeTimers);
  sessions.ended.add((id) => service.disconnected(id));
  const scopes = consoleScopes(server.scopes);
  const given: ConsoleParts = {
    service,
    own: await ownAnswers(shell, server, { ...parts, scopes }),
    picture: (path, caller) => readPicture(vaultOf(vaults, caller), path, caller),
    sessions,
    news,
    files: () => readPageFiles(shell.entryFile),
    port,
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
  { vaults, choices }: Server,
  parts: LoadParts & { readonly scopes: Scopes },
): Promise<OwnAnswers> {
  const { accessAnswers } = await import('./console-access.ts');
  const { deskAnswers } = await import('../owner/console-desk.ts');
  const { passkeyAnswers } = await import('../owner/console-passkeys.ts');
  const { OwnerConfirmation } = await import('../../oauth/owner/owner-confirmation.ts');
  const { OwnerSignIn } = await import('../../oauth/owner/owner-sign-in.ts');
  const { nodeOAuthCrypto } = await import('../../node/oauth/node-oauth-crypto.ts');
  const { tokenNames } = await import('../vaults/token-names.ts');
  const { book, mcp, lastCalls, sessions, books } = parts;
  const names = async () => {
    const all = await Promise.all(
      choices.map((choice) => tokenNames(choice, shell, { ended: true })),
    );
    return new Map(all.flatMap((each) => [...each]));
  };
  const grants = parts.grants() ?? machineGrants(books.oauth);
  const open = mcp();
  const signIn = { book: books.owner, crypto: nodeOAuthCrypto, nowMs: Date.now };
  const confirmation = new OwnerConfirmation(signIn);
  return {
    ...deskAnswers({ vaultOf: (caller) => vaultOf(vaults, caller), names, confirmation }),
    ...passkeyAnswers({ confirmation, owner: new OwnerSignIn({ ...signIn, names: [] }) }),
    ...accessAnswers({
      book,
      grants,
      ...(open === undefined ? {} : { mcp: open }),
      reads: (caller) => {
        const { name } = vaultOf(vaults, caller);
        const choice = choices.find((each) => each.name === name);
        if (choice === undefined) throw unknownVault();
        return openVaultReads(vaultPlaces(choice, shell.env).folders);
      },
      names,
      lastCalls: () => lastCalls.all(),
    }),
    me: async ({ session, site }): Promise<ConsoleMe> => ({
      version: shell.version,
      vaults: choices.map(({ name, path }) => ({ name, path, commands: commandsFor(path) })),
      program: programText(),
      setupCommand: commandText(['setup', '--server'], undefined),
      ...commandFolder(process.argv[1], process.cwd()),
      isHistoryApart: isHistoryApart(shell.env),
      isDemo: shell.env['VAULTDOOR_DEMO'] === 'true',
      rights: parts.scopes.effects,
      ...parts.facts(),
      isPlainHttp: site.kind === 'plain',
      consoles: sessions.list().map((each) => ({ ...each, isThis: each.id === session.id })),
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

/** The vault that a caller means; the only one when it names none. Fails with `invalid_input`. */
function vaultOf(vaults: readonly WaitingVault[], { vault }: Caller): WaitingVault {
  const [only, ...others] = vaults;
  const found = vault === undefined ? only : vaults.find(({ name }) => name === vault);
  if (found === undefined || (vault === undefined && others.length > 0)) throw unknownVault();
  return found;
}

function unknownVault(): VaultError {
  return new VaultError('invalid_input', 'Say which vault is meant, with its name as "vault".');
}
