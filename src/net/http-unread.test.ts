import { afterEach, describe, expect, it } from 'vitest';
import { events } from '../../test/support/event-streams.ts';
import { listenForTest, RawClient, type TestListener } from '../../test/support/raw-http.ts';
import { socketPair } from '../../test/support/socket-pair.ts';
import { limits } from '../base/limits.ts';
import { HttpConnection, type Shared } from './http-connection.ts';

let listener: TestListener | undefined;
afterEach(() => listener?.close(0));

type Handle = (request: Request) => Response | Promise<Response>;

async function serve(
  handle: Handle,
  options: Parameters<typeof listenForTest>[0] = {},
): Promise<TestListener> {
  listener = await listenForTest({
    ...options,
    handler: { handle: async (request) => handle(request), ...options.handler },
  });
  return listener;
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const close = 'Connection: close\r\n';
const isWindows = process.platform === 'win32';

/** What a connection needs of its listener to look whether its client reads. */
const shared = {
  limits,
  logger: { log: () => undefined },
  spare: new Set(),
} as unknown as Shared;

describe('a client that does not read', () => {
  const megabyte = 'x'.repeat(1_000_000);

  it('is cut off when too much waits for it, and others are not slowed', async () => {
    const stream = events();
    const server = await serve(
      ({ url }) => (url.endsWith('/stream') ? stream.response : new Response('fine')),
      { limits: { httpUnreadBytesMax: 1_000_000 } },
    );
    const client = new RawClient(server).send(get('/stream'));
    await client.until(/\r\n\r\n/);
    client.socket.pause();
    let isCancelled = false;
    void stream.cancelled.then(() => {
      isCancelled = true;
    });
    for (let count = 0; !isCancelled; count++) {
      // What systems hold for a socket is far from this.
      if (count > 500) throw new Error('It was never cut off.');
      stream.push(megabyte);
      expect(await new RawClient(server).send(get('/', close)).all()).toMatch(/fine/);
    }
  });

  it('is cut off when it has read nothing for a while', async () => {
    const stream = events();
    const server = await serve(() => stream.response, {
      limits: { httpUnreadMs: 50, httpLookMs: 10 },
    });
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    client.socket.pause();
    for (let count = 0; count < 15; count++) stream.push(megabyte);
    await stream.cancelled;
    expect(server.log).toContain('info http unread');
  });

  it('is cut off although its stream is kept alive', async () => {
    const stream = events();
    const server = await serve(() => stream.response, {
      limits: { httpUnreadMs: 200, httpLookMs: 10 },
    });
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    client.socket.pause();
    for (let count = 0; count < 15; count++) stream.push(megabyte);
    const keepAlive = setInterval(() => stream.push(': alive\n\n'), 20);
    await stream.cancelled;
    clearInterval(keepAlive);
    expect(server.log).toContain('info http unread');
  });

  it('is cut off when too much waits for all, and those who owe less are not', async () => {
    const [much, little] = [events(), events()];
    const server = await serve(
      ({ url }) => (url.endsWith('/much') ? much.response : little.response),
      { limits: { httpUnreadBytesMax: 1_000_000_000, httpUnreadAllBytesMax: 40_000_000 } },
    );
    const owing = new RawClient(server).send(get('/much'));
    const modest = new RawClient(server).send(get('/little', close));
    for (const client of [owing, modest]) {
      await client.until(/\r\n\r\n/);
      client.socket.pause();
    }
    for (let count = 0; count < 15; count++) little.push(megabyte);
    let isCut = false;
    void much.cancelled.then(() => {
      isCut = true;
    });
    for (let count = 0; !isCut; count++) {
      if (count > 500) throw new Error('It was never cut off.');
      much.push(megabyte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    little.end();
    modest.socket.resume();
    expect((await modest.all()).length).toBeGreaterThan(15_000_000);
  });

  it('is cut off after the time that it may take, and no sooner', async () => {
    const { server, client } = await socketPair();
    const connection = new HttpConnection(server, shared);
    client.pause();
    server.write(Buffer.alloc(20_000_000));
    // The client's system takes the first bytes by itself.
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.look(1_000);
    connection.look(999 + limits.httpUnreadMs);
    expect(server.destroyed).toBe(false);
    connection.look(1_000 + limits.httpUnreadMs);
    expect(server.destroyed).toBe(true);
  });

  // On Windows, Node says nothing about a write until all of it was taken (docs/windows.md).
  it.skipIf(isWindows)('is not cut off while it reads, however slowly', async () => {
    const { server, client } = await socketPair();
    const connection = new HttpConnection(server, shared);
    client.pause();
    server.write(Buffer.alloc(20_000_000));
    connection.look(0);
    client.on('data', () => client.bytesRead > 2_000_000 && client.pause());
    client.resume();
    await expect.poll(() => client.bytesRead, { timeout: 10_000 }).toBeGreaterThan(2_000_000);
    connection.look(limits.httpUnreadMs);
    connection.look(2 * limits.httpUnreadMs - 1);
    expect(server.destroyed).toBe(false);
    connection.look(2 * limits.httpUnreadMs);
    expect(server.destroyed).toBe(true);
  });

  it('is not cut off while nothing waits for it', async () => {
    const stream = events();
    const server = await serve(() => stream.response, {
      limits: { httpUnreadMs: 10, httpLookMs: 5 },
    });
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    stream.push('data: 1\n\n');
    expect(await client.until(/data: 1/)).toMatch(/^HTTP\/1.1 200 /);
    expect(server.log).not.toContain('info http unread');
  });
});
