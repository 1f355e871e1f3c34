import { afterEach, describe, expect, it } from 'vitest';
import { listenForTest, RawClient, type TestListener } from '../../test/support/raw-http.ts';

let listener: TestListener | undefined;
/** The paths of the requests whose heads have come. */
const asked: string[] = [];
afterEach(async () => {
  asked.length = 0;
  await listener?.close(0);
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (more: string): string => `POST / HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const answered = /\r\n0\r\n\r\n$/;

/** Listens for so many at once; `/run` is never answered. */
async function serve(httpConnectionsMax: number): Promise<TestListener> {
  listener = await listenForTest({
    limits: { httpConnectionsMax },
    handler: {
      handle: ({ url }) =>
        url.endsWith('/run') ? new Promise(() => undefined) : Promise.resolve(new Response('fine')),
      admit: ({ path, address }) => {
        asked.push(path);
        return path === '/no'
          ? new Response('no', { status: 401 })
          : { scopes: { effects: [], folders: [], hide: [] }, address };
      },
    },
  });
  return listener;
}

async function served(client: RawClient): Promise<RawClient> {
  await client.send(get('/')).until(answered);
  return client;
}

describe('connections at the limit', () => {
  it('give way to a new one, the longest idle first', async () => {
    const server = await serve(2);
    const first = await served(new RawClient(server));
    const second = await served(new RawClient(server));
    first.received = '';
    await served(first);
    await served(new RawClient(server));
    await second.ended;
    expect(first.socket.destroyed).toBe(false);
  });

  it('give way when they never asked for anything, or were refused', async () => {
    const server = await serve(1);
    const silent = new RawClient(server);
    const refused = new RawClient(server, { staysOpen: true }).send(get('/no'));
    await silent.ended;
    expect(await refused.until(/no$/)).toContain('401');
    await served(new RawClient(server));
    refused.leave();
  });

  it('stay when something is under way on each', async () => {
    const server = await serve(1);
    const running = new RawClient(server).send(get('/run'));
    await expect.poll(() => asked).toEqual(['/run']);
    const late = new RawClient(server).send(get('/'));
    await late.ended;
    expect([late.received, running.socket.destroyed]).toEqual(['', false]);
  });
});

describe('a request that is still coming', () => {
  it('does not hold up a server that closes, and is told so', async () => {
    const server = await serve(10);
    const stalled = new RawClient(server, { staysOpen: true });
    stalled.send(`${post('Content-Length: 9\r\n')}half`);
    await expect.poll(() => asked).toEqual(['/']);
    const startMs = Date.now();
    await server.close(60_000);
    expect(Date.now() - startMs).toBeLessThan(5_000);
    expect(await stalled.until(/stopping/)).toMatch(/^HTTP\/1\.1 503 /);
    stalled.leave();
  });

  it('in chunks is refused at once where no body is taken', async () => {
    listener = await listenForTest({ handler: { bodyBytesMax: () => 0 } });
    const client = new RawClient(listener).send(post('Transfer-Encoding: chunked\r\n'));
    expect(await client.until(/one\.$/)).toMatch(/^HTTP\/1\.1 413 /);
    client.leave();
  });
});
