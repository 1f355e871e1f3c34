import { describe, expect, it } from 'vitest';
import { memoryDocuments } from '../../../test/support/memory-documents.ts';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import { limits } from '../../base/limits.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { Clients } from './clients.ts';
import { createClient } from './entered-clients.ts';

const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
const document = 'https://app.example/client.json';
const callback = 'https://app.example/cb';

async function setUp() {
  const time = { nowMs: 1_794_844_800_900 };
  const book = memoryOAuthBook();
  const documents = memoryDocuments();
  const parts = { book, crypto: nodeOAuthCrypto, nowMs: () => time.nowMs };
  const clients = new Clients({ ...parts, documents });
  const offline = new Clients(parts);
  const register = async (method: unknown): Promise<{ id: string; secret: string }> => {
    const answer = await clients.register({
      client_name: 'App',
      redirect_uris: [callback],
      token_endpoint_auth_method: method,
    });
    if (!('registered' in answer)) throw new Error('The registration was refused.');
    const { client_id: id, client_secret: secret } = answer.registered;
    return { id: String(id), secret: String(secret) };
  };
  const enter = (secret: boolean) =>
    createClient(book, nodeOAuthCrypto, {
      name: secret ? 'with secret' : 'public',
      redirectUris: [callback, 'http://localhost/cb'],
      secret,
      nowMs: 1,
    });
  return { time, book, documents, clients, offline, register, enter };
}

type ShownClient = Parameters<Clients['identify']>[0];

describe('Clients.find', () => {
  it('knows built-in clients without the network, also where nothing is fetched', async () => {
    const { clients, offline, documents } = await setUp();
    for (const mayFetch of [false, true]) {
      const found = { client: { name: 'Claude', kind: 'known', host: 'claude.ai' } };
      expect(await clients.find(claude, { mayFetch })).toMatchObject(found);
      expect(await offline.find(claude, { mayFetch })).toMatchObject(found);
    }
    expect(documents.fetched).toEqual([]);
  });

  it('fetches a document only after the owner has signed in, and then has it for all', async () => {
    const { clients, documents } = await setUp();
    documents.answer = async () => ({
      json: { client_id: document, client_name: 'App', redirect_uris: [callback] },
    });
    expect(await clients.find(document, { mayFetch: false })).toEqual({
      refused: 'sign-in-first',
      message: expect.stringContaining('app.example'),
    });
    expect(documents.fetched).toEqual([]);
    const found = { client: { kind: 'document', host: 'app.example', onlyRedirect: callback } };
    expect(await clients.find(document, { mayFetch: true })).toMatchObject(found);
    expect(await clients.find(document, { mayFetch: false })).toMatchObject(found);
    expect(documents.fetched).toEqual([document]);
  });

  it('fetches nothing for a thousand addresses of a stranger', async () => {
    const { clients, documents } = await setUp();
    for (let at = 0; at < 1_000; at++) {
      await clients.find(`https://app${at}.example/x`, { mayFetch: false });
    }
    expect(documents.fetched).toEqual([]);
  });

  it('says whether it helps to try again', async () => {
    const { clients, offline, documents } = await setUp();
    expect(await clients.find(document, { mayFetch: true })).toEqual({
      refused: 'unavailable',
      message:
        'What app.example publishes about the app could not be checked. ' +
        'Nothing is there. Try again in a minute.',
    });
    documents.answer = async () => ({ json: { client_id: claude, redirect_uris: [callback] } });
    expect(await clients.find(`${document}2`, { mayFetch: true })).toEqual({
      refused: 'unknown',
      message: expect.stringContaining('could not be checked'),
    });
    expect(await offline.find(document, { mayFetch: true })).toEqual({
      refused: 'unknown',
      message: expect.stringContaining('VAULTDOOR_OAUTH_FETCH'),
    });
  });

  it('finds clients that have registered, in every process with the same key', async () => {
    const { clients, offline, register, documents } = await setUp();
    const { id } = await register('none');
    for (const one of [clients, offline]) {
      const found = await one.find(id, { mayFetch: false });
      expect(found).toMatchObject({ client: { id, name: 'App', kind: 'registered' } });
      expect('client' in found && found.client.allowsRedirect(callback)).toBe(true);
      expect('client' in found && found.client.allowsRedirect(`${callback}/`)).toBe(false);
    }
    expect(documents.fetched).toEqual([]);
  });

  it('finds clients that were entered by hand', async () => {
    const { clients, enter } = await setUp();
    const { client } = await enter(false);
    const found = await clients.find(client.id, { mayFetch: false });
    expect(found).toMatchObject({ client: { id: client.id, name: 'public', kind: 'entered' } });
    expect(found).not.toHaveProperty('client.onlyRedirect');
    expect('client' in found && found.client.allowsRedirect('http://localhost:5/cb')).toBe(true);
  });

  it.each<[string, (id: string) => string]>([
    ['nothing', () => ''],
    ['a word', () => 'claude'],
    ['a name of the prototype', () => '__proto__'],
    ['the prefix alone', () => 'vdc_'],
    ['an id that is cut', (id) => id.slice(0, -1)],
    ['an id without signature', (id) => id.slice(0, id.indexOf('.'))],
    ['an id with an empty signature', (id) => id.slice(0, id.indexOf('.') + 1)],
    ['an id with more', (id) => `${id}x`],
    ['another signature', (id) => `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`],
    ['another body', (id) => `vdc_A${id.slice(5)}`],
    ['a body of one that forges', (id) => `vdc_${forgedBody}${id.slice(id.indexOf('.'))}`],
    ['another prefix', (id) => id.replace('vdc_', 'vde_')],
    ['signature that is not ASCII', (id) => `${id.slice(0, -1)}é`],
    ['a long id', () => `vdc_${'A'.repeat(1_000_000)}.${'A'.repeat(22)}`],
    ['an id in upper case', (id) => id.toUpperCase()],
    ['a plain http address', () => 'http://app.example/client.json'],
    ['an address without path', () => 'https://app.example/'],
    ['an address of this machine', () => 'https://127.0.0.1/client.json'],
  ])('does not know %s', async (_, change) => {
    const { clients, documents, register } = await setUp();
    const id = change((await register('none')).id);
    expect(await clients.find(id, { mayFetch: true })).toMatchObject({ refused: 'unknown' });
    expect(await clients.identify({ id })).toMatchObject({ refused: 'invalid_client' });
    expect(documents.fetched).toEqual([]);
  });

  it('does not know an id that was signed with another key', async () => {
    const { register } = await setUp();
    const { id } = await register('none');
    const book = memoryOAuthBook(new Uint8Array(32).fill(8));
    const others = new Clients({ book, crypto: nodeOAuthCrypto, nowMs: () => 0 });
    expect(await others.find(id, { mayFetch: false })).toMatchObject({ refused: 'unknown' });
  });

  it('fails when the book cannot be read', async () => {
    const fail = () => Promise.reject(new Error('damaged'));
    const book = { key: fail, clients: fail };
    const clients = new Clients({ book, crypto: nodeOAuthCrypto, nowMs: () => 0 });
    await expect(clients.find('vdc_x', { mayFetch: false })).rejects.toThrow('damaged');
    await expect(clients.identify({ id: 'vde_x' })).rejects.toThrow('damaged');
    await expect(clients.register({ redirect_uris: [callback] })).rejects.toThrow('damaged');
  });
});

const forgedBody = Buffer.from(
  JSON.stringify(['x', ['https://evil.example/'], 'none', 1]),
).toString('base64url');

describe('Clients.identify', () => {
  const basic = (text: string): string => Buffer.from(text).toString('base64');

  it('takes public clients without a secret, and ignores one', async () => {
    const { clients, offline, register, enter, documents } = await setUp();
    const ids = [
      claude,
      document,
      (await register('none')).id,
      (await register('private_key_jwt')).id,
      (await enter(false)).client.id,
    ];
    for (const id of ids) {
      const encoded = encodeURIComponent(id);
      const rows: readonly ShownClient[] = [
        { id },
        { id, secret: '' },
        { id, secret: 'anything' },
        { basic: basic(`${encoded}:`) },
        { basic: basic(`${encoded}:anything`) },
        { basic: basic(`${id}:`) },
        { id, basic: basic(`${encoded}:`) },
      ];
      for (const shown of rows) {
        expect(await clients.identify(shown)).toEqual({ id });
        expect(await offline.identify(shown)).toEqual({ id });
      }
    }
    expect(documents.fetched).toEqual([]);
  });

  it.each(['client_secret_basic', 'client_secret_post', undefined, null, 'entered'])(
    'wants the secret of a client with one: %s',
    async (method) => {
      const { clients, register, enter } = await setUp();
      const entered = method === 'entered' ? await enter(true) : undefined;
      const { id, secret } = entered
        ? { id: entered.client.id, secret: entered.secret ?? '' }
        : await register(method);
      const other = await register('client_secret_basic');
      const right: readonly ShownClient[] = [
        { id, secret },
        { basic: basic(`${id}:${secret}`) },
        { basic: basic(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`) },
        { basic: basic(`${percent(id)}:${percent(secret)}`) },
        { basic: basic(`${id}:${secret}`).replace(/=+$/, '') },
        { id, basic: basic(`${id}:${secret}`) },
      ];
      for (const shown of right) expect(await clients.identify(shown)).toEqual({ id });
      const wrong: readonly ShownClient[] = [
        { id },
        { id, secret: '' },
        { id, secret: 'wrong' },
        { id, secret: other.secret },
        { id, secret: `${secret}x` },
        { id, secret: secret.slice(0, -1) },
        { basic: basic(`${id}:`) },
        { basic: basic(`${id}:wrong`) },
        { basic: basic(id) },
        { basic: basic(`:${secret}`) },
        { basic: '' },
        { basic: '!' },
        { basic: basic('%:%') },
      ];
      for (const shown of wrong) {
        const usedBasic = shown.basic !== undefined;
        expect(await clients.identify(shown)).toEqual({ refused: 'invalid_client', usedBasic });
      }
    },
  );

  it('refuses two methods at once, and two ids', async () => {
    const { clients, register } = await setUp();
    const { id, secret } = await register('client_secret_basic');
    const other = (await register('none')).id;
    const refusal = { refused: 'invalid_request', usedBasic: true };
    const header = basic(`${id}:${secret}`);
    expect(await clients.identify({ id, secret, basic: header })).toEqual(refusal);
    expect(await clients.identify({ secret, basic: header })).toEqual(refusal);
    expect(await clients.identify({ id: other, basic: header })).toEqual(refusal);
  });

  it('refuses a request that names no client', async () => {
    const { clients } = await setUp();
    const refusal = { refused: 'invalid_client', usedBasic: false };
    expect(await clients.identify({})).toEqual(refusal);
    expect(await clients.identify({ secret: 'x' })).toEqual(refusal);
  });

  it('takes a secret of a client as it is where decoding would change it', async () => {
    const { clients, book } = await setUp();
    const raw = 'a+b%41';
    const secret = Buffer.from(nodeOAuthCrypto.sha256(raw)).toString('hex');
    await book.changeClients(() => ({
      keep: [{ id: 'vde_1', name: 'x', redirectUris: [callback], secret, createdMs: 1 }],
      answer: undefined,
    }));
    expect(await clients.identify({ basic: basic(`vde_1:${raw}`) })).toEqual({ id: 'vde_1' });
    expect(await clients.identify({ basic: basic('vde_1:a%2Bb%2541') })).toEqual({ id: 'vde_1' });
  });

  /** Every character in percent encoding, as some clients write all but letters. */
  function percent(text: string): string {
    return Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  }
});

describe('Clients.register: how many', () => {
  it('takes sixty in a minute, in all', async () => {
    const { time, clients } = await setUp();
    const body = { redirect_uris: [callback] };
    for (let at = 0; at < limits.registrationsMax; at++) {
      expect(await clients.register(body)).toHaveProperty('registered');
      time.nowMs += 500;
    }
    expect(await clients.register(body)).toEqual({ waitSeconds: 30 });
    time.nowMs += 29_999;
    expect(await clients.register(body)).toEqual({ waitSeconds: 1 });
    time.nowMs += 1;
    expect(await clients.register(body)).toHaveProperty('registered');
    expect(await clients.register(body)).toEqual({ waitSeconds: 1 });
    time.nowMs -= 3_600_000;
    expect(await clients.register(body)).toHaveProperty('registered');
  });
});
