import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canFetch } from '../../../test/support/can-fetch.ts';
import { limits } from '../../base/limits.ts';
import { openHttpEmbedder } from './http-embedder.ts';

/** What the endpoint answers next, and what it was sent. */
let answer: (request: IncomingMessage, response: ServerResponse, input: readonly string[]) => void;
let asked: { url?: string | undefined; authorization?: string | undefined; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  asked.push({ url: request.url, authorization: request.headers.authorization, body });
  answer(request, response, (JSON.parse(body) as { input: string[] }).input);
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { signal } = new AbortController();
const json = (value: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.end(typeof value === 'string' ? value : JSON.stringify(value));
const rows = (...embeddings: unknown[]) =>
  json({ data: embeddings.map((embedding) => ({ embedding })) });

/** A test that asks the endpoint. */
const asking = it.runIf(canFetch);

function embed(
  texts: readonly string[],
  options: { api?: 'ollama'; timeMs?: number; key?: string } = {},
) {
  asked = [];
  const { api = 'openai', timeMs = 5_000, ...key } = options;
  return openHttpEmbedder({ url, model: 'm', api, ...key }).embed(texts, { signal, timeMs });
}

asking(
  'asks an endpoint as OpenAI documents it, and puts the answer into the order of the texts',
  async () => {
    answer = json({
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [1, 0] },
      ],
    });
    const vectors = await embed(['a', 'b'], { key: 'k-1' });
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 2],
    ]);
    expect(asked[0]).toMatchObject({ url: '/v1/embeddings', authorization: 'Bearer k-1' });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ model: 'm', input: ['a', 'b'] });
  },
);

asking('asks Ollama', async () => {
  answer = json({ embeddings: [[3, 4]] });
  expect(await embed(['a'], { api: 'ollama' })).toEqual([Float32Array.of(3, 4)]);
  expect(asked[0]).toEqual({
    url: '/api/embed',
    authorization: undefined,
    body: '{"model":"m","input":["a"]}',
  });
});

it.each([
  ['http://h', 'openai', 'http://h/v1/embeddings'],
  ['http://h/v1/', 'openai', 'http://h/v1/embeddings'],
  ['https://h/x/embeddings?v=1', 'openai', 'https://h/x/embeddings?v=1'],
  ['http://h:11434', 'ollama', 'http://h:11434/api/embed'],
] as const)('finds the API of %s', (given, api, expected) => {
  expect(openHttpEmbedder({ url: given, model: 'm', api }).model).toBe(`${expected} m`);
});

asking.each([
  ['too few vectors', rows([1, 2]), /1 vectors for 2 texts/],
  ['several lengths', rows([1, 2], [1]), /several lengths/],
  ['no numbers', rows([1, null], [1, 2]), /something else than numbers/],
  ['numbers that are too large', rows([1e300, 1], [1, 2]), /something else than numbers/],
  ['NaN, which is no JSON', json('{"data":[{"embedding":[NaN]}]}'), /did not answer with JSON/],
  ['empty vectors', rows([], []), /of 0 numbers/],
  ['zeros', rows([0, 0], [1, 2]), /zeros/],
  ['another shape', json({ vectors: [] }), /no vectors/],
  ['a page', json('<html>'), /JSON/],
] as const)('refuses an answer with %s', async (_, wrong, message) => {
  answer = wrong;
  await expect(embed(['a', 'b'])).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(message),
  });
});

asking.each([
  [500, 'unavailable'],
  [401, 'unavailable'],
  [429, 'unavailable'],
  [400, 'too_large'],
  [413, 'too_large'],
])('takes the status %s for %s', async (status, code) => {
  answer = (_, response) => void response.writeHead(status).end('{"key":"k-1"}');
  const failure = await embed(['a'], { key: 'k-1' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  expect(String(failure)).not.toContain('k-1');
});

asking('follows no redirect', async () => {
  answer = (_, response) => void response.writeHead(307, { location: `${url}/elsewhere` }).end();
  await expect(embed(['a'])).rejects.toThrow(/leads elsewhere/);
  expect(asked).toHaveLength(1);
});

asking(
  'gives up on an answer that is late, endless or cut off, and on a server that is gone',
  async () => {
    answer = () => undefined;
    await expect(embed(['a'], { timeMs: 50 })).rejects.toThrow(/in time/);
    let sent = 0;
    answer = (_, response) => {
      const more = (): void => {
        sent += 1 << 20;
        if (!response.destroyed) response.write('['.repeat(1 << 20), more);
      };
      more();
    };
    await expect(embed(['a'], { timeMs: 60_000 })).rejects.toThrow(/too many bytes/);
    expect(sent).toBeLessThan(3 * limits.embedAnswerBytesMax);
    answer = (_, response) => {
      response.write('{"data":');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(embed(['a'])).rejects.toMatchObject({ code: 'unavailable' });
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const gone = openHttpEmbedder({ url: `http://127.0.0.1:${port}`, model: 'm', api: 'openai' });
    await expect(gone.embed(['a'], { signal, timeMs: 5_000 })).rejects.toThrow(/ECONNREFUSED/);
  },
);

asking('ends its request when it is closed', async () => {
  answer = () => undefined;
  const embedder = openHttpEmbedder({ url, model: 'm', api: 'openai' });
  const waiting = embedder.embed(['a'], { signal, timeMs: 60_000 });
  await embedder.close();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});
