import type { Effect, Right } from '../../base/caller.ts';
import type { Issuer } from './issuer.ts';
import { scopeOf, scopeOffered } from './scope-words.ts';

/** The document that says which server gives out tokens for the MCP endpoint (RFC 9728). */
export function protectedResourceDocument(
  issuer: Issuer,
  options: { /** Of the server. */ readonly rights: readonly Right[] },
): object {
  return {
    resource: issuer.resource,
    authorization_servers: [issuer.url],
    scopes_supported: scopeOffered(options.rights).split(' '),
    bearer_methods_supported: ['header'],
    // Not the name of a vault: strangers read this.
    resource_name: 'Vaultdoor',
    resource_documentation: `${issuer.url}/owner`,
  };
}

/** The document that says how clients sign in (RFC 8414). */
export function authorizationServerDocument({ url }: Issuer): object {
  const clientMethods = ['none', 'client_secret_post', 'client_secret_basic'];
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/register`,
    revocation_endpoint: `${url}/revoke`,
    scopes_supported: scopeOf(['read', 'write', 'destroy']).split(' '),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/**
 * The header WWW-Authenticate of a 401. Clients ask for the scope that it names, and look for its
 * words anywhere in the line: so the description must not contain any of them.
 */
export function signInChallenge(
  issuer: Issuer,
  options: {
    /** Of the server. */
    readonly rights: readonly Right[];
    /** Where a token was sent. */
    readonly error?: 'invalid_token';
  },
): string {
  const error =
    options.error === undefined
      ? []
      : [
          `error="${options.error}"`,
          'error_description="The token is unknown, revoked or too old"',
        ];
  return challenge([...error, documentAt(issuer), `scope="${scopeOffered(options.rights)}"`]);
}

/** The header WWW-Authenticate of a 403: what the grant must have for a tool that it lacks. */
export function scopeChallenge(issuer: Issuer, needs: readonly Effect[]): string {
  const [most = doings[0]] = doings.filter(([effect]) => needs.includes(effect));
  return challenge([
    'error="insufficient_scope"',
    `scope="${scopeOf(needs)}"`,
    documentAt(issuer),
    `error_description="${most[1]} notes was not allowed"`,
  ]);
}

const doings = [
  ['destroy', 'Deleting'],
  ['write', 'Changing'],
  ['read', 'Reading'],
] as const;

function challenge(parts: readonly string[]): string {
  return `Bearer ${['realm="vaultdoor"', ...parts].join(', ')}`;
}

function documentAt({ origin, path }: Issuer): string {
  return `resource_metadata="${origin}/.well-known/oauth-protected-resource${path}/mcp"`;
}
