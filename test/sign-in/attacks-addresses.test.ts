import { describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  backIn,
  claude,
  passphrase,
  TestBrowser,
} from '../support/sign-in-door.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { ownersBrowser, TrialClient } from './support/trial-client.ts';

const prm = '/.well-known/oauth-protected-resource/mcp';
const metadata = '/.well-known/oauth-authorization-server';
const evil = 'https://evil.example';
const shared = sharedServer();

describe('documents of strangers', () => {
  it('43: a thousand addresses by a stranger: nothing is fetched', async () => {
    const server = shared();
    const answers = new Set<string>();
    const stranger = new TestBrowser(server);
    const ids = Array.from({ length: 1_000 }, (_, at) => `https://c${at}.example/client.json`);
    const fetchOne = async (client_id: string) => {
      const query = authorizeQuery({ client_id, redirect_uri: `${evil}/callback` });
      const response = await stranger.get(`/authorize?${query}`);
      answers.add(`${response.status} ${response.headers.get('location')?.slice(0, 11)}`);
      return response.headers.get('location') ?? '';
    };
    const paths: string[] = [];
    for (let at = 0; at < ids.length; at += 50) {
      paths.push(...(await Promise.all(ids.slice(at, at + 50).map(fetchOne))));
    }
    expect([...answers]).toEqual(['303 /authorize/']);
    // The last hundred wait: a stranger sees the page for signing in, not more.
    const last = paths.at(-1) ?? '';
    const page = await (await stranger.get(last)).text();
    expect(page).toContain('“c999.example” asks to use your notes.');
    expect((await stranger.post(`${last}/sign-in`, { passphrase: 'a guess' })).status).toBe(403);
    const guessed = await stranger.post(last, { answer: 'allow', rights: 'change' });
    expect(guessed.status).toBe(403);
    // Nor do the other addresses fetch: any https id is as good as another there.
    for (const id of ids.slice(0, 20)) {
      const fields = { grant_type: 'refresh_token', client_id: id, refresh_token: 'vdr_x' };
      expect((await server.post('/token', fields)).status).toBe(400);
      expect((await server.post('/revoke', { client_id: id, token: 'vdr_x' })).status).toBe(200);
    }
    expect(server.fetched).toEqual([]);
    // When the owner signs in there, the one document is fetched.
    const signedIn = await stranger.post(`${last}/sign-in`, { passphrase });
    expect(signedIn.status).toBe(303);
    expect((await stranger.get(last)).status).toBe(503);
    expect(server.fetched).toEqual(['https://c999.example/client.json']);
  });
});

describe('names of the server', () => {
  const paths = [
    prm,
    metadata,
    '/authorize',
    '/owner',
    '/owner/set-up',
    '/token',
    '/register',
    '/mcp',
  ];
  const hosts: readonly (string | undefined)[] = [
    'evil.example',
    'vault.example.com.evil.example',
    'evil.example:443',
    'vault.example.com@evil.example',
    'vault.example.com/evil',
    '',
  ];

  it.each(hosts)(
    '51: Host: %s is refused everywhere, and nothing is built from it',
    async (host) => {
      const server = shared();
      for (const path of paths) {
        for (const method of ['GET', 'POST']) {
          const response = await server.send({ method, path, headers: { host } });
          const text = await response.text();
          const head = JSON.stringify([...response.headers]);
          // The front door refuses a name, Node what is no name.
          expect([400, 403], `${method} ${path}`).toContain(response.status);
          expect(head).not.toContain('evil');
          expect(head).not.toContain('resource_metadata');
          expect(text).not.toContain('https://evil');
          expect(text).not.toContain('authorization_endpoint');
          expect(response.headers.getSetCookie()).toEqual([]);
        }
      }
    },
  );

  it('51: two Host headers, or none, are refused', async () => {
    const server = shared();
    const two = ['vault.example.com', 'evil.example'];
    for (const host of [two, two.toReversed(), undefined]) {
      for (const path of [metadata, '/authorize']) {
        const response = await server.send({ path, headers: { host } });
        expect([path, response.status]).toEqual([path, 400]);
      }
    }
  });

  // The name with a final dot means the same machine, but for browsers it is another site.
  it.each([
    '127.0.0.1',
    'localhost:1065',
    'vault.example.com:8443',
    'vault.example.com.',
    'vault.example.com.:443',
  ])(
    '51: at %s, which is no public address, there is no issuer: 404, and no challenge for clients',
    async (host) => {
      const server = shared();
      for (const path of [prm, metadata, '/authorize', '/owner']) {
        const response = await server.send({ path, headers: { host } });
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.text()).not.toContain(host);
      }
      const knock = await server.send({ path: '/mcp', headers: { host } });
      expect([knock.status, knock.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="vaultdoor"',
      ]);
    },
  );

  it('51: a whole address in the first line does not count: Host does', async () => {
    const server = shared();
    const response = await server.send({ path: `http://evil.example${metadata}` });
    const text = await response.text();
    expect([200, 400, 403, 404]).toContain(response.status);
    expect(text).not.toContain('evil.example');
  });

  it.each([
    [{ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }],
    [{ forwarded: 'host=evil.example;proto=http;for=203.0.113.7' }],
    [
      {
        'x-forwarded-server': 'evil.example',
        'x-forwarded-port': '8080',
        'x-forwarded-prefix': '/evil',
      },
    ],
    [
      {
        'x-original-url': '/owner/set-up',
        'x-rewrite-url': '/owner/set-up',
        'x-original-host': 'evil.example',
      },
    ],
    [{ 'x-http-method-override': 'DELETE', 'x-real-ip': '127.0.0.1', via: '1.1 evil.example' }],
  ])('52: %j change no byte of an answer', async (headers: Record<string, string>) => {
    const server = shared();
    const seen = async (more: Record<string, string>) => {
      const rows: unknown[] = [];
      for (const [method, path] of [
        ['GET', prm],
        ['GET', metadata],
        ['GET', '/mcp'],
        ['GET', '/owner'],
        ['GET', '/authorize?client_id=x'],
        ['POST', '/token'],
        ['POST', '/owner/sign-in'],
      ] as const) {
        const response = await server.send({ method, path, headers: more });
        const head = [...response.headers].filter(
          ([name]) => !['date', 'set-cookie'].includes(name),
        );
        const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
        rows.push([path, response.status, head, cookies, await response.text()]);
      }
      return rows;
    };
    expect(await seen(headers)).toEqual(await seen({}));
    const browser = new TestBrowser(server);
    const begun = await browser.get(`/authorize?${authorizeQuery()}`, headers);
    expect(begun.headers.get('location')).toMatch(/^\/authorize\/[\w-]{22}$/);
    expect(begun.headers.getSetCookie()[0]).toMatch(/^__Host-vd_browser=.*; Secure; /);
  });
});

describe('mix-up', () => {
  const errors: readonly (readonly [string, Record<string, string | undefined>, string])[] = [
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['another server', { resource: `${evil}/mcp` }, 'invalid_target'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['prompt=none', { prompt: 'none' }, 'interaction_required'],
    ['request', { request: 'x' }, 'request_not_supported'],
    ['request_uri', { request_uri: `${evil}/r` }, 'request_uri_not_supported'],
  ];
  const iss = 'https://vault.example.com';

  it.each(errors)('53: %s: the error that leads back has iss', async (_, more, error) => {
    const browser = await ownersBrowser(shared());
    const response = await browser.get(`/authorize?${authorizeQuery(more)}`);
    const back = new URL(response.headers.get('location') ?? '');
    expect([response.status, `${back.origin}${back.pathname}`]).toEqual([303, claude.redirect]);
    const { error_description: _description, ...given } = Object.fromEntries(back.searchParams);
    expect(given).toEqual({ error, state: 'a b&c', iss });
  });

  it.each([
    ['allowed', {}, ['code', 'state', 'iss']],
    ['refused', { answer: 'refuse' }, ['error', 'error_description', 'state', 'iss']],
  ])('53: what the owner has %s leads back with iss', async (_, fields, names) => {
    const browser = await ownersBrowser(shared());
    const page = await browser.consent(await browser.begin(), fields);
    const back = backIn(await page.text());
    expect([...back.searchParams.keys()].toSorted()).toEqual(names.toSorted());
    expect(back.searchParams.get('iss')).toBe(iss);
  });

  it('53: each of several addresses names itself, as its documents do', async () => {
    const urls = ['https://vault.example.com', 'https://other.example.org/notes/'];
    const server = await SignInServer.start({ urls });
    for (const [host, path, issuer] of [
      ['vault.example.com', '', 'https://vault.example.com'],
      ['other.example.org', '/notes', 'https://other.example.org/notes'],
    ] as const) {
      const document = await server.send({ path: `${metadata}${path}`, headers: { host } });
      expect(await document.json()).toMatchObject({ issuer, token_endpoint: `${issuer}/token` });
      const resource = await server.send({
        path: `/.well-known/oauth-protected-resource${path}/mcp`,
        headers: { host },
      });
      expect(await resource.json()).toMatchObject({
        resource: `${issuer}/mcp`,
        authorization_servers: [issuer],
      });
      const browser = new TestBrowser(server, { origin: `https://${host}` });
      expect((await browser.post(`${path}/owner/sign-in`, { passphrase })).status).toBe(303);
      const begun = await browser.get(`${path}/authorize?${authorizeQuery()}`);
      const page = await browser.consent(begun.headers.get('location') ?? '');
      expect(backIn(await page.text()).searchParams.get('iss')).toBe(issuer);
    }
  });

  it('53: our code is worth nothing to whoever was sent it without the verifier', async () => {
    const server = shared();
    const client = new TrialClient(server);
    const code = await client.code(await ownersBrowser(server));
    const stolen = await client.exchange(code, { code_verifier: 'e'.repeat(43) });
    expect([stolen.status, await stolen.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await server.grants()).toEqual([]);
  });
});
