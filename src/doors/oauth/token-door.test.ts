import { describe, expect, it } from 'vitest';
import {
  backIn,
  claude,
  postAsProgram,
  type SignInDoor,
  signInDoor,
  TestBrowser,
  tokensFor,
  verifier,
} from '../../../test/support/sign-in-door.ts';

const refresh = { grant_type: 'refresh_token', client_id: claude.id, refresh_token: 'vdr_x' };

async function register(at: SignInDoor, body: string) {
  const headers = { 'content-type': 'application/json' };
  const url = 'http://vault.example.com/register';
  const request = new Request(url, { method: 'POST', body, headers });
  const response = await at.door.handle(request, '10.0.0.9');
  return { response, json: (await response.json()) as Record<string, unknown> };
}

const metadata = { redirect_uris: ['http://127.0.0.1/callback'], client_name: 'Tool' };

describe('/token', () => {
  const rows: readonly [
    fields: Readonly<Record<string, string | string[]>>,
    status: number,
    error: string,
  ][] = [
    [{}, 400, 'invalid_request'],
    [{ ...refresh, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ ...refresh, grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
    [{ ...refresh, grant_type: ['refresh_token', 'refresh_token'] }, 400, 'invalid_request'],
    [{ ...refresh, other: ['', ''] }, 400, 'invalid_request'],
    [refresh, 400, 'invalid_grant'],
    [
      { ...refresh, resource: ['https://vault.example.com', 'https://vault.example.com/mcp'] },
      400,
      'invalid_grant',
    ],
    [{ ...refresh, refresh_token: '' }, 400, 'invalid_request'],
    [{ ...refresh, refresh_token: 'vd_static' }, 400, 'invalid_grant'],
    [{ grant_type: 'authorization_code', client_id: claude.id }, 400, 'invalid_request'],
    [
      { grant_type: 'authorization_code', client_id: claude.id, code: 'vdk_x' },
      400,
      'invalid_grant',
    ],
    [{ ...refresh, client_id: 'vdc_forged' }, 401, 'invalid_client'],
  ];
  it.each(rows)('%j: %i %s', async (fields, status, error) => {
    const at = await signInDoor();
    const { response, json } = await postAsProgram(at, '/token', fields);
    expect([response.status, json['error']]).toEqual([status, error]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it('is for POST with a form alone, and answers preflights', async () => {
    const at = await signInDoor();
    const send = (init: RequestInit): Promise<Response> =>
      at.door.handle(new Request('http://vault.example.com/token', init), '10.0.0.9');
    expect((await send({})).status).toBe(405);
    const json = await send({
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([json.status, await json.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const preflight = await send({ method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    const large = await send({
      method: 'POST',
      body: new URLSearchParams({ a: 'a'.repeat(20_000) }),
    });
    expect([large.status, await large.json()]).toMatchObject([413, { error: 'invalid_request' }]);
  });

  it('takes a secret in the body or as Basic, and says how it wants to be asked', async () => {
    const at = await signInDoor();
    const method = { token_endpoint_auth_method: 'client_secret_basic' };
    const { json: made } = await register(at, JSON.stringify({ ...metadata, ...method }));
    const [client_id, client_secret] = [String(made['client_id']), String(made['client_secret'])];
    const { client_id: _, ...bare } = refresh;
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
    });
    const post = async (fields: Record<string, string>, headers = {}) => {
      const { response, json } = await postAsProgram(at, '/token', { ...bare, ...fields }, headers);
      return [response.status, json['error'], response.headers.get('www-authenticate')];
    };
    expect(await post({ client_id, client_secret })).toEqual([400, 'invalid_grant', null]);
    expect(await post({}, basic(client_secret))).toEqual([400, 'invalid_grant', null]);
    expect(await post({ client_id })).toEqual([401, 'invalid_client', null]);
    expect(await post({}, basic('wrong'))).toEqual([
      401,
      'invalid_client',
      'Basic realm="vaultdoor"',
    ]);
    const both = await post({ client_id, client_secret }, basic(client_secret));
    expect(both.slice(0, 2)).toEqual([400, 'invalid_request']);
  });

  it('exchanges a code once; the second time all its tokens end', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const page = await browser.consent(await browser.begin());
    const code = backIn(await page.text()).searchParams.get('code') ?? '';
    const exchange = { grant_type: 'authorization_code', client_id: claude.id, code };
    const sent = { ...exchange, redirect_uri: claude.redirect, code_verifier: verifier };
    const first = await postAsProgram(at, '/token', sent);
    expect(first.response.status).toBe(200);
    at.clock.nowMs += 11_000;
    const second = await postAsProgram(at, '/token', sent);
    expect(second.json['error']).toBe('invalid_grant');
    expect(await at.grants.list()).toEqual([]);
  });
});

describe('/revoke', () => {
  it('ends what belongs to the client, and answers everything else alike', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const tokens = await tokensFor(at, browser);
    const token = String(tokens['access_token']);
    const revoke = async (fields: Record<string, string>) =>
      (await postAsProgram(at, '/revoke', fields)).response.status;
    const other = 'https://claude.ai/oauth/claude-code-client-metadata';
    expect(await revoke({ client_id: other, token })).toBe(200);
    expect(await revoke({ client_id: claude.id, token: 'vd_static' })).toBe(200);
    expect(await at.grants.list()).toHaveLength(1);
    expect(await revoke({ client_id: claude.id })).toBe(400);
    expect(await revoke({ client_id: claude.id, token, token_type_hint: 'x' })).toBe(200);
    expect(await at.grants.list()).toEqual([]);
  });
});

describe('/register', () => {
  const rows: readonly [body: string, status: number, error: string | undefined][] = [
    [JSON.stringify(metadata), 201, undefined],
    [
      JSON.stringify({ ...metadata, redirect_uris: ['javascript:alert(1)'] }),
      400,
      'invalid_redirect_uri',
    ],
    ['{', 400, 'invalid_client_metadata'],
    ['[]', 400, 'invalid_client_metadata'],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400, 'invalid_client_metadata'],
    [`{"a":"${'a'.repeat(17_000)}"}`, 413, 'invalid_client_metadata'],
  ];
  it.each(rows)('%.60s: %i', async (body, status, error) => {
    const at = await signInDoor();
    const { response, json } = await register(at, body);
    expect([response.status, json['error']]).toEqual([status, error]);
    expect(await at.book.clients()).toEqual([]);
  });

  it('is limited in all', async () => {
    const at = await signInDoor();
    for (let times = 0; times < 60; times++) await register(at, JSON.stringify(metadata));
    const { response, json } = await register(at, JSON.stringify(metadata));
    expect([response.status, json['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
