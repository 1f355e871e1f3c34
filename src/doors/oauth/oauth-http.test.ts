import { describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  backIn,
  claude,
  ordinaryYes,
  passphrase,
  postAsProgram,
  type SignInDoor,
  signInDoor,
  TestBrowser,
  verifier,
  wordIn,
} from '../../../test/support/sign-in-door.ts';

async function get(at: SignInDoor, path: string, init: RequestInit = {}): Promise<Response> {
  const { host } = at.issuer;
  return at.door.handle(new Request(`http://${host}${path}`, init), '127.0.0.1');
}

describe('a complete sign-in', () => {
  it('goes from the documents to tokens, refresh and revocation', async () => {
    const at = await signInDoor();
    const document = await (await get(at, '/.well-known/oauth-authorization-server')).json();
    expect(document).toMatchObject({
      issuer: 'https://vault.example.com',
      token_endpoint: 'https://vault.example.com/token',
    });

    const registered = await at.door.handle(
      new Request('http://vault.example.com/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Cursor',
          redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
          token_endpoint_auth_method: 'none',
        }),
      }),
      '10.0.0.9',
    );
    expect(registered.status).toBe(201);
    expect(registered.headers.get('cache-control')).toBe('no-store');
    const { client_id } = (await registered.json()) as { client_id: string };

    const browser = new TestBrowser(at);
    const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const path = await browser.begin({ client_id, redirect_uri });
    expect(path).toMatch(/^\/authorize\/[\w-]{22}$/);
    const signInPage = await (await browser.get(path)).text();
    expect(signInPage).toContain(`action="${path}/sign-in"`);
    expect(signInPage).toContain('Cursor');
    const signedIn = await browser.post(`${path}/sign-in`, { passphrase });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, path]);

    const consent = await (await browser.get(path)).text();
    expect(consent).toContain('cursor');
    const answer = await browser.post(path, { ...ordinaryYes, word: wordIn(consent) });
    expect(answer.status).toBe(200);
    const back = backIn(await answer.text());
    expect(back.protocol).toBe('cursor:');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^vdk_/),
      state: 'a b&c',
      iss: 'https://vault.example.com',
    });

    const code = back.searchParams.get('code') ?? '';
    const first = await postAsProgram(at, '/token', {
      grant_type: 'authorization_code',
      client_id,
      code,
      redirect_uri,
      code_verifier: verifier,
    });
    expect(first.response.headers.get('cache-control')).toBe('no-store');
    expect(first.json).toMatchObject({
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'vault:read vault:write',
    });
    const second = await postAsProgram(at, '/token', {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: String(first.json['refresh_token']),
    });
    expect(second.response.status).toBe(200);
    const [grant] = await at.grants.list();
    expect(grant).toMatchObject({
      client: { name: 'Cursor', kind: 'registered', answersTo: 'cursor: links' },
      effects: ['read', 'write'],
      folders: [''],
      tools: ['notes'],
      endsMs: at.clock.nowMs + 90 * 86_400_000,
    });

    const token = String(second.json['refresh_token']);
    const revoked = await postAsProgram(at, '/revoke', { client_id, token });
    expect([revoked.response.status, await at.grants.list()]).toEqual([200, []]);

    const steps = at.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(steps.map(({ step, answer, client }) => [step, answer, client])).toEqual([
      ['discovery', 'server', undefined],
      ['register', 'registered', 'Cursor'],
      ['authorize', 'waits for the owner', 'Cursor'],
      ['authorize', 'page: sign-in', 'Cursor'],
      ['owner', 'signed in', 'Cursor'],
      ['consent', 'page: consent', 'Cursor'],
      ['consent', 'code', 'Cursor'],
      ['token', 'tokens', 'Cursor'],
      ['refresh', 'tokens', 'Cursor'],
      ['revoke', 'done', 'Cursor'],
    ]);
    const secrets = /vd[kar]_|callback|quiet herons|a b&c|vd_owner/;
    expect(at.log.filter((line) => secrets.test(line))).toEqual([]);
  });

  it('works below a prefix and on loopback, with the cookies of each', async () => {
    for (const [url, cookie] of [
      ['https://example.com/notes', '__Host-vd_owner'],
      ['http://127.0.0.1:1065', 'vd_owner'],
    ] as const) {
      const at = await signInDoor({ urls: [url] });
      const browser = new TestBrowser(at);
      const path = await browser.begin();
      expect(path.startsWith(`${at.issuer.path}/authorize/`)).toBe(true);
      const signedIn = await browser.post(`${path}/sign-in`, { passphrase });
      const [line = ''] = signedIn.headers.getSetCookie();
      expect(line.startsWith(`${cookie}=`)).toBe(true);
      expect(line.includes('Secure')).toBe(at.issuer.isSecure);
      expect(line).toMatch(/HttpOnly; SameSite=Lax; Path=\/$/);
      const back = backIn(await (await browser.consent(path)).text());
      expect(back.searchParams.get('iss')).toBe(url);
    }
  });
});

describe('documents', () => {
  const rows: readonly [url: string, path: string, status: number, has?: object][] = [
    [
      'https://a.example',
      '/.well-known/oauth-protected-resource',
      200,
      { resource: 'https://a.example/mcp' },
    ],
    [
      'https://a.example',
      '/.well-known/oauth-protected-resource/mcp',
      200,
      { resource: 'https://a.example/mcp' },
    ],
    ['https://a.example', '/.well-known/oauth-protected-resource/other', 404],
    [
      'https://a.example',
      '/.well-known/oauth-authorization-server',
      200,
      { issuer: 'https://a.example' },
    ],
    ['https://a.example', '/.well-known/oauth-authorization-server/mcp', 404],
    ['https://a.example', '/.well-known/openid-configuration', 404],
    ['https://a.example', '/.well-known/openid-configuration/mcp', 404],
    [
      'https://a.example/notes',
      '/.well-known/oauth-protected-resource/notes/mcp',
      200,
      { resource: 'https://a.example/notes/mcp' },
    ],
    [
      'https://a.example/notes',
      '/.well-known/oauth-authorization-server/notes',
      200,
      { issuer: 'https://a.example/notes' },
    ],
    [
      'https://a.example/notes',
      '/notes/.well-known/oauth-authorization-server',
      200,
      { issuer: 'https://a.example/notes' },
    ],
    ['https://a.example/notes', '/notes/.well-known/openid-configuration', 404],
  ];
  it.each(rows)('of %s at %s: %i', async (url, path, status, has) => {
    const at = await signInDoor({ urls: [url] });
    const response = await get(at, path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const json = await response.json();
    if (has === undefined) expect(json).toHaveProperty('error');
    else {
      expect(json).toMatchObject(has);
      expect(response.headers.get('cache-control')).toBe('max-age=300');
    }
  });

  it('are for HEAD and preflights too, and nothing else', async () => {
    const at = await signInDoor();
    const path = '/.well-known/oauth-protected-resource/mcp';
    const head = await get(at, path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const asked = { 'access-control-request-headers': 'mcp-protocol-version' };
    const preflight = await get(at, path, { method: 'OPTIONS', headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
    expect((await get(at, path, { method: 'POST' })).status).toBe(405);
  });

  it('are those of the address that Host names, and of no other', async () => {
    const at = await signInDoor({ urls: ['https://a.example', 'https://b.example:8443'] });
    const issuerAt = async (host: string): Promise<unknown> => {
      const url = `http://${host}/.well-known/oauth-authorization-server`;
      const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      const response = await at.door.handle(new Request(url, { headers }), '127.0.0.1');
      return ((await response.json()) as { issuer?: string }).issuer;
    };
    expect(await issuerAt('a.example')).toBe('https://a.example');
    expect(await issuerAt('b.example:8443')).toBe('https://b.example:8443');
    expect(await issuerAt('evil.example')).toBeUndefined();
    expect(await issuerAt('127.0.0.1:1065')).toBeUndefined();
  });
});

describe('the door', () => {
  it('knows its paths', async () => {
    const { door } = await signInDoor({ urls: ['https://a.example/notes'] });
    const served = ['/token', '/notes/token', '/authorize/abc', '/owner', '/notes/owner/set-up'];
    const others = ['/mcp', '/', '/owner/other', '/health', '/authorize/a/b', '/other/token'];
    expect(served.filter((path) => !door.serves(path))).toEqual([]);
    expect(others.filter((path) => door.serves(path))).toEqual([]);
    expect(door.isOpenToAllOrigins('/notes/token')).toBe(true);
    expect(door.isOpenToAllOrigins('/authorize')).toBe(false);
    expect(door.isOpenToAllOrigins('/owner/passkeys/add')).toBe(false);
    expect(door.bodyBytesMax({ method: 'POST', path: '/token' })).toBe(16_384);
    expect(door.bodyBytesMax({ method: 'GET', path: '/token' })).toBe(0);
  });

  it('puts refusals of the listener into the form of the path', async () => {
    const { door } = await signInDoor();
    const stopping = door.refusal('/token', { status: 503, message: 'The server stops.' });
    expect([stopping.status, stopping.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await stopping.json()).toMatchObject({ error: 'temporarily_unavailable' });
    const large = door.refusal('/register', { status: 413, message: 'Too large.' });
    expect([large.status, await large.json()]).toMatchObject([413, { error: 'invalid_request' }]);
    const page = door.refusal('/owner', { status: 503, message: 'The server stops.' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('The server stops.');
  });

  it('gives every page its headers, and a script only where passkeys are', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    const { headers } = await browser.get(`/authorize?${authorizeQuery({ client_id: 'x' })}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('cross-origin-opener-policy')).toBe(false);
    expect(headers.has('access-control-allow-origin')).toBe(false);
    await browser.signIn();
    const owner = await browser.get('/owner');
    expect(owner.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  it('answers pages at an address that is not public with where to go', async () => {
    const at = await signInDoor();
    const response = await at.door.handle(new Request('http://127.0.0.1:1065/owner'), '127.0.0.1');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('https://vault.example.com');
  });

  it('asks for patience when a book cannot be read, and says nothing of why', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('secret path');
    };
    const methods = ['key', 'grants', 'grant', 'grantOf', 'change', 'clients', 'changeClients'];
    const book = Object.fromEntries(methods.map((name) => [name, broken])) as never;
    const at = await signInDoor({ book });
    const { response, json } = await postAsProgram(at, '/token', {
      grant_type: 'refresh_token',
      client_id: claude.id,
      refresh_token: 'vdr_x',
    });
    expect([response.status, json['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(response.headers.has('retry-after')).toBe(true);
    const browser = new TestBrowser(at);
    await browser.signIn();
    const page = await browser.get('/owner');
    expect([page.status, (await page.text()).includes('secret path')]).toEqual([503, false]);
    expect(at.log.filter((line) => line.includes('secret path'))).toEqual([]);
  });
});
