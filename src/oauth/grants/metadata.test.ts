import { describe, expect, it } from 'vitest';
import { type Issuer, issuerOf } from './issuer.ts';
import {
  authorizationServerDocument,
  protectedResourceDocument,
  scopeChallenge,
  signInChallenge,
} from './metadata.ts';

const at = (url: string): Issuer => issuerOf(url) as Issuer;
const root = at('https://vault.example.com');
const below = at('https://example.com/notes');

describe('the documents', () => {
  it('name the resource and who gives out tokens', () => {
    expect(protectedResourceDocument(root, { rights: ['read', 'write', 'destroy'] })).toEqual({
      resource: 'https://vault.example.com/mcp',
      authorization_servers: ['https://vault.example.com'],
      scopes_supported: ['vault:read', 'vault:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Vaultdoor',
      resource_documentation: 'https://vault.example.com/owner',
    });
    expect(protectedResourceDocument(below, { rights: ['read'] })).toMatchObject({
      resource: 'https://example.com/notes/mcp',
      authorization_servers: ['https://example.com/notes'],
      scopes_supported: ['vault:read'],
    });
  });

  it('say how to sign in, with nothing that is null', () => {
    const methods = ['none', 'client_secret_post', 'client_secret_basic'];
    expect(authorizationServerDocument(below)).toEqual({
      issuer: 'https://example.com/notes',
      authorization_endpoint: 'https://example.com/notes/authorize',
      token_endpoint: 'https://example.com/notes/token',
      registration_endpoint: 'https://example.com/notes/register',
      revocation_endpoint: 'https://example.com/notes/revoke',
      scopes_supported: ['vault:read', 'vault:write', 'vault:delete'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('the challenge', () => {
  it('leads to the document, and says what to ask for', () => {
    expect(signInChallenge(root, { rights: ['read', 'write', 'destroy'] })).toBe(
      'Bearer realm="vaultdoor", resource_metadata="https://vault.example.com/.well-known/oauth-protected-resource/mcp", scope="vault:read vault:write"',
    );
  });

  it('says that a token was wrong', () => {
    expect(signInChallenge(below, { rights: ['read'], error: 'invalid_token' })).toBe(
      'Bearer realm="vaultdoor", error="invalid_token", error_description="The token is unknown, revoked or too old", resource_metadata="https://example.com/.well-known/oauth-protected-resource/notes/mcp", scope="vault:read"',
    );
  });

  it('names all that a tool needs', () => {
    expect(scopeChallenge(root, ['write'])).toBe(
      'Bearer realm="vaultdoor", error="insufficient_scope", scope="vault:write", resource_metadata="https://vault.example.com/.well-known/oauth-protected-resource/mcp", error_description="Changing notes was not allowed"',
    );
    expect(scopeChallenge(root, ['write', 'destroy'])).toContain(
      'scope="vault:write vault:delete"',
    );
  });
});
