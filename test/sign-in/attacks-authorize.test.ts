import { beforeEach, expect, it } from 'vitest';
import { claude, TestBrowser } from '../support/sign-in-door.ts';
import { expectErrorBack, expectPage, stepsSince } from './support/expected-answers.ts';
import { ExpectedAuthorize } from './support/expected-authorize.ts';
import { sharedServer } from './support/shared-server.ts';
import { ownersBrowser, TrialClient } from './support/trial-client.ts';

// Rows 8, 9, 17, 19 and 20 of the list of attacks: requests that `/authorize` refuses.

const server = sharedServer();
let owner: TestBrowser;
let authorize: ExpectedAuthorize;
beforeEach(async () => {
  owner = await ownersBrowser(server());
  authorize = new ExpectedAuthorize(server(), owner);
});

/** Requests that are wrong, of a client that is right; and the error that it is told. */
const wrong: readonly (readonly [string, Record<string, string | undefined>, string])[] = [
  [
    '9: no PKCE',
    { code_challenge: undefined, code_challenge_method: undefined },
    'invalid_request',
  ],
  ['9: no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['9: an empty challenge', { code_challenge: '' }, 'invalid_request'],
  ['9: no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
  ['9: the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['9: the method s256', { code_challenge_method: 's256' }, 'invalid_request'],
  ['9: the method S512', { code_challenge_method: 'S512' }, 'invalid_request'],
  ['9: a short challenge', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['9: a long challenge', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
  ['9: a padded challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
  ['9: a challenge in base64', { code_challenge: `${'a'.repeat(41)}+/` }, 'invalid_request'],
  [
    '9: a challenge with a line break',
    { code_challenge: `${'a'.repeat(43)}\n` },
    'invalid_request',
  ],
  ['17: another server', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ['17: plain http', { resource: 'http://vault.example.com/mcp' }, 'invalid_target'],
  ['17: another port', { resource: 'https://vault.example.com:8443/mcp' }, 'invalid_target'],
  ['17: another path', { resource: 'https://vault.example.com/other' }, 'invalid_target'],
  ['17: a longer path', { resource: 'https://vault.example.com/mcp/x' }, 'invalid_target'],
  ['17: two final slashes', { resource: 'https://vault.example.com/mcp//' }, 'invalid_target'],
  ['17: a fragment', { resource: 'https://vault.example.com/mcp#a' }, 'invalid_target'],
  ['17: a query', { resource: 'https://vault.example.com/mcp?a' }, 'invalid_target'],
  ['17: userinfo', { resource: 'https://me@vault.example.com/mcp' }, 'invalid_target'],
  [
    '17: a longer name',
    { resource: 'https://vault.example.com.evil.example/mcp' },
    'invalid_target',
  ],
  ['17: no URL', { resource: 'vault.example.com' }, 'invalid_target'],
  ['20: token', { response_type: 'token' }, 'unsupported_response_type'],
  ['20: id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['20: code token', { response_type: 'code token' }, 'unsupported_response_type'],
  ['20: code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['20: none', { response_type: 'none' }, 'unsupported_response_type'],
  ['20: CODE', { response_type: 'CODE' }, 'unsupported_response_type'],
  ['20: no type', { response_type: undefined }, 'invalid_request'],
  ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['response_mode form_post', { response_mode: 'form_post' }, 'invalid_request'],
  ['prompt none', { prompt: 'none' }, 'interaction_required'],
  ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['a request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
];

it.each(wrong)(
  '%s: the client is told, but only in the browser of the owner',
  async (_, more, error) => {
    const client = new TrialClient(server());
    const path = client.authorizePath(more);
    const steps = stepsSince(server());
    // Row 8: for anybody else the server must not redirect anywhere.
    await expectPage(await new TestBrowser(server()).get(path), { without: [claude.redirect] });
    const { redirect } = client;
    await expectErrorBack(await owner.get(path), { error, redirect });
    expect(steps()).toEqual(['authorize: page: 400', `authorize: ${error}`]);
  },
);

it('8: what is wrong with a request of a registered client is shown to strangers, not redirected', async () => {
  const client = await TrialClient.register(server(), {
    redirect_uris: ['https://evil.example/phishing'],
  });
  for (const [, more] of wrong) {
    const page = await new TestBrowser(server()).get(client.authorizePath(more));
    await expectPage(page, { without: ['evil.example'] });
  }
  for (const scope of ['nonsense', 'openid profile', '"><script>', 'x'.repeat(3_000)]) {
    const nobody = new TestBrowser(server());
    const began = await nobody.get(client.authorizePath({ scope }));
    expect(began.headers.get('location')).toMatch(/^\/authorize\/[\w-]+$/);
    const page = await nobody.get(began.headers.get('location') ?? '');
    const text = await page.text();
    expect([page.status, text.includes('name="passphrase"')]).toEqual([200, true]);
    expect(text).not.toContain('evil.example');
  }
  const long = client.authorizePath({ state: 'x'.repeat(2_001) });
  await expectPage(await new TestBrowser(server()).get(long), { without: ['xxxx'] });
  await expectErrorBack(await owner.get(long), {
    error: 'invalid_request',
    redirect: client.redirect,
    state: null,
  });
  await authorize.refused(client.authorizePath({ state: 'x'.repeat(9_000) }), ['xxxx']);
});

it.each([
  'https://vault.example.com/mcp',
  'https://vault.example.com/mcp/',
  'https://vault.example.com',
  'https://vault.example.com/',
  'HTTPS://Vault.Example.COM/mcp',
  undefined,
  '',
])('17: the resource %j is ours', async (resource) => {
  const client = new TrialClient(server());
  const path = client.authorizePath({ resource });
  await authorize.asked(path);
  await authorize.asked(`${path}&resource=https%3A%2F%2Fvault.example.com%2Fmcp`);
  const foreign = `${path}&resource=https%3A%2F%2Fevil.example%2Fmcp`;
  const { redirect } = client;
  await expectErrorBack(await owner.get(foreign), { error: 'invalid_target', redirect });
});

it('19: a parameter of /authorize that comes twice is refused; resource may', async () => {
  const client = new TrialClient(server());
  const { redirect } = client;
  const path = client.authorizePath({ scope: 'vault:read' });
  const again = (name: string, value: string): string =>
    `${path}&${name}=${encodeURIComponent(value)}`;
  await authorize.refused(again('client_id', client.id), [redirect]);
  await authorize.refused(again('client_id', 'other'), [redirect]);
  await authorize.refused(again('redirect_uri', redirect), [redirect]);
  await authorize.refused(again('redirect_uri', 'https://evil.example'), ['evil.example']);
  const rows = { response_type: 'code', code_challenge: client.challenge, scope: 'vault:read' };
  const more = { code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries({ ...rows, ...more })) {
    const steps = stepsSince(server());
    await expectPage(await new TestBrowser(server()).get(again(name, value)));
    await expectErrorBack(await owner.get(again(name, value)), {
      error: 'invalid_request',
      redirect,
    });
    expect(steps()).toEqual(['authorize: page: 400', 'authorize: invalid_request']);
  }
  for (const name of ['prompt', 'nonce', 'response_mode', 'anything']) {
    const twice = `${again(name, 'query')}&${name}=query`;
    await expectErrorBack(await owner.get(twice), { error: 'invalid_request', redirect });
  }
  const states = { error: 'invalid_request', redirect, state: null };
  await expectErrorBack(await owner.get(again('state', 'st')), states);
  const ours = 'https://vault.example.com/mcp';
  await authorize.asked(`${again('resource', ours)}&resource=${encodeURIComponent(ours)}`);
});
