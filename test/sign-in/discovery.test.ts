import { describe, expect, it } from 'vitest';
import { serveText } from '../../src/cli/servers/serve-text.ts';
import { backIn, TestBrowser } from '../support/sign-in-door.ts';
import { expectError, expectNoSecret } from './support/expected-answers.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer, type SignInServerOptions } from './support/sign-in-server.ts';
import { McpGuest, ownersBrowser, TrialClient } from './support/trial-client.ts';

// The checklist: how clients find out where to sign in.

/** The documents of a public address, byte by byte. */
const resourceDocument = (base: string, scopes = '["vault:read","vault:write"]'): string =>
  `{"resource":"${base}/mcp","authorization_servers":["${base}"],"scopes_supported":${scopes},"bearer_methods_supported":["header"],"resource_name":"Vaultdoor","resource_documentation":"${base}/owner"}`;
const serverDocument = (base: string): string =>
  `{"issuer":"${base}","authorization_endpoint":"${base}/authorize","token_endpoint":"${base}/token","registration_endpoint":"${base}/register","revocation_endpoint":"${base}/revoke","scopes_supported":["vault:read","vault:write","vault:delete"],"response_types_supported":["code"],"response_modes_supported":["query"],"grant_types_supported":["authorization_code","refresh_token"],"token_endpoint_auth_methods_supported":["none","client_secret_post","client_secret_basic"],"revocation_endpoint_auth_methods_supported":["none","client_secret_post","client_secret_basic"],"code_challenge_methods_supported":["S256"],"client_id_metadata_document_supported":true,"authorization_response_iss_parameter_supported":true}`;

const resourceAt = '/.well-known/oauth-protected-resource';
const serverAt = '/.well-known/oauth-authorization-server';
const openIdAt = '/.well-known/openid-configuration';

async function expectDocument(response: Response, text: string): Promise<void> {
  expect([response.status, await response.text()]).toEqual([200, text]);
  const { headers } = response;
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('max-age=300');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBe(null);
  expect(headers.getSetCookie()).toEqual([]);
}

/** What is not there is said in JSON: clients go on searching then. */
async function expectNothing(response: Response): Promise<void> {
  expect([response.status, response.headers.get('content-type')]).toEqual([
    404,
    'application/json',
  ]);
  expect(JSON.parse(await response.text())).toMatchObject({ error: expect.anything() });
}

describe('at the root of a host', () => {
  const base = 'https://vault.example.com';
  const server = sharedServer();
  const documents = [
    [resourceAt, resourceDocument(base)],
    [`${resourceAt}/mcp`, resourceDocument(base)],
    [serverAt, serverDocument(base)],
  ] as const;

  it.each(documents)(
    '%s is the same bytes for everybody, and after a restart',
    async (path, text) => {
      const from = [
        {},
        { origin: 'https://claude.ai' },
        { origin: 'null' },
        { 'mcp-protocol-version': '2026-07-28' },
        { host: 'VAULT.example.com' },
        { host: 'vault.example.com:443' },
        { authorization: 'Bearer nonsense' },
        { cookie: '__Host-vd_owner=x' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      ];
      for (const headers of from)
        await expectDocument(await server().send({ path, headers }), text);
      await expectDocument(await server().send({ path: `${path}?a=1` }), text);
      await server().restart();
      await expectDocument(await server().send({ path }), text);
    },
  );

  it.each(documents)('%s answers HEAD and a preflight, and takes nothing', async (path, text) => {
    const head = await server().send({ method: 'HEAD', path });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect([head.headers.get('content-length') ?? String(text.length), await head.text()]).toEqual([
      String(text.length),
      '',
    ]);
    const preflight = await server().send({
      method: 'OPTIONS',
      path,
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
    expect(preflight.headers.get('access-control-allow-credentials')).toBe(null);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await server().send({ method, path });
      await expectError(refused, 'invalid_request', { status: 405 });
    }
  });

  it.each([
    openIdAt,
    `${openIdAt}/mcp`,
    '/mcp/.well-known/openid-configuration',
    `/mcp${resourceAt}`,
    `${serverAt}/mcp`,
    `${serverAt}/notes`,
    `${resourceAt}/notes`,
    `${resourceAt}/mcp/`,
    `${resourceAt}/mcp/x`,
    `${resourceAt}/`,
    `${resourceAt}x`,
    '/.well-known/',
    '/.well-known/jwks.json',
    '/.well-known/oauth-client',
    '/oauth/authorize',
    '/authorize/',
    '/jwks',
    '/introspect',
    '/userinfo',
    '/token/',
    '/',
  ])('%s is not there, which is said in JSON', async (path) => {
    await expectNothing(await server().send({ path }));
  });

  it('a name that the server does not have gets no document', async () => {
    for (const [path] of documents) {
      const loopback = { host: `127.0.0.1:${server().port}` };
      await expectNothing(await server().send({ path, headers: loopback }));
      for (const host of ['evil.example', 'vault.example.com.evil.example', 'vault.example.org']) {
        const refused = await server().send({ path, headers: { host } });
        expect([host, refused.status]).toEqual([host, 403]);
        expect(await refused.text()).not.toContain('issuer');
      }
    }
  });

  it('/mcp without a token says where to sign in, whatever the method; other refusals do not', async () => {
    const challenge = `Bearer realm="vaultdoor", resource_metadata="${base}${resourceAt}/mcp", scope="vault:read vault:write"`;
    for (const method of ['POST', 'GET', 'DELETE', 'HEAD']) {
      const refused = await server().send({ method, path: '/mcp' });
      expect([method, refused.status, refused.headers.get('www-authenticate')]).toEqual([
        method,
        401,
        challenge,
      ]);
    }
    const loopback = await server().send({ path: '/mcp', headers: { host: '127.0.0.1' } });
    expect([loopback.status, loopback.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="vaultdoor"',
    ]);
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      const refused = await server().send({ path: '/mcp', headers });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
    }
  });

  it('the issuer is the same text in both documents, in every answer, and in what is printed', async () => {
    const owner = await ownersBrowser(server());
    const client = await TrialClient.register(server());
    const get = async (path: string): Promise<Record<string, unknown>> =>
      JSON.parse(await (await server().send({ path })).text());
    const { authorization_servers: servers } = await get(resourceAt);
    const { issuer } = await get(serverAt);
    const allowed = await client.allowed(owner);
    const refused = await client.allowed(owner, { answer: 'refuse' });
    const wrong = await owner.get(client.authorizePath({ response_type: 'token' }));
    const failed = new URL(wrong.headers.get('location') ?? '');
    expect(refused.searchParams.get('error')).toBe('access_denied');
    const said = [allowed, refused, failed].map(({ searchParams }) => searchParams.get('iss'));
    const signIn = await server().printed();
    if (signIn === undefined) throw new Error('nothing is printed');
    const printed = serveText({
      vaults: ['notes'],
      folders: [server().vault],
      host: '127.0.0.1',
      port: 1065,
      ownAddresses: [],
      allowHosts: [],
      publicUrls: [`${base}/`],
      tokens: 'asked',
      isLoopback: true,
      consoleLinks: [],
      signIn,
    });
    expect([servers, issuer, said]).toEqual([[base], base, [base, base, base]]);
    expect(printed).toContain(`\n  ${base}/mcp\n`);
    expect(printed).toContain(`\n  ${base}/owner\n`);
    expect(printed).not.toContain(`${base}//`);
    expect(signIn.issuers[0]?.url).toBe(base);
  });
});

it.each([
  'https://vault.example.com/',
  'https://vault.example.com/mcp',
  'https://vault.example.com/mcp/',
  'https://VAULT.example.com:443',
])('the public address %s is the same issuer', async (url) => {
  const server = await SignInServer.start({ urls: [url] });
  const answer = await server.send({ path: `${resourceAt}/mcp` });
  await expectDocument(answer, resourceDocument('https://vault.example.com'));
});

describe('below a path', () => {
  const base = 'https://example.com/notes';
  const server = sharedServer({ urls: [base] });

  it.each([
    [`${resourceAt}/notes/mcp`, resourceDocument(base)],
    [`${resourceAt}/notes`, resourceDocument(base)],
    [`${serverAt}/notes`, serverDocument(base)],
    // As a proxy passes them on that takes the path off, or does not insert it.
    [`${resourceAt}/mcp`, resourceDocument(base)],
    [resourceAt, resourceDocument(base)],
    [serverAt, serverDocument(base)],
    [`/notes${resourceAt}`, resourceDocument(base)],
    [`/notes${resourceAt}/mcp`, resourceDocument(base)],
    [`/notes${serverAt}`, serverDocument(base)],
  ])('%s is there', async (path, text) => {
    await expectDocument(await server().send({ path }), text);
  });

  it.each([
    `${openIdAt}/notes`,
    `/notes${openIdAt}`,
    `${serverAt}/notes/mcp`,
    `${serverAt}/other`,
    `${resourceAt}/other/mcp`,
    `${resourceAt}/notes/mcp/x`,
    `/other${serverAt}`,
    '/notesx/authorize',
    '/notes',
  ])('%s is not there', async (path) => {
    await expectNothing(await server().send({ path }));
  });

  it.each(['/notes', ''])('a client signs in where the proxy passes %j on', async (prefix) => {
    const refused = await server().send({ method: 'POST', path: `${prefix}/mcp` });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="vaultdoor", resource_metadata="https://example.com/.well-known/oauth-protected-resource/notes/mcp", scope="vault:read vault:write"',
    );
    const browser = new TestBrowser(server());
    // The proxy takes the path off from what the browser sends, so links must have it.
    const open = (path: string): string => path.replace(/^\/notes/, prefix);
    const client = new TrialClient(server());
    const began = await browser.get(open(client.authorizePath()));
    const page = began.headers.get('location') ?? '';
    expect(page).toMatch(/^\/notes\/authorize\/[\w-]+$/);
    for (const line of began.headers.getSetCookie()) expect(line).toMatch(/; Path=\/(?:;|$)/);
    const text = await (await browser.get(open(page))).text();
    expect(text).toContain(`action="${page}/sign-in"`);
    const fields = { passphrase: 'seven quiet herons by the weir' };
    const signedIn = await browser.post(open(`${page}/sign-in`), fields);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, page]);
    const answer = await browser.consent(open(page));
    const back = backIn(await answer.text());
    expect(back.searchParams.get('iss')).toBe(base);
    const code = back.searchParams.get('code') ?? '';
    const tokens = await server().post(`${prefix}/token`, client.exchangeFields(code));
    const { access_token: token } = JSON.parse(await tokens.text());
    const guest = new McpGuest(server(), token);
    const call = { id: 1, method: 'tools/list' };
    expect((await guest.send(call, { path: `${prefix}/mcp` })).status).toBe(200);
  });
});

describe('with several addresses', () => {
  const urls = [
    'https://vault.example.com',
    'https://vault.example.com:8443',
    'https://example.com/notes',
    'https://example.com/diary',
    'http://localhost:1065',
    'http://plain.example.com',
  ];
  const server = sharedServer({ urls });

  it.each([
    ['vault.example.com', `${resourceAt}/mcp`, urls[0]],
    ['vault.example.com:8443', `${resourceAt}/mcp`, urls[1]],
    ['vault.example.com:443', `${resourceAt}/mcp`, urls[0]],
    ['example.com', `${resourceAt}/notes/mcp`, urls[2]],
    ['example.com', `${resourceAt}/diary/mcp`, urls[3]],
    ['localhost:1065', `${resourceAt}/mcp`, urls[4]],
  ])('%s%s is a document of %s', async (host, path, base = '') => {
    await expectDocument(await server().send({ path, headers: { host } }), resourceDocument(base));
    const other = path.replace(resourceAt, serverAt).replace(/\/mcp$/, '');
    const answer = await server().send({ path: other, headers: { host } });
    await expectDocument(answer, serverDocument(base));
    const mcp = await server().send({ path: path.slice(resourceAt.length), headers: { host } });
    expect([mcp.status, mcp.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${new URL(base).origin}${path}"`),
    ]);
  });

  it.each(['plain.example.com', 'localhost', 'vault.example.com:9999', '127.0.0.1:1065'])(
    'nobody can sign in at %s',
    async (host) => {
      for (const path of [resourceAt, `${resourceAt}/mcp`, serverAt]) {
        await expectNothing(await server().send({ path, headers: { host } }));
      }
      const mcp = await server().send({ path: '/mcp', headers: { host } });
      expect(mcp.headers.get('www-authenticate')).toBe('Bearer realm="vaultdoor"');
      for (const path of ['/owner', '/authorize']) {
        expect((await server().send({ path, headers: { host } })).status).toBe(404);
      }
    },
  );

  it('a token holds at every address', async () => {
    const { access_token: token } = await new TrialClient(server()).tokens(
      await ownersBrowser(server()),
    );
    const guest = new McpGuest(server(), token);
    for (const host of ['vault.example.com', 'vault.example.com:8443', 'example.com']) {
      const call = { id: 1, method: 'tools/list' };
      expect((await guest.send(call, { headers: { host } })).status).toBe(200);
    }
  });
});

it.each([
  ['--read-only', '["vault:read"]', 'vault:read'],
  ['--propose', '["vault:read","vault:propose"]', 'vault:read vault:propose'],
])('with %s clients are told to ask for less', async (arg, scopes, scope) => {
  const server = await SignInServer.start({ args: [arg] });
  const document = await server.send({ path: resourceAt });
  await expectDocument(document, resourceDocument('https://vault.example.com', scopes));
  const mcp = await server.send({ path: '/mcp' });
  expect(mcp.headers.get('www-authenticate')).toMatch(`, scope="${scope}"`);
});

it.each<[string, Pick<SignInServerOptions, 'urls' | 'args'>]>([
  ['--oauth off', { args: ['--oauth', 'off'] }],
  ['--auth proxy', { args: ['--auth', 'proxy'] }],
  ['an address without https alone', { urls: ['http://vault.example.com'] }],
])('with %s there is nothing to find', async (_, options) => {
  const server = await SignInServer.start({ hasOwner: false });
  await server.restart(options);
  const paths = [resourceAt, `${resourceAt}/mcp`, serverAt, openIdAt, '/authorize', '/owner'];
  for (const path of [...paths, '/owner/set-up', '/owner/sign-in', '/token', '/authorize/x']) {
    await expectNothing(await server.send({ path }));
  }
  for (const path of ['/token', '/register', '/revoke', '/owner/sign-in']) {
    await expectNothing(await server.send({ method: 'POST', path }));
  }
  const mcp = await server.send({ path: '/mcp', headers: { authorization: 'Bearer vda_x' } });
  expect(mcp.headers.get('www-authenticate') ?? '').not.toContain('resource_metadata');
  expect(await server.printed()).toBe(undefined);
  expectNoSecret(server);
});
