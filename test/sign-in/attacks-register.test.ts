import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { TestBrowser } from '../support/sign-in-door.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';

const minuteMs = 60_000;

describe('registering', () => {
  const file = (server: SignInServer): string =>
    join(server.env['XDG_STATE_HOME'] ?? '', 'vaultdoor', 'oauth.json');

  it('46: of a flood, sixty a minute are served, and nothing is written', async () => {
    const server = await SignInServer.start();
    const redirect_uris = ['https://a.example/callback'];
    const ask = () => server.postJson('/register', { redirect_uris });
    const first = await ask();
    expect(first.status).toBe(201);
    const before = statSync(file(server), { bigint: true });
    const answers = await Promise.all(Array.from({ length: 99 }, ask));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.lastIndexOf(201)).toBe(limits.registrationsMax - 2);
    const late = answers.find(({ status }) => status === 429);
    expect(late?.headers.get('retry-after')).toBe('60');
    expect(await late?.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many clients register at once. Try again later.',
    });
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    server.pass(minuteMs);
    expect((await ask()).status).toBe(201);
    const after = statSync(file(server), { bigint: true });
    expect([after.mtimeNs, after.size, after.ino]).toEqual([
      before.mtimeNs,
      before.size,
      before.ino,
    ]);
    expect([await server.grants(), await server.books.oauth.clients()]).toEqual([[], []]);
    // Who registered before the flood is still known.
    const { client_id } = (await first.json()) as { readonly client_id: string };
    const begun = await new TestBrowser(server).begin({
      client_id,
      redirect_uri: redirect_uris[0],
    });
    expect(begun).toMatch(/^\/authorize\/[\w-]{22}$/);
  });

  const uri = 'https://a.example/callback';
  const rows: readonly (readonly [string, unknown, number, string])[] = [
    [
      'a body of 1 MB',
      JSON.stringify({ client_name: 'x'.repeat(1_000_000) }),
      413,
      'invalid_request',
    ],
    ['one byte more than 16 KiB', ' '.repeat(16 * 1024 + 1), 413, 'invalid_request'],
    ['deep JSON', `${'['.repeat(8_000)}${']'.repeat(8_000)}`, 400, 'invalid_client_metadata'],
    [
      'deep members',
      `{"redirect_uris":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
      400,
      'invalid_client_metadata',
    ],
    [
      '1,000 addresses',
      { redirect_uris: Array.from({ length: 1_000 }, (_, at) => `a.b:/${at}`) },
      400,
      'invalid_client_metadata',
    ],
    [
      '11 addresses',
      { redirect_uris: Array.from({ length: 11 }, (_, at) => `${uri}/${at}`) },
      400,
      'invalid_client_metadata',
    ],
    [
      'addresses that are too long together',
      { redirect_uris: Array.from({ length: 9 }, (_, at) => `${uri}/${'x'.repeat(200)}${at}`) },
      400,
      'invalid_client_metadata',
    ],
    [
      '__proto__',
      '{"__proto__":{"redirect_uris":["https://a.example/callback"]}}',
      400,
      'invalid_redirect_uri',
    ],
    ['constructor', '{"constructor":{"prototype":{"x":1}}}', 400, 'invalid_redirect_uri'],
    [
      'toString as a list',
      '{"redirect_uris":{"length":1,"0":"https://a.example/"}}',
      400,
      'invalid_redirect_uri',
    ],
    [
      'a name that is a list',
      { redirect_uris: [uri], client_name: ['x'] },
      400,
      'invalid_client_metadata',
    ],
    ['no JSON', 'client_name=x', 400, 'invalid_client_metadata'],
    ['a list', [uri], 400, 'invalid_client_metadata'],
    ['null', 'null', 400, 'invalid_client_metadata'],
  ];
  const shared = sharedServer();
  it.each(rows)('46: %s is refused, and nothing is kept', async (_, body, status, error) => {
    const server = shared();
    const response = await server.postJson('/register', body);
    const json = (await response.json()) as Readonly<Record<string, unknown>>;
    expect([response.status, json['error'], Object.keys(json)]).toEqual([
      status,
      error,
      ['error', 'error_description'],
    ]);
    expect(await server.books.oauth.clients()).toEqual([]);
    expect(({} as Record<string, unknown>)['redirect_uris']).toBeUndefined();
  });
});
