import { isGrantId } from '../../base/caller.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { AsksMore } from '../../doors/mcp/http/http-parts.ts';
import { OAuthHttp } from '../../doors/oauth/oauth-http.ts';
import type { SignInPort } from '../../net/front-door.ts';
import { clientDocuments } from '../../node/oauth/fetch-client-document.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { Clients } from '../../oauth/clients/clients.ts';
import { Grants } from '../../oauth/grants/grants.ts';
import { type Issuer, issuerAt, issuerOf } from '../../oauth/grants/issuer.ts';
import { scopeChallenge, signInChallenge } from '../../oauth/grants/metadata.ts';
import { accessTokenPrefix } from '../../oauth/grants/new-tokens.ts';
import { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import type { ServeOptions } from '../options/serve-options.ts';
import { servedFolder } from '../options/token-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openSignInBooks } from '../vaults/server-files.ts';
import type { Server } from './run-server.ts';
import type { SignInStart } from './serve-text.ts';
import { topFolders } from './top-folders.ts';

/** Signing in with OAuth, as the parts of a server use it. */
interface ServedSignIn {
  readonly door: OAuthHttp;
  readonly port: SignInPort;
  /** The paths of the public addresses, such as `/notes`. */
  readonly prefixes: readonly string[];
  readonly asksMore: AsksMore;
  /** Whether the grant with this id still holds. */
  readonly isAlive: (grant: string) => Promise<boolean>;
  /** What to print when the server starts. Makes a new set-up code while there is no owner. */
  readonly start: () => Promise<SignInStart>;
}

/**
 * Lets clients sign in at the public addresses of the server; undefined where they cannot: signing in
 * is off, no tokens are asked for, or no address has https (or is on this machine).
 */
export function serveSignIn(
  shell: Shell,
  options: ServeOptions & { readonly tokens: 'asked' | 'optional' | 'off' },
  server: Server,
): ServedSignIn | undefined {
  const { oauth, tokens, publicUrls } = options;
  const issuers = publicUrls.flatMap((url) => issuerOf(url) ?? []);
  if (oauth.choice === 'off' || tokens !== 'asked' || issuers.length === 0) return undefined;
  const { logger, scopes, choices } = server;
  const rights = scopes.effects;
  const nowMs = Date.now;
  const crypto = nodeOAuthCrypto;
  const books = openSignInBooks(shell.env);
  const owner = new OwnerSignIn({
    book: books.owner,
    crypto,
    nowMs,
    names: issuers.map(({ url }) => new URL(url).hostname),
  });
  const grants = new Grants({
    book: books.oauth,
    crypto,
    nowMs,
    vaults: choices.map(({ path }) => path),
    issuers,
    accessMs: oauth.accessMs,
    onEvent: (event) => logger.log('info', 'grant', { ...event }),
  });
  const clients = new Clients({
    book: books.oauth,
    crypto,
    nowMs,
    ...(oauth.fetches ? { documents: clientDocuments() } : {}),
  });
  const door = new OAuthHttp({
    issuers,
    clients,
    grants,
    owner,
    crypto,
    vaults: choices.map(({ name }) => ({ name })),
    rights,
    topFolders: () => topFolders(server),
    checkFolder: servedFolder,
    logger,
    nowMs,
    version: shell.version,
  });
  return {
    door,
    prefixes: issuers.map(({ path }) => path).filter((path) => path !== ''),
    port: {
      prefix: accessTokenPrefix,
      book: { find: (sha256) => visitorOf(grants, sha256) },
      challenge: (host, error) => {
        const issuer = issuerAt(issuers, host);
        if (issuer === undefined) return undefined;
        return signInChallenge(issuer, { rights, ...(error === undefined ? {} : { error }) });
      },
    },
    asksMore: {
      rights,
      challenge: ({ token = '' }, { host, needs }) => {
        const issuer = issuerAt(issuers, host);
        return issuer !== undefined && isGrantId(token) ? scopeChallenge(issuer, needs) : undefined;
      },
    },
    isAlive: (grant) => grants.isAlive(grant),
    start: async () => ({ issuers, ...(await setUpOf(owner, issuers, server)) }),
  };
}

async function visitorOf(
  grants: Grants,
  sha256: Uint8Array,
): ReturnType<SignInPort['book']['find']> {
  const found = await grants.findAccess(sha256);
  if (found === undefined || found === 'ended') return found;
  const { id, effects, folders, tools } = found;
  return { id, scopes: { effects, folders }, tools };
}

/**
 * How to set up the owner, while there is none. Books that cannot be read do not stop the server:
 * nobody can sign in then, but static tokens go on.
 */
async function setUpOf(
  owner: OwnerSignIn,
  [issuer]: readonly Issuer[],
  { logger }: Server,
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
