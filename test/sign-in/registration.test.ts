import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectError } from './support/expected-answers.ts';
import { sharedServer } from './support/shared-server.ts';
import { ownersBrowser, TrialClient, tokensIn } from './support/trial-client.ts';

// The checklist: how clients register themselves, and that nothing is kept of it.

const server = sharedServer();

const cursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];
const uris = { redirect_uris: cursor };
const none = { token_endpoint_auth_method: 'none' };

/** Registrations, and the way to prove who they are that they get. */
const rows: [string, object, string, string?][] = [
  ['redirect addresses alone', uris, 'client_secret_basic'],
  [
    'three addresses at once, as Cursor',
    { ...uris, ...none, client_name: 'Cursor' },
    'none',
    'Cursor',
  ],
  ['application_type web', { ...uris, ...none, application_type: 'web' }, 'none'],
  ['application_type native', { ...uris, ...none, application_type: 'native' }, 'none'],
  ['any scope', { ...uris, ...none, scope: 'claudeai openid offline_access x:y' }, 'none'],
  ['no grant types', { ...uris, ...none, grant_types: [], response_types: [] }, 'none'],
  ['other grant types', { ...uris, ...none, grant_types: ['implicit', 'password'] }, 'none'],
  [
    'client_secret_post, as claude.ai',
    { ...uris, token_endpoint_auth_method: 'client_secret_post' },
    'client_secret_post',
  ],
  ['private_key_jwt', { ...uris, token_endpoint_auth_method: 'private_key_jwt', jwks: {} }, 'none'],
  [
    'null for whatever is optional',
    {
      ...uris,
      ...{ client_name: null, grant_types: null, response_types: null, scope: null, jwks: null },
      ...{ token_endpoint_auth_method: null, client_uri: null, contacts: null, logo_uri: null },
    },
    'client_secret_basic',
  ],
  [
    'members that nobody knows',
    { ...uris, ...none, software_id: 'x', client_uri: '', a: { b: [{}] }, ['__proto__']: { x: 1 } },
    'none',
  ],
  [
    'an id and a secret of its own',
    { ...uris, ...none, client_id: 'x', client_secret: 'y' },
    'none',
  ],
];

it.each(rows)('takes %s', async (_, body, method, name) => {
  const response = await server().postJson('/register', body);
  const text = await response.text();
  expect([response.status, text]).toEqual([201, expect.stringContaining('"client_id":"vdc_')]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(text).not.toMatch(/null|""/);
  const { client_id: id, client_secret: secret, ...rest } = JSON.parse(text);
  expect(id.length).toBeLessThanOrEqual(1_500);
  expect(rest).toEqual({
    client_id_issued_at: Math.floor(server().clock.nowMs / 1_000),
    ...(method !== 'none' && { client_secret_expires_at: 0 }),
    ...(name !== undefined && { client_name: name }),
    redirect_uris: cursor,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  });
  expect([secret === undefined, id === 'x']).toEqual([method === 'none', false]);
});

it.each<[string, string, string, number?]>([
  ['no addresses', '{}', 'invalid_redirect_uri'],
  ['null for addresses', '{"redirect_uris":null}', 'invalid_redirect_uri'],
  ['addresses that are no list', '{"redirect_uris":"https://a.example/b"}', 'invalid_redirect_uri'],
  [
    'addresses that are no texts',
    '{"redirect_uris":[1,{},null,["https://a.example"]]}',
    'invalid_redirect_uri',
  ],
  [
    'a name that is no text',
    '{"redirect_uris":["https://a.example/b"],"client_name":{}}',
    'invalid_client_metadata',
  ],
  ['a list', '[]', 'invalid_client_metadata'],
  ['null', 'null', 'invalid_client_metadata'],
  ['no JSON', 'redirect_uris=https://a.example', 'invalid_client_metadata'],
  ['nothing', '', 'invalid_client_metadata'],
  [
    'eleven addresses',
    JSON.stringify({
      redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`),
    }),
    'invalid_client_metadata',
  ],
  [
    'a long address',
    JSON.stringify({ redirect_uris: [`https://a.example/${'a'.repeat(300)}`] }),
    'invalid_redirect_uri',
  ],
  [
    'ten addresses that are too long together',
    JSON.stringify({
      redirect_uris: Array.from(
        { length: 10 },
        (_, at) => `https://a.example/${at}${'a'.repeat(200)}`,
      ),
    }),
    'invalid_client_metadata',
  ],
])('refuses %s', async (_, body, error, status = 400) => {
  const answer = await server().postJson('/register', body);
  await expectError(answer, error, { status });
});

it('takes JSON without a content type, or with a longer one, but no form', async () => {
  const body = JSON.stringify(uris);
  const send = (type: string | undefined): Promise<Response> =>
    server().send({ method: 'POST', path: '/register', body, headers: { 'content-type': type } });
  for (const type of [undefined, 'application/json; charset=utf-8', 'application/vnd.x+json']) {
    expect([type, (await send(type)).status]).toEqual([type, 201]);
  }
  const form = await send('application/x-www-form-urlencoded');
  await expectError(form, 'invalid_client_metadata');
});

it('keeps nothing: two registrations of one client both work, also after a restart and a new owner', async () => {
  const clients = [
    await TrialClient.register(server(), { redirect_uris: cursor }),
    await TrialClient.register(server(), { redirect_uris: cursor }),
    await TrialClient.register(server(), { token_endpoint_auth_method: 'client_secret_post' }),
  ];
  const folder = join(server().env['XDG_STATE_HOME'] ?? '', 'vaultdoor');
  const kept = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
  const before = kept();
  for (let at = 0; at < 20; at++) await TrialClient.register(server(), { client_name: `n${at}` });
  expect(kept()).toEqual(before);
  expect(JSON.stringify(before)).not.toMatch(/cursor|n1|Trial/);

  await server().restart();
  const passphrase = 'seven quiet herons by the weir';
  await server().owner.reset();
  await server().owner.setPassphrase(passphrase);
  const owner = await ownersBrowser(server());
  for (const client of clients) {
    const code = await client.code(owner);
    const tokens = await tokensIn(await client.exchange(code));
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  }
});
