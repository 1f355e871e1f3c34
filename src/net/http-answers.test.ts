import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { events, later } from '../../test/support/event-streams.ts';
import { listenForTest, RawClient, type TestListener } from '../../test/support/raw-http.ts';

let listener: TestListener | undefined;
afterEach(() => listener?.close(0));

type Handle = (request: Request) => Response | Promise<Response>;

async function serve(
  handle: Handle,
  limits: Parameters<typeof listenForTest>[0] = {},
): Promise<TestListener> {
  listener = await listenForTest({
    ...limits,
    handler: { handle: async (request) => handle(request), ...limits.handler },
  });
  return listener;
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const close = 'Connection: close\r\n';

describe('an answer', () => {
  const rows: readonly [what: string, sent: string, answer: () => Response, received: RegExp][] = [
    [
      'has the status, headers and body of the door',
      get('/', close),
      () => new Response('hello', { status: 202, headers: { 'X-A': '1' } }),
      /^HTTP\/1\.1 202 .*\r\nx-a: 1\r\n.*\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/is,
    ],
    [
      'without a body says so',
      get('/', close),
      () => new Response(null, { status: 200 }),
      /\r\nContent-Length: 0\r\n\r\n$/,
    ],
    ['204 has none', get('/', close), () => new Response(null, { status: 204 }), /\r\n\r\n$/],
    ['304 has none', get('/', close), () => new Response(null, { status: 304 }), /\r\n\r\n$/],
    [
      'to HEAD has none',
      `HEAD / HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
      () => new Response('hello'),
      /^HTTP\/1\.1 200 .*\r\n\r\n$/is,
    ],
    [
      'in HTTP/1.0 ends with the connection',
      'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
      () => new Response('hello'),
      /\r\n\r\nhello$/,
    ],
    [
      'may have several cookies',
      get('/', close),
      () => {
        const answer = new Response('hello');
        answer.headers.append('set-cookie', 'a=1; Path=/');
        answer.headers.append('set-cookie', 'b=2; Path=/');
        return answer;
      },
      /\r\nset-cookie: a=1; Path=\/\r\nset-cookie: b=2; Path=\/\r\n/i,
    ],
    [
      'decides nothing about the connection',
      get('/', close),
      () => new Response('hello', { headers: { Connection: 'keep-alive', 'Content-Length': '2' } }),
      /\r\nConnection: close\r\n.*\r\n5\r\nhello\r\n0\r\n\r\n$/is,
    ],
  ];
  for (const [what, sent, answer, received] of rows) {
    it(what, async () => {
      const server = await serve(answer);
      const text = await new RawClient(server).send(sent).all();
      expect(text).toMatch(received);
      expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
      expect(text).not.toMatch(/node|\r\nserver:|x-powered-by/i);
      expect(text.match(/\r\nconnection:/gi)).toHaveLength(1);
    });
  }

  it('of a door that fails is a 500 without details, and the connection goes on', async () => {
    const server = await serve(({ url }) => {
      if (url.endsWith('/2')) return new Response('fine');
      throw new Error('secret');
    });
    const client = new RawClient(server).send(get('/1'));
    expect(await client.until(/\r\n0\r\n\r\n$/)).toMatch(/^HTTP\/1\.1 500 /);
    expect(await client.send(get('/2', close)).all()).toMatch(/fine/);
    expect(client.received).not.toMatch(/secret/);
    expect(server.log).toContain('error bug');
  });

  it('is a 500 when the guard fails: nobody comes in', async () => {
    const admit = (): never => {
      throw new Error('unreadable');
    };
    const server = await serve(() => new Response('in'), { handler: { admit } });
    expect(await new RawClient(server).send(get('/')).all()).toMatch(/^HTTP\/1\.1 500 /);
  });

  it('arrives piece by piece', async () => {
    const stream = events();
    const server = await serve(() => stream.response);
    const client = new RawClient(server).send(get('/'));
    // The head comes before there is anything to say.
    expect(await client.until(/\r\n\r\n/)).toMatch(/text\/event-stream/);
    stream.push('data: 1\n\n');
    await client.until(/data: 1\n\n/);
    stream.push('data: 2\n\n');
    await client.until(/data: 2\n\n/);
    stream.end();
    await client.until(/\r\n0\r\n\r\n$/);
  });

  it('whose body fails is cut off, never taken for whole', async () => {
    const stream = events();
    const server = await serve(() => stream.response);
    const client = new RawClient(server).send(get('/'));
    stream.push('data: 1\n\n');
    await client.until(/data: 1/);
    stream.fail();
    expect(await client.all()).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(server.log).toContain('error bug');
  });

  it('is not mixed with a refusal of what comes after its request', async () => {
    const stream = events();
    const server = await serve(() => stream.response);
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    client.send('no HTTP\r\n\r\n');
    expect(await client.all()).not.toMatch(/refused/);
    await stream.cancelled;
  });

  it('that is large arrives whole, whatever may wait for a client', async () => {
    const server = await serve(() => new Response('x'.repeat(5_000_000)), {
      limits: { httpUnreadBytesMax: 1_000 },
    });
    const client = new RawClient(server).send(get('/', close));
    client.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.socket.resume();
    expect((await client.all()).match(/x/g)?.length).toBeGreaterThanOrEqual(5_000_000);
  });
});

describe('a client that leaves', () => {
  it('before its answer aborts the signal of its request', async () => {
    const arrived = later<AbortSignal>();
    const answer = later<Response>();
    const server = await serve(({ signal }) => {
      arrived.settle(signal);
      return answer.promise;
    });
    const client = new RawClient(server).send(get('/'));
    const signal = await arrived.promise;
    expect(signal.aborted).toBe(false);
    client.leave();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    // An answer that nobody waits for any more is cancelled.
    const stream = events();
    answer.settle(stream.response);
    await stream.cancelled;
  });

  it('in the midst of its answer aborts the signal and cancels the body', async () => {
    const stream = events();
    const arrived = later<AbortSignal>();
    const server = await serve(({ signal }) => {
      arrived.settle(signal);
      return stream.response;
    });
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    client.leave();
    await stream.cancelled;
    expect((await arrived.promise).aborted).toBe(true);
  });

  it('after its answer aborts nothing', async () => {
    const signals: AbortSignal[] = [];
    const server = await serve(({ signal }) => {
      signals.push(signal);
      return new Response('fine');
    });
    const client = new RawClient(server).send(get('/'));
    await client.until(/fine\r\n0\r\n\r\n$/);
    client.leave();
    // Another answer, so that the server has seen the first client leave.
    await new RawClient(server).send(get('/', close)).all();
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
  });
});

describe('requests at once', () => {
  it('are limited; streams that only listen do not count', async () => {
    const answers = [later<Response>(), later<Response>()];
    const stream = events();
    const server = await serve(
      ({ url }) =>
        url.endsWith('/stream')
          ? stream.response
          : (answers[Number(url.at(-1))]?.promise ?? new Response('fine')),
      { limits: { httpRequestsMax: 2 } },
    );
    const listening = new RawClient(server).send(get('/stream'));
    await listening.until(/\r\n\r\n/);
    const first = new RawClient(server).send(get('/0'));
    const second = new RawClient(server).send(get('/1'));
    // Until both have arrived, another may find a place.
    await expect
      .poll(() => new RawClient(server).send(get('/other', close)).all(), {
        interval: 1,
        timeout: 10_000,
      })
      .toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n/is);
    for (const answer of answers) answer.settle(new Response('fine'));
    await Promise.all([first.until(/fine/), second.until(/fine/)]);
    expect(await new RawClient(server).send(get('/other', close)).all()).toMatch(/fine/);
  });

  it('that one client sends ahead do not come before those of others', async () => {
    const seen: string[] = [];
    const server = await serve(({ url }) => {
      seen.push(url.slice(-1));
      return new Response('fine');
    });
    const clients = [new RawClient(server), new RawClient(server)];
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
    clients[0]?.send(get('/a').repeat(5) + get('/a', close));
    clients[1]?.send(get('/b', close));
    await Promise.all(clients.map((client) => client.all()));
    expect(seen.join('')).toMatch(/^a*ba+$/);
  });

  it('on one connection wait for each other, and too many end it', async () => {
    const answer = later<Response>();
    const seen: string[] = [];
    const server = await serve(
      ({ url }) => {
        seen.push(url);
        return answer.promise;
      },
      { limits: { httpAheadMax: 2 } },
    );
    const client = new RawClient(server).send(get('/1') + get('/2') + get('/3') + get('/4'));
    expect(await client.all()).toBe('');
    expect(seen).toEqual(['http://a/1']);
  });
});

describe('closing', () => {
  it('answers what runs, then closes its connection and those that are idle', async () => {
    const answer = later<Response>();
    const arrived = later();
    const server = await serve(({ url }) => {
      if (url.endsWith('/idle')) return new Response('fine');
      arrived.settle();
      return answer.promise;
    });
    const idle = new RawClient(server).send(get('/idle'));
    await idle.until(/fine\r\n0\r\n\r\n$/);
    const silent = new RawClient(server);
    const half = new RawClient(server).send('GET / HT');
    const running = new RawClient(server).send(get('/run'));
    await arrived.promise;
    const closed = server.close(60_000);
    expect(server.close(0)).toBe(closed);
    await Promise.all([idle.ended, silent.ended, half.ended]);
    const late = new RawClient(server).send(get('/late'));
    expect([await late.ended, late.received]).toEqual(['reset', '']);
    answer.settle(new Response('at last'));
    expect(await running.all()).toMatch(/\r\nConnection: close\r\n.*at last\r\n0\r\n\r\n$/is);
    await closed;
  });

  it('serves nothing more on a connection that is in use', async () => {
    const answer = later<Response>();
    const arrived = later();
    const seen: string[] = [];
    const server = await serve(({ url }) => {
      seen.push(url);
      arrived.settle();
      return answer.promise;
    });
    const client = new RawClient(server).send(get('/1') + get('/2'));
    await arrived.promise;
    const closed = server.close(60_000);
    answer.settle(new Response('fine'));
    await closed;
    expect(await client.all()).toMatch(/fine/);
    expect(seen).toEqual(['http://a/1']);
  });

  it('lets a slow client read its answer to the end', async () => {
    const server = await serve(() => new Response('x'.repeat(20_000_000)));
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    client.socket.pause();
    const closed = server.close(60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.socket.resume();
    expect(await client.all()).toMatch(/x\r\n0\r\n\r\n$/);
    await closed;
  });

  it('waits for a stream until its door ends it', async () => {
    const stream = events();
    const server = await serve(() => stream.response);
    const client = new RawClient(server).send(get('/'));
    await client.until(/\r\n\r\n/);
    const closed = server.close(60_000);
    stream.push('data: bye\n\n');
    stream.end();
    expect(await client.all()).toMatch(/data: bye\n\n\r\n0\r\n\r\n$/);
    await closed;
  });

  it('cuts what takes too long, and tells those who work on it', async () => {
    const stream = events();
    const arrived = later<AbortSignal>();
    const server = await serve(({ url, signal }) => {
      if (url.endsWith('/stream')) return stream.response;
      arrived.settle(signal);
      return new Promise(() => undefined);
    });
    const listening = new RawClient(server).send(get('/stream'));
    await listening.until(/\r\n\r\n/);
    const stuck = new RawClient(server).send(get('/stuck'));
    const signal = await arrived.promise;
    await server.close(10);
    await Promise.all([stream.cancelled, listening.ended, stuck.ended]);
    expect(signal.aborted).toBe(true);
  });
});
