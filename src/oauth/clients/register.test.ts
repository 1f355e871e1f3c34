import { describe, expect, it } from 'vitest';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import { limits } from '../../base/limits.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { Clients } from './clients.ts';

const cursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];
const one = ['https://app.example/cb'];

const newClients = (): Clients =>
  new Clients({
    book: memoryOAuthBook(),
    crypto: nodeOAuthCrypto,
    nowMs: () => 1_794_844_800_900,
  });

const always = {
  client_id: expect.stringMatching(/^vdc_[\w-]+\.[\w-]{22}$/),
  client_id_issued_at: 1_794_844_800,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};
const withSecret = {
  client_secret: expect.stringMatching(/^vds_[\w-]{43}$/),
  client_secret_expires_at: 0,
};

describe('Clients.register', () => {
  it.each<[string, unknown, object]>([
    [
      'Cursor',
      {
        client_name: 'Cursor',
        redirect_uris: cursor,
        application_type: 'web',
        token_endpoint_auth_method: 'none',
      },
      { client_name: 'Cursor', redirect_uris: cursor, token_endpoint_auth_method: 'none' },
    ],
    [
      'claude.ai',
      {
        client_name: 'Claude',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'claudeai',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      },
      {
        ...withSecret,
        client_name: 'Claude',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    [
      'addresses alone',
      { redirect_uris: one },
      { ...withSecret, redirect_uris: one, token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'nulls',
      {
        redirect_uris: one,
        client_name: null,
        grant_types: null,
        response_types: null,
        scope: null,
        client_uri: null,
        logo_uri: null,
        token_endpoint_auth_method: null,
      },
      { ...withSecret, redirect_uris: one, token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'what is empty or unknown',
      {
        redirect_uris: one,
        client_name: ' ',
        grant_types: [],
        response_types: [],
        client_uri: '',
        scope: 'a b c',
        x: { y: [] },
        token_endpoint_auth_method: 'private_key_jwt',
      },
      { redirect_uris: one, token_endpoint_auth_method: 'none' },
    ],
    [
      'bad addresses beside a good one, and the same one twice',
      {
        redirect_uris: ['javascript:alert(1)', ...one, 5, null, 'http://127.1/', ...one, 'x'],
        token_endpoint_auth_method: 'none',
      },
      { redirect_uris: one, token_endpoint_auth_method: 'none' },
    ],
    [
      'a name that is long and strange',
      {
        redirect_uris: one,
        client_name: `\u202e<b>${'x'.repeat(10_000)}`,
        token_endpoint_auth_method: 'none',
      },
      {
        client_name: `<b>${'x'.repeat(57)}`,
        redirect_uris: one,
        token_endpoint_auth_method: 'none',
      },
    ],
    [
      'members that every object has',
      JSON.parse(
        `{"__proto__":{"client_name":"evil"},"constructor":{"x":1},"redirect_uris":${JSON.stringify(one)},
          "token_endpoint_auth_method":"__proto__"}`,
      ),
      { redirect_uris: one, token_endpoint_auth_method: 'none' },
    ],
    [
      'deep JSON',
      {
        redirect_uris: one,
        token_endpoint_auth_method: 'none',
        x: JSON.parse(`${'['.repeat(8_000)}${']'.repeat(8_000)}`),
      },
      { redirect_uris: one, token_endpoint_auth_method: 'none' },
    ],
  ])('takes %s', async (_, body, expected) => {
    expect(await newClients().register(body)).toEqual({ registered: { ...always, ...expected } });
  });

  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `https://a.example/${at}`);
  const long = (count: number): string[] =>
    many(count).map((uri) => uri.padEnd(limits.redirectCharsMax, 'x'));

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'invalid_client_metadata'],
    ['null', null, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['a text', 'x', 'invalid_client_metadata'],
    ['a number', 5, 'invalid_client_metadata'],
    ['a name that is no text', { redirect_uris: one, client_name: {} }, 'invalid_client_metadata'],
    [
      'a method that is no text',
      { redirect_uris: one, token_endpoint_auth_method: ['none'] },
      'invalid_client_metadata',
    ],
    ['no addresses', {}, 'invalid_redirect_uri'],
    ['null as addresses', { redirect_uris: null }, 'invalid_redirect_uri'],
    ['an empty list of addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a text as addresses', { redirect_uris: one[0] }, 'invalid_redirect_uri'],
    [
      'bad addresses alone',
      { redirect_uris: ['javascript:alert(1)', 'data:x', 'file:///x', 'intent://x'] },
      'invalid_redirect_uri',
    ],
    ['a deep list as address', { redirect_uris: [[one]] }, 'invalid_redirect_uri'],
    ['eleven addresses', { redirect_uris: many(11) }, 'invalid_client_metadata'],
    ['a thousand addresses', { redirect_uris: many(1_000) }, 'invalid_client_metadata'],
    ['long addresses', { redirect_uris: long(5) }, 'invalid_client_metadata'],
    [
      'addresses of a prototype',
      JSON.parse(`{"__proto__":{"redirect_uris":${JSON.stringify(one)}}}`),
      'invalid_redirect_uri',
    ],
  ])('refuses %s, and repeats nothing of it', async (_, body, error) => {
    const answer = await newClients().register(body);
    expect(answer).toEqual({ error, description: expect.any(String) });
    expect(JSON.stringify(answer)).not.toMatch(/example|javascript|data:|intent/);
  });

  it('gives two clients that register the same two ids and two secrets', async () => {
    const clients = newClients();
    const body = { redirect_uris: one };
    const answers = [await clients.register(body), await clients.register(body)];
    const texts = answers.flatMap((answer) => {
      const { client_id, client_secret } = 'registered' in answer ? answer.registered : {};
      return [client_id, client_secret];
    });
    expect(new Set(texts).size).toBe(4);
  });

  it('makes ids that fit, and that lead back to what was registered', async () => {
    const clients = newClients();
    for (const [name, uris] of [
      ['日'.repeat(60), many(10)],
      ['', long(3)],
    ] as const) {
      const answer = await clients.register({ client_name: name, redirect_uris: uris });
      if (!('registered' in answer)) throw new Error('The registration was refused.');
      const id = String(answer.registered['client_id']);
      expect(id.length).toBeLessThanOrEqual(limits.registeredIdCharsMax);
      const found = await clients.find(id, { mayFetch: false });
      expect(found).toMatchObject({ client: { id, name } });
      expect('client' in found && uris.every(found.client.allowsRedirect)).toBe(true);
    }
  });
});
