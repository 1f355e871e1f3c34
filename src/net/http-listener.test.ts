import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { listenForTest, RawClient, type TestListener } from '../../test/support/raw-http.ts';
import { cannotListen } from './cannot-listen.ts';
import type { HttpHandler } from './http-handler.ts';
import { listenHttp } from './http-listener.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

let listener: TestListener | undefined;
afterEach(() => listener?.close(0));

async function listen(...[options]: Parameters<typeof listenForTest>): Promise<TestListener> {
  listener = await listenForTest(options);
  return listener;
}

/** The statuses of all answers on a connection, in order. */
function statuses(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d+) /g), (match) => Number(match[1]));
}

/** What the handler saw, and what was answered until the connection was closed. */
async function exchange(
  sent: string,
  ...[options]: Parameters<typeof listenForTest>
): Promise<{ seen: string[]; statuses: number[]; received: string }> {
  const seen: string[] = [];
  const handle: HttpHandler['handle'] = async (request) => {
    seen.push(`${request.method} ${request.url} ${await request.text()}`.trim());
    return new Response('fine');
  };
  const handler = { handle, ...options?.handler };
  const server = await listen({ ...options, handler });
  const received = await new RawClient(server).send(sent).all();
  return { seen, statuses: statuses(received), received };
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a:1\r\n${more}\r\n`;
const post = (more: string, body = ''): string =>
  `POST /m HTTP/1.1\r\nHost: a\r\n${more}\r\n${body}`;
const close = 'Connection: close\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';
const last = get('/last', close);

describe('what is served', () => {
  const rows: readonly [what: string, sent: string, seen: string[]][] = [
    ['a GET', get('/m?q=1', close), ['GET http://a:1/m?q=1']],
    ['a body', post(`${close}Content-Length: 5\r\n`, 'hello'), ['POST http://a/m hello']],
    [
      'chunks',
      post(close + chunked, '2\r\nhe\r\n3;x=1\r\nllo\r\n0\r\n\r\n'),
      ['POST http://a/m hello'],
    ],
    [
      'requests sent ahead, in order',
      get('/1') + post('Content-Length: 2\r\n', 'hi') + last,
      ['GET http://a:1/1', 'POST http://a/m hi', 'GET http://a:1/last'],
    ],
    [
      'the whole address as target',
      `GET http://A/x HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
      ['GET http://a/x'],
    ],
    ['a path that looks like a host', get('//evil.com/x', close), ['GET http://a:1//evil.com/x']],
    ['HTTP/1.0', 'GET /x HTTP/1.0\r\nHost: a\r\n\r\n', ['GET http://a/x']],
    [
      'more headers than Node counts',
      get('/x', `${'a:\r\n'.repeat(2_500)}${close}`),
      ['GET http://a:1/x'],
    ],
    [
      'an offer of HTTP/2, once',
      get('/x', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
      ['GET http://a:1/x'],
    ],
    [
      'such an offer with a body',
      post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n', 'hi') + last,
      ['POST http://a/m hi'],
    ],
  ];
  for (const [what, sent, seen] of rows) {
    it(what, async () => {
      const result = await exchange(sent);
      expect(result.seen).toEqual(seen);
      expect(result.statuses).toEqual(seen.map(() => 200));
    });
  }

  it('shows the door all headers, those of the same name together', async () => {
    let seen: Headers | undefined;
    const admit: HttpHandler['admit'] = ({ headers }) => {
      seen = headers;
      return new Response('', { status: 403 });
    };
    const many = 'a:\r\n'.repeat(2_000);
    await exchange(get('/', `Authorization: 1\r\n${many}authorization: 2\r\nVia: x\r\n`), {
      handler: { admit },
    });
    expect(seen?.get('authorization')).toBe('1, 2');
    expect(seen?.get('via')).toBe('x');
  });

  it.skipIf(!hasIpv6)('over IPv6, by the address of the peer', async () => {
    let address = '';
    const admit: HttpHandler['admit'] = (head) => {
      address = head.address;
      return new Response('', { status: 403 });
    };
    const server = await listen({ host: '::1', handler: { admit } });
    expect(server.host).toBe('::1');
    const request = `GET / HTTP/1.1\r\nHost: [::1]:${server.port}\r\n\r\n`;
    expect(statuses(await new RawClient(server).send(request).all())).toEqual([403]);
    expect(address).toBe('::1');
  });

  it.skipIf(!hasIpv6)('knows an IPv4 peer by its own address on an IPv6 socket', async () => {
    let address = '';
    const admit: HttpHandler['admit'] = (head) => {
      address = head.address;
      return new Response('', { status: 403 });
    };
    const { port } = await listen({ host: '::', handler: { admit } });
    await new RawClient({ host: '127.0.0.1', port }).send(get('/')).all();
    expect(address).toBe('127.0.0.1');
  });
});

describe('what is refused, with nothing after it served', () => {
  const hidden = `GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`;
  const rows: readonly [what: string, sent: string, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 400],
    ['two Hosts', get('/', 'Host: b\r\n'), 400],
    ['the same Host twice', get('/', 'hOsT: a:1\r\n'), 400],
    ['two Hosts far apart', get('/', `${'a:\r\n'.repeat(2_000)}Host: b\r\n`), 400],
    ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b?\r\n\r\n', 400],
    ['an address on another host', 'GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an address without a path', 'GET http://a?q HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an address with a user', 'GET http://a@b/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a port that is none', 'GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n', 400],
    ['no path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a folded header', get('/', 'X: a\r\n b\r\n'), 400],
    ['a space before the colon', get('/', 'X : a\r\n'), 400],
    ['lines without a return', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 40\r\n', hidden), 400],
    ['the same length twice', post('Content-Length: 0\r\nContent-Length: 0\r\n', hidden), 400],
    ['a length and chunks', post(`Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${hidden}`), 400],
    ['chunks and a length', post(`${chunked}Content-Length: 5\r\n`, `0\r\n\r\n${hidden}`), 400],
    ['chunks twice', post(chunked + chunked, `0\r\n\r\n${hidden}`), 400],
    ['another encoding', post('Transfer-Encoding: gzip\r\n', hidden), 400],
    [
      'another encoding and chunks',
      post('Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${hidden}`),
      501,
    ],
    ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\nHost: a\r\n${chunked}\r\n0\r\n\r\n`, 501],
    ['a GET with a body', get('/', 'Content-Length: 41\r\n') + hidden, 400],
    ['a GET with chunks', `${get('/', chunked)}0\r\n\r\n${hidden}`, 400],
    ['bad chunks', post(chunked, `zz\r\n${hidden}`), 400],
    ['huge headers', get('/', `X: ${'x'.repeat(20_000)}\r\n`), 431],
    ['huge trailers', post(chunked, `0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 431],
    ['huge chunk extensions', post(chunked, `1;${'x'.repeat(20_000)}\r\n`), 413],
    ['a huge target', get(`/${'x'.repeat(20_000)}`), 431],
    ['TRACE', `TRACE / HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`, 501],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n${hidden}`, 501],
    ['a WebSocket', `${get('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')}${hidden}`, 400],
    ['another expectation', post('Expect: tea\r\nContent-Length: 2\r\n', `hi${hidden}`), 417],
    ['a body that is announced too large', post('Content-Length: 1001\r\n', hidden), 413],
    [
      'chunks that become too large',
      post(chunked, `3e9\r\n${'x'.repeat(1_001)}\r\n0\r\n\r\n${hidden}`),
      413,
    ],
  ];
  for (const [what, sent, status] of rows) {
    it(`${what}: ${status}`, async () => {
      const result = await exchange(sent);
      expect([result.seen, result.statuses]).toEqual([[], [status]]);
      expect(result.received).toMatch(/\r\nconnection: close\r\n/i);
      expect(result.received).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
      expect(result.received).toMatch(/refused: [A-Z][^\n]*\.$/);
    });
  }

  it('whom the door does not admit, before its body', async () => {
    const admit: HttpHandler['admit'] = () =>
      new Response('who are you?', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    const result = await exchange(post('Content-Length: 500\r\n', `half of it`), {
      handler: { admit },
    });
    expect([result.seen, result.statuses]).toEqual([[], [401]]);
    expect(result.received).toMatch(/www-authenticate: Bearer\r\n/);
    expect(result.received).toMatch(/who are you\?$/);
  });

  it('a body that is expected, before it is asked for', async () => {
    const sent = post('Expect: 100-continue\r\nContent-Length: 5000\r\n');
    expect((await exchange(sent)).statuses).toEqual([413]);
  });

  it('the answer to HEAD without a body', async () => {
    const admit: HttpHandler['admit'] = () => new Response('who?', { status: 401 });
    const { received } = await exchange('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n', {
      handler: { admit },
    });
    expect(received).toMatch(/\r\n\r\n$/);
  });
});

describe('bodies', () => {
  it('are asked for once the door has admitted their client', async () => {
    const server = await listen();
    const client = new RawClient(server).send(
      post(`Expect: 100-continue\r\n${close}Content-Length: 5\r\n`),
    );
    expect(await client.until(/100 Continue/)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    expect(statuses(await client.send('hello').all())).toEqual([100, 200]);
  });

  const early: readonly [what: string, status: number, handler: Partial<HttpHandler>][] = [
    ['over the limit', 413, {}],
    ['of nobody who may come in', 401, { admit: () => new Response('who?', { status: 401 }) }],
  ];
  for (const [what, status, handler] of early) {
    it(`${what} get a ${status} that arrives, though the client sends all before it reads`, async () => {
      const client = new RawClient(await listen({ handler }));
      client.socket.pause();
      const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      client.send(post(chunked));
      for (let count = 0; count < 200; count++) {
        await new Promise((resolve) => client.socket.write(piece, 'latin1', resolve));
      }
      client.socket.resume();
      expect(statuses(await client.all())).toEqual([status]);
      expect(await client.ended).toBe('closed');
    });
  }

  it('that stop coming get a 408', async () => {
    const limits = { httpHeadMs: 20, httpRequestMs: 40, httpLookMs: 10 };
    const result = await exchange(post('Content-Length: 5\r\n', 'he'), { limits });
    expect([result.seen, result.statuses]).toEqual([[], [408]]);
  });

  it('that come after their 408 are not served', async () => {
    const seen: string[] = [];
    const handle = async (): Promise<Response> => {
      seen.push('served');
      return new Response();
    };
    const limits = { httpHeadMs: 20, httpRequestMs: 40, httpLookMs: 10 };
    const client = new RawClient(await listen({ handler: { handle }, limits }), {
      staysOpen: true,
    });
    await client.send(post('Content-Length: 5\r\n', 'he')).until(/ 408 /);
    client.send(`llo${last}`).socket.end();
    expect(statuses(await client.all())).toEqual([408]);
    expect(seen).toEqual([]);
  });

  it('cannot fill the memory together', async () => {
    const server = await listen({ limits: { httpBodiesBytesMax: 1_500 } });
    const first = new RawClient(server).send(post('Content-Length: 1000\r\n', 'x'.repeat(999)));
    const second = new RawClient(server).send(post('Content-Length: 1000\r\n', 'x'.repeat(999)));
    const refused = await Promise.race([first.all(), second.all()]);
    expect(statuses(refused)).toEqual([503]);
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
    const other = refused === first.received ? second : first;
    expect(await other.send('x').until(/ 200 /)).toMatch(/^HTTP\/1.1 200 /);
    // What they held is free again.
    const third = new RawClient(server).send(
      post(`${close}Content-Length: 1000\r\n`, 'x'.repeat(1_000)),
    );
    expect(statuses(await third.all())).toEqual([200]);
  });

  it('of clients that left are forgotten', async () => {
    const server = await listen({ limits: { httpBodiesBytesMax: 1_500 } });
    const left = new RawClient(server).send(post('Content-Length: 1000\r\n', 'x'.repeat(999)));
    await new RawClient(server).send(last).all();
    left.leave();
    const whole = post(`${close}Content-Length: 1000\r\n`, 'x'.repeat(1_000));
    // The server may hear of it a moment later.
    await expect
      .poll(async () => statuses(await new RawClient(server).send(whole).all()), {
        interval: 1,
        timeout: 10_000,
      })
      .toEqual([200]);
  });

  it('that end too early are not served', async () => {
    const server = await listen();
    const client = new RawClient(server).send(post('Content-Length: 5\r\n', 'he'));
    client.socket.end();
    expect(statuses(await client.all())).toEqual([400]);
  });
});

describe('a connection', () => {
  it('that breaks after its refusal ends nothing but itself', async () => {
    const server = await listen();
    for (const sent of ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 'hello\r\n\r\n']) {
      const client = new RawClient(server, { staysOpen: true }).send(sent);
      await client.until(/refused/);
      client.socket.resetAndDestroy();
    }
    expect(statuses(await new RawClient(server).send(last).all())).toEqual([200]);
  });
});

describe('heads', () => {
  it('that stop coming get a 408', async () => {
    const limits = { httpHeadMs: 20, httpRequestMs: 40, httpLookMs: 10 };
    const sent = 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ';
    expect((await exchange(sent, { limits })).statuses).toEqual([408]);
  });

  it('that never begin are no reason to keep a connection', async () => {
    const limits = { httpHeadMs: 20, httpRequestMs: 40, httpLookMs: 10 };
    expect((await exchange('', { limits })).seen).toEqual([]);
  });

  it('leave a connection open for the next, for a while', async () => {
    const server = await listen({ limits: { httpIdleMs: 500 } });
    const client = new RawClient(server).send(get('/1'));
    await client.until(/fine|http:\/\/a:1\/1/);
    client.send(get('/2'));
    expect(statuses(await client.all())).toEqual([200, 200]);
  });
});

describe('a listener that cannot listen', () => {
  const rows: readonly [code: string, says: RegExp][] = [
    ['EADDRINUSE', /^Port 80 of nas is in use.*--port/],
    ['EACCES', /may not listen on port 80.*--port/],
    ['EADDRNOTAVAIL', /no address "nas".*--host/],
    ['ENOTFOUND', /no address "nas".*--host/],
    ['ERR_SOCKET_BAD_PORT', /no port 80.*--port/],
    ['ENOBUFS', /port 80 of nas \(ENOBUFS\).*--host/],
  ];
  for (const [code, says] of rows) {
    it(`says what to do about ${code}`, () => {
      const cause = Object.assign(new Error('listen'), { code });
      const error = cannotListen(cause, { host: 'nas', port: 80 });
      expect([error.code, error.message]).toEqual(['unavailable', expect.stringMatching(says)]);
    });
  }

  it('says that the address belongs to another machine', async () => {
    const error = await failureOf(listen({ host: '203.0.113.7' }));
    expect(error.message).toMatch(/no address "203\.0\.113\.7"/);
  });

  it('says what to do about a port that is taken', async () => {
    const { port } = await listen();
    const handler: HttpHandler = {
      admit: () => new Response(),
      bodyBytesMax: () => 0,
      handle: async () => new Response(),
      refuse: () => new Response(),
    };
    const logger = { log: () => undefined };
    const error = await failureOf(listenHttp({ host: '127.0.0.1', port, handler, logger }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use.*--port/);
  });
});
