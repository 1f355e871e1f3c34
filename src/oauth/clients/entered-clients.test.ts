import { describe, expect, it } from 'vitest';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import { limits } from '../../base/limits.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { createClient, revokeClient } from './entered-clients.ts';

const uris = ['https://app.example/cb'];

function setUp() {
  const book = memoryOAuthBook();
  const create = (name: string, redirectUris: readonly string[] = uris, secret = false) =>
    createClient(book, nodeOAuthCrypto, { name, redirectUris, secret, nowMs: 5 });
  return { book, create };
}

describe('createClient', () => {
  it('keeps a client, and only the hash of its secret', async () => {
    const { book, create } = setUp();
    const open = await create('open', [...uris, ...uris, 'http://localhost/x']);
    const closed = await create('closed', uris, true);
    expect(open).toEqual({
      client: {
        id: expect.stringMatching(/^vde_[0-9a-f]{16}$/),
        name: 'open',
        redirectUris: [...uris, 'http://localhost/x'],
        createdMs: 5,
      },
    });
    expect(closed.secret).toMatch(/^vds_[\w-]{43}$/);
    expect(closed.client.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await book.clients()).toEqual([open.client, closed.client]);
    expect(JSON.stringify(await book.clients())).not.toContain(closed.secret);
  });

  it.each<[string, string, readonly string[]]>([
    ['no name', '', uris],
    ['spaces as name', ' ', uris],
    ['a name with a line end', 'a\nb', uris],
    ['a name with bidi characters', 'a\u202eb', uris],
    ['a long name', 'x'.repeat(61), uris],
    ['no addresses', 'x', []],
    ['too many addresses', 'x', Array.from({ length: 11 }, (_, at) => `${uris}${at}`)],
    ['an address that is not allowed', 'x', [...uris, 'http://evil.example/']],
  ])('refuses %s', async (_, name, redirectUris) => {
    const { book, create } = setUp();
    await expect(create(name, redirectUris)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await book.clients()).toEqual([]);
  });

  it('refuses a name that is taken, and one client too many', async () => {
    const { book, create } = setUp();
    await create('a');
    await expect(create('a')).rejects.toMatchObject({ code: 'already_exists' });
    for (let at = 1; at < limits.enteredClientsMax; at++) await create(`a${at}`);
    await expect(create('b')).rejects.toMatchObject({ code: 'too_large' });
    expect((await book.clients()).length).toBe(limits.enteredClientsMax);
  });
});

describe('revokeClient', () => {
  it('removes a client by its id or its name', async () => {
    const { book, create } = setUp();
    const [a, b, c] = [await create('a'), await create('b'), await create('c')];
    expect(await revokeClient(book, 'a')).toEqual(a.client);
    expect(await revokeClient(book, b.client.id)).toEqual(b.client);
    expect(await book.clients()).toEqual([c.client]);
  });

  it('refuses what does not name exactly one', async () => {
    const { book, create } = setUp();
    const { client } = await create('a');
    await create(client.id);
    await expect(revokeClient(book, 'b')).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeClient(book, client.id)).rejects.toMatchObject({ code: 'ambiguous' });
    expect((await book.clients()).length).toBe(2);
  });
});
