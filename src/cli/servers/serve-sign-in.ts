import { isGrantId } from '../../base/caller.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { AsksMore } from '../../doors/mcp/http/http-parts.ts';
import { OAuthHttp } from '../../doors/oauth/oauth-http.ts';
import { issuerOfRequest } from '../../doors/oauth/oauth-route.ts';
import type { SignInPort } from '../../net/front-door.ts';
import { clientDocuments } from '../../node/oauth/fetch-client-document.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { Clients } from '../../oauth/clients/clients.ts';
import { Grants } from '../../oauth/grants/grants.ts';
import { type Issuer, issuerOf } from '../../oauth/grants/issuer.ts';
import { scopeChallenge, signInChallenge } from '../../oauth/grants/metadata.ts';
import { accessTokenPrefix } from '../../oauth/grants/new-tokens.ts';
import { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import { memoryBriefBooks } from '../../oauth/ports/brief-book.ts';
import type { ClientDocuments } from '../../oauth/ports/client-documents.ts';
import type { OAuthCrypto, ScryptCost } from '../../oauth/ports/oauth-crypto.ts';
import type { ServeOptions } from '../options/serve-options.ts';
import { servedFolder } from '../options/token-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openSignInBooks } from '../vaults/server-files.ts';
import { countWaiting } from './console-news.ts';
import type { Server } from './run-server.ts';
import type { SignInStart } from './serve-text.ts';
import { topFolders } from './top-folders.ts';

/** Signing in with OAuth, as the parts of a server use it. */
export interface ServedSignIn {
  readonly door: OAuthHttp;
  readonly grants: Grants;
  /** The address of the owner's page. */
  readonly ownerPage: string;
  readonly port: SignInPort;
  /** The paths of the public addresses, such as `/notes`. */
  readonly prefixes: readonly string[];
  readonly asksMore: AsksMore;
  /** Returns what to print when the server starts. Makes a new set-up code if there is no owner yet. */
  readonly start: () => Promise<SignInStart>;
}

/** What signing in uses from outside. `cost`, `crypto` and `documents` are absent except in tests. */
export interface SignInPorts {
  readonly nowMs: () => number;
  readonly cost?: ScryptCost;
  readonly crypto?: OAuthCrypto;
  readonly documents?: ClientDocuments;
  /** Makes a key that opens the console once; absent where no console is served. */
  readonly consoleKey?: () => Promise<string>;
}

/**
 * Lets clients sign in at the public addresses of the server; undefined where they cannot: signing in
 * is off, no tokens are asked for, or no address has https (or is on this machine).
 */
export function serveSignIn(
  shell: Pick<Shell, 'env' | 'version'>,
  options: Pick<ServeOptions, 'oauth' | 'publicUrls'> & {
    readonly tokens: 'asked' | 'optional' | 'off';
  },
  server: Pick<
    Server,
    'logger' | 'scopes' | 'choices' | 'vaults' | 'deadlineMs' | 'books' | 'consoleVaults'
  >,
  ports: SignInPorts,
): ServedSignIn | undefined {
  const { oauth, tokens, publicUrls } = options;
  const issuers = publicUrls.flatMap((url) => issuerOf(url) ?? []);
  if (oauth.choice === 'off' || tokens !== 'asked' || issuers.length === 0) return undefined;
  const { logger, scopes, choices } = server;
  const rights = scopes.effects;
  const { nowMs, cost, crypto = nodeOAuthCrypto, consoleKey } = ports;
  const books = server.books ?? openSignInBooks(shell.env);
  const shared = server.books === undefined ? {} : { brief: server.books.brief };
  const owner = new OwnerSignIn({
    book: books.owner,
    ...shared,
    crypto,
    nowMs,
    ...(cost === undefined ? {} : { cost }),
    names: issuers.map(({ url }) => new URL(url).hostname),
  });
  const grants = new Grants({
    book: books.oauth,
    ...shared,
    crypto,
    nowMs,
    vaults: choices.map(({ path }) => path),
    // The nodes of a cluster may know different vaults for a while.
    isForNamedVaults: server.books !== undefined,
    issuers,
    accessMs: oauth.accessMs,
    onEvent: (event) => logger.log('info', 'grant', { ...event }),
  });
  const clients = new Clients({
    book: books.oauth,
    crypto,
    nowMs,
    ...(oauth.fetches ? { documents: ports.documents ?? clientDocuments() } : {}),
  });
  const door = new OAuthHttp({
    issuers,
    clients,
    grants,
    owner,
    brief: memoryBriefBooks({ crypto, nowMs }),
    ...shared,
    crypto,
    vaults: () => server.choices,
    rights,
    topFolders: () => topFolders(server),
    waiting: () => server.consoleVaults?.waiting() ?? countWaiting(server.vaults),
    checkFolder: servedFolder,
    ...(consoleKey === undefined ? {} : { consoleKey }),
    logger,
    nowMs,
    version: shell.version,
  });
  return {
    door,
    grants,
    ownerPage: `${issuers[0]?.url}/owner`,
    prefixes: issuers.map(({ path }) => path).filter((path) => path !== ''),
    port: {
      prefix: accessTokenPrefix,
      book: { find: (sha256) => visitorOf(grants, sha256, server) },
      challenge: (at, error) => {
        const issuer = issuerOfRequest(issuers, at);
        if (issuer === undefined) return undefined;
        return signInChallenge(issuer, { rights, ...(error === undefined ? {} : { error }) });
      },
    },
    asksMore: {
      rights,
      challenge: ({ token = '' }, { needs, ...at }) => {
        const issuer = issuerOfRequest(issuers, at);
        return issuer !== undefined && isGrantId(token) ? scopeChallenge(issuer, needs) : undefined;
      },
    },
    start: async () => ({ issuers, ...(await setUpOf(owner, issuers, server)) }),
  };
}

async function visitorOf(
  grants: Grants,
  sha256: Uint8Array,
  { books }: Pick<Server, 'books'>,
): ReturnType<SignInPort['book']['find']> {
  const found = await grants.findAccess(sha256);
  if (found === undefined || found === 'ended') return found;
  const { id, effects, folders, tools, vaults } = found;
  const named = books === undefined ? {} : { vaults };
  return { id, scopes: { effects, folders }, tools, ...named };
}

/**
 * Where the owner is set up and with which code; nothing if there is an owner. If the books cannot be
 * read, that is logged and the server starts all the same, because static tokens work without them.
 */
async function setUpOf(
  owner: OwnerSignIn,
  [issuer]: readonly Issuer[],
  { logger }: Pick<Server, 'logger'>,
): Promise<Pick<SignInStart, 'setUp'>> {
  try {
    if (issuer === undefined || (await owner.hasOwner())) return {};
    return { setUp: { url: `${issuer.url}/owner/set-up`, code: await owner.makeSetUpCode() } };
  } catch (error) {
    const { code, message } = toVaultError(error);
    logger.log('error', 'sign-in', { code, message });
    return {};
  }
}
