import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import type { Client } from '../clients/client.ts';
import { clientIdOf, readAuthorize } from './authorize-request.ts';
import { type Issuer, issuerOf } from './issuer.ts';

const issuer = issuerOf('https://vault.example.com') as Issuer;
const other = issuerOf('https://home.example.com') as Issuer;
const callback = 'https://claude.ai/api/mcp/auth_callback';
const client: Client = {
  id: 'claude',
  name: 'Claude',
  kind: 'known',
  allowsRedirect: (uri) => uri === callback,
  onlyRedirect: callback,
};
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const valid = {
  client_id: 'claude',
  redirect_uri: callback,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 's t+ä',
};

/** Reads a valid request with these changes: undefined leaves a parameter out, a list repeats it. */
function read(
  changes: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  as: Partial<Client> = {},
) {
  const pairs = Object.entries({ ...valid, ...changes }).flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [value]).flatMap((one): [string, string][] =>
      one === undefined ? [] : [[name, one]],
    ),
  );
  const context = { client: { ...client, ...as }, issuer, issuers: [issuer, other] };
  return readAuthorize(new URLSearchParams(pairs), context);
}

describe('a valid request', () => {
  it('is read', () => {
    expect(read()).toEqual({
      request: {
        client: { ...client },
        redirectUri: callback,
        sentRedirect: true,
        challenge,
        asked: ['read', 'write'],
        state: valid.state,
        issuer,
        resource: issuer.resource,
      },
    });
  });

  it.each<[object, object]>([
    [{ state: undefined }, {}],
    [{ redirect_uri: undefined }, { sentRedirect: false, redirectUri: callback }],
    [{ scope: 'vault:read claudeai' }, { asked: ['read'] }],
    [{ scope: 'vault:delete' }, { asked: ['destroy'] }],
    [{ resource: 'https://vault.example.com' }, { resource: issuer.resource }],
    [{ resource: 'https://HOME.example.com/mcp/' }, { resource: other.resource }],
    [{ resource: [issuer.resource, issuer.url] }, { resource: issuer.resource }],
    [{ response_mode: 'query' }, {}],
    [{ response_mode: '', resource: '', request: '', scope: '', state: '' }, {}],
    [{ redirect_uri: '' }, { sentRedirect: false, redirectUri: callback }],
    [{ prompt: 'consent login' }, {}],
    [{ nonce: 'n', login_hint: 'x', foo: '' }, {}],
    [{ state: 's'.repeat(limits.stateCharsMax) }, {}],
  ])('may have %j', (changes, expected) => {
    expect(read({ ...changes })).toMatchObject({ request: expected });
  });
});

describe('what is only shown', () => {
  const notRegistered = 'The app wants the answer at an address that is not registered for it.';
  it.each<[string, object, object, string | undefined]>([
    ['two ids', { client_id: ['claude', 'claude'] }, {}, undefined],
    ['no id', { client_id: undefined }, {}, undefined],
    ['two addresses', { redirect_uri: [callback, callback] }, {}, undefined],
    ['no address', { redirect_uri: undefined }, { onlyRedirect: undefined }, undefined],
    ['another address', { redirect_uri: 'https://evil.example/' }, {}, notRegistered],
    ['an empty address', { redirect_uri: '' }, { onlyRedirect: undefined }, undefined],
    ['an empty and a right address', { redirect_uri: ['', callback] }, {}, undefined],
    [
      'another address, of a client that is known for it',
      { redirect_uri: 'https://evil.example/' },
      { hint: 'This is a bug of theirs.' },
      `${notRegistered} This is a bug of theirs.`,
    ],
    ['a long request', { foo: 'x'.repeat(limits.authorizeCharsMax) }, {}, undefined],
  ])('%s', (_, changes, as, sentence) => {
    const answer = read({ ...changes }, as);
    expect(Object.keys(answer)).toEqual(['shown']);
    if (sentence !== undefined) expect(answer).toEqual({ shown: sentence });
  });
});

describe('what is told to the client', () => {
  const { state } = valid;
  it.each<[object, string]>([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ response_mode: 'form_post' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: challenge.slice(1) }, 'invalid_request'],
    [{ code_challenge: `${challenge}=` }, 'invalid_request'],
    [{ code_challenge: `${challenge}\n` }, 'invalid_request'],
    [{ code_challenge: challenge.replace('-', '+') }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: [challenge, challenge] }, 'invalid_request'],
    [{ scope: ['vault:read', 'vault:write'] }, 'invalid_request'],
    [{ foo: ['1', '2'] }, 'invalid_request'],
    [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
    [{ resource: [issuer.resource, 'https://evil.example/mcp'] }, 'invalid_target'],
    [{ resource: `${issuer.resource}#x` }, 'invalid_target'],
    [{ prompt: 'none' }, 'interaction_required'],
    [{ request: 'jwt' }, 'request_not_supported'],
    [{ request_uri: 'https://a.example/' }, 'request_uri_not_supported'],
  ])('%j is %s', (changes, error) => {
    const answer = read({ ...changes });
    expect(answer).toMatchObject({ error, redirectUri: callback, state });
    expect(JSON.stringify(answer)).not.toContain('evil');
  });

  it.each<[string, object]>([
    ['long', { state: 's'.repeat(limits.stateCharsMax + 1) }],
    ['double', { state: ['a', 'b'] }],
  ])('a %s state is not given back', (_, changes) => {
    const answer = read({ ...changes });
    expect(answer).toMatchObject({ error: 'invalid_request' });
    expect(answer).not.toHaveProperty('state');
  });
});

it('has one client id or none', () => {
  expect(clientIdOf(new URLSearchParams('client_id=a&x=1'))).toBe('a');
  expect(clientIdOf(new URLSearchParams('client_id=a&client_id=a'))).toBeUndefined();
  expect(clientIdOf(new URLSearchParams(''))).toBeUndefined();
});
