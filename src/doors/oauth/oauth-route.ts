import { type Issuer, issuerAt } from '../../oauth/grants/issuer.ts';

/** The pages and requests that have a path of their own, without the prefix of an issuer. */
const fixed = {
  '/authorize': 'authorize',
  '/token': 'token',
  '/register': 'register',
  '/revoke': 'revoke',
  '/owner': 'owner',
  '/owner/sign-in': 'sign-in',
  '/owner/set-up': 'set-up',
  '/owner/sign-out': 'sign-out',
  '/owner/revoke': 'end-one',
  '/owner/revoke-all': 'end-all',
  '/owner/passphrase': 'passphrase',
  '/owner/passkey.js': 'passkey-script',
  '/owner/passkeys/options': 'passkey-options',
  '/owner/passkeys/add': 'passkey-add',
  '/owner/passkeys/remove': 'passkey-remove',
  '/owner/passkeys/request': 'passkey-request',
  '/owner/passkeys/sign-in': 'passkey-sign-in',
} as const;

type FixedRoute = (typeof fixed)[keyof typeof fixed];

/** Where a path leads. */
export type OAuthRoute =
  | { readonly to: FixedRoute }
  /** `after` is what stands behind the name of the document, such as `/mcp`. */
  | {
      readonly to: 'document';
      readonly name: 'resource' | 'server' | 'openid';
      readonly after: string;
    }
  /** A request that waits for the owner. */
  | { readonly to: 'consent' | 'consent-sign-in'; readonly id: string };

const routes: ReadonlyMap<string, FixedRoute> = new Map(Object.entries(fixed));
const documentNames = {
  'oauth-protected-resource': 'resource',
  'oauth-authorization-server': 'server',
  'openid-configuration': 'openid',
} as const;
const document =
  /^\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/.*)?$/;
const waiting = /^\/authorize\/([\w-]{1,100})(\/sign-in)?$/;

/**
 * Where a path leads; undefined when it is not for this door. A proxy may pass the prefix of a public
 * address on or take it off, so paths are known with and without it.
 */
export function oauthRoute(path: string, issuers: readonly Issuer[]): OAuthRoute | undefined {
  const prefix = issuers.find((issuer) => issuer.path !== '' && path.startsWith(`${issuer.path}/`));
  const bare = path.slice(prefix?.path.length ?? 0);
  const to = routes.get(bare);
  if (to !== undefined) return { to };
  const [, name, after = ''] = document.exec(bare) ?? [];
  if (name !== undefined) {
    return { to: 'document', name: documentNames[name as keyof typeof documentNames], after };
  }
  const [, id, signIn] = waiting.exec(bare) ?? [];
  if (id === undefined) return undefined;
  return { to: signIn === undefined ? 'consent' : 'consent-sign-in', id };
}

/** Whether a route is for programs: they get JSON, from pages of any origin, and never a cookie. */
export function isForPrograms({ to }: OAuthRoute): boolean {
  return to === 'document' || to === 'token' || to === 'register' || to === 'revoke';
}

/**
 * The public address that a request came to, by its header Host. Where several differ in their path
 * only, the one that the request's path names.
 */
export function issuerOfRequest(
  issuers: readonly Issuer[],
  { host, path }: { readonly host: string; readonly path: string },
): Issuer | undefined {
  const first = issuerAt(issuers, host);
  if (first === undefined) return undefined;
  const after = path.replace(/^\/\.well-known\/[\w-]+/, '');
  const names = (prefix: string): boolean =>
    [path, after].some((text) => text === prefix || text.startsWith(`${prefix}/`));
  const here = issuers.filter((issuer) => issuer.host === first.host);
  return (
    here.find((issuer) => issuer.path !== '' && names(issuer.path)) ??
    here.find((issuer) => issuer.path === '') ??
    first
  );
}
