import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { clientDocuments } from '../../src/node/oauth/fetch-client-document.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { Clients } from '../../src/oauth/clients/clients.ts';
import { manualTimers } from '../support/manual-timers.ts';
import { memoryOAuthBook } from '../support/memory-oauth-book.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type OwnAuthority, ownAuthority } from './support/own-authority.ts';
import { startTlsHost, type TlsHost } from './support/tls-host.ts';

// The documents of clients, fetched over real TLS from a server on loopback. Only the look-up of names,
// the way to an address and the clock are the test's own.

const name = 'app.example';
const url = `https://${name}/oauth/client.json`;
const publicAddress = '93.184.216.34';
const good = JSON.stringify({
  client_id: url,
  client_name: 'App',
  redirect_uris: ['https://app.example/cb'],
});

let authority: OwnAuthority;
let host: TlsHost;
const ends: (() => void)[] = [];

beforeAll(async () => {
  authority = newAuthority();
  host = await startTlsHost(certificateFor([name, '*.evil.example']));
  ends.push(() => host.close());
});
afterAll(() => {
  for (const end of ends) end();
});

function newAuthority(): OwnAuthority {
  return ownAuthority(tempFolder({}, (end) => ends.push(end)));
}

function certificateFor(names: readonly string[], times: { readonly untilMs?: number } = {}) {
  return authority.certificate({ names: names.map((one) => `DNS:${one}`).join(), ...times });
}

/** A fetcher whose names have these addresses; a list for each look-up, the last one for the rest. */
function fetcher(
  answers: readonly (readonly string[])[] = [[publicAddress]],
  { to = host, ca = authority.root }: { readonly to?: TlsHost; readonly ca?: string } = {},
) {
  const looked: string[] = [];
  const connected: object[] = [];
  const timers = manualTimers();
  const documents = clientDocuments({
    ca,
    timers,
    ownAddresses: () => ['198.41.0.4', '2606:2800:220:1::1'],
    lookup: async (text) => {
      looked.push(text);
      return answers[Math.min(looked.length, answers.length) - 1] ?? [];
    },
    connect: (place) => {
      connected.push(place);
      return to.connect();
    },
  });
  return { documents, looked, connected, timers };
}

function say(head: string, body: string | Buffer = good): void {
  host.answer = (socket) => {
    socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
    socket.end(body);
  };
}

const json = '200 OK\r\nContent-Type: application/json';

describe('a document', () => {
  it.each<[string, string, object]>([
    ['in JSON', json, {}],
    ['with a charset', `${json}; charset=utf-8`, {}],
    ['of a JSON type', '200 OK\r\nContent-Type: application/vnd.x+json', {}],
    ['with its length', `${json}\r\nContent-Length: ${good.length}`, {}],
    ['for an hour', `${json}\r\nCache-Control: public, max-age=3600`, { maxAgeMs: 3_600_000 }],
    ['not to be kept', `${json}\r\nCache-Control: no-store, max-age=9`, { maxAgeMs: 0 }],
    ['with s-maxage alone', `${json}\r\nCache-Control: s-maxage=9`, {}],
    ['after an interim answer', `103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 ${json}`, {}],
  ])('is fetched %s', async (_, head, more) => {
    say(head);
    const { documents } = fetcher();
    expect(await documents.fetch(url)).toEqual({ json: JSON.parse(good), ...more });
  });

  it('may be as long as the limit', async () => {
    const text = JSON.stringify('x'.repeat(limits.clientDocumentBytesMax - 2));
    say(json, text);
    expect(await fetcher().documents.fetch(url)).toEqual({ json: JSON.parse(text) });
  });

  it('is asked for by name, at the address that was checked, without cookies', async () => {
    say(json);
    host.heads.length = 0;
    const { documents, looked, connected } = fetcher([[publicAddress, '2606:4700::1111']]);
    await documents.fetch(url);
    await documents.fetch(url);
    expect(looked).toEqual([name, name]);
    expect(connected[0]).toEqual({ addresses: [publicAddress, '2606:4700::1111'], port: 443 });
    expect(host.names.at(-1)).toBe(name);
    expect(host.heads.at(-1)?.toLowerCase().split('\r\n').sort()).toEqual(
      [
        'get /oauth/client.json http/1.1',
        `host: ${name}`,
        'accept: application/json',
        'accept-encoding: identity',
        'connection: close',
        '',
        '',
      ].sort(),
    );
  });

  it('is fetched over a proxy under no circumstances', async () => {
    say(json);
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((one) => process.env[one]);
    for (const one of names) process.env[one] = one.startsWith('NODE') ? '1' : 'http://127.0.0.1:1';
    try {
      expect(await fetcher().documents.fetch(url)).toHaveProperty('json');
    } finally {
      for (const [at, one] of names.entries()) {
        if (before[at] === undefined) delete process.env[one];
        else process.env[one] = before[at];
      }
    }
  });
});

describe('what is refused', () => {
  const long = 'x'.repeat(6 * 1024);
  it.each<[string, string, string | Buffer, RegExp]>([
    ['a redirect', '302 Found\r\nLocation: https://app.example/x', '', /status 302/],
    ['a permanent redirect', '308 Moved\r\nLocation: https://127.0.0.1/', '', /status 308/],
    ['404', '404 Not Found\r\nContent-Type: application/json', good, /status 404/],
    ['a challenge page', '403 Forbidden\r\nContent-Type: text/html', '<p>', /status 403/],
    ['204', '204 No Content', '', /status 204/],
    ['206', '206 Partial Content\r\nContent-Type: application/json', good, /status 206/],
    ['HTML', '200 OK\r\nContent-Type: text/html', good, /else than JSON/],
    ['text', '200 OK\r\nContent-Type: text/json', good, /else than JSON/],
    ['no type', '200 OK', good, /else than JSON/],
    ['a longer type', '200 OK\r\nContent-Type: application/jsonx', good, /else than JSON/],
    ['a coding', `${json}\r\nContent-Encoding: gzip`, Buffer.from([31, 139]), /else than JSON/],
    ['6 KiB', `${json}\r\nContent-Length: 6146`, JSON.stringify(long), /too long/],
    ['6 KiB without a length', json, JSON.stringify(long), /too long/],
    [
      '6 KiB in chunks',
      `${json}\r\nTransfer-Encoding: chunked`,
      `${`400\r\n${'x'.repeat(1_024)}\r\n`.repeat(6)}0\r\n\r\n`,
      /too long/,
    ],
    ['what is no JSON', json, '{', /not valid JSON/],
    ['nothing', json, '', /not valid JSON/],
    ['what is no UTF-8', json, Buffer.from([0x22, 0xff, 0x22]), /not valid JSON/],
    ['an answer that breaks off', `${json}\r\nContent-Length: 500`, good, /connection .* failed/],
    ['a long head', `${json}\r\nX: ${'x'.repeat(9_000)}`, good, /connection .* failed/],
    ['another protocol', '101 Switching\r\nUpgrade: x\r\nConnection: upgrade', '', /failed/],
  ])('%s', async (_, head, body, message) => {
    say(head, body);
    const { documents, connected } = fetcher();
    expect(await documents.fetch(url)).toEqual({ message: expect.stringMatching(message) });
    // No redirect was followed.
    expect(connected.length).toBe(1);
    await host.idle();
  });

  it.each<[string, TlsHost['answer'], RegExp]>([
    ['a host that hangs up', (socket) => socket.destroy(), /connection .* failed/],
    ['what is no HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), /connection .* failed/],
    [
      'an endless document',
      (socket) => {
        socket.write(`HTTP/1.1 ${json}\r\n\r\n`);
        const pour = (): void => {
          if (!socket.destroyed) socket.write('x'.repeat(1_024), () => setImmediate(pour));
        };
        pour();
      },
      /too long/,
    ],
  ])('%s', async (_, answer, message) => {
    host.answer = answer;
    expect(await fetcher().documents.fetch(url)).toEqual({
      message: expect.stringMatching(message),
    });
    await host.idle();
  });

  it.each(['http://app.example/x', 'https://app.example:8443/x', 'ftp://app.example/x', 'x'])(
    'the address %s, without a look-up',
    async (address) => {
      const { documents, looked } = fetcher();
      expect(await documents.fetch(address)).toHaveProperty('message');
      expect(looked).toEqual([]);
    },
  );
});

describe('certificates', () => {
  it.each<[string, () => Promise<ReturnType<typeof fetcher>>]>([
    [
      'of another name',
      async () => {
        const to = await startTlsHost(certificateFor(['other.example']));
        ends.push(() => to.close());
        return fetcher(undefined, { to });
      },
    ],
    [
      'that have ended',
      async () => {
        const to = await startTlsHost(certificateFor([name], { untilMs: -1_000 }));
        ends.push(() => to.close());
        return fetcher(undefined, { to });
      },
    ],
    [
      'of an authority that nobody knows',
      async () => fetcher(undefined, { ca: newAuthority().root }),
    ],
  ])('%s are refused, even where the environment forgives them', async (_, make) => {
    say(json);
    const { documents } = await make();
    const message = 'The certificate of its host is not valid.';
    expect(await documents.fetch(url)).toEqual({ message });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await documents.fetch(url)).toEqual({ message });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('addresses', () => {
  const refused = 'Its host is not on the public internet.';
  it.each<[string, readonly string[]]>([
    ['this machine', ['127.0.0.1']],
    ['this machine in IPv6', ['::1']],
    ['a private network', ['10.1.2.3']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a mapped public address', ['::ffff:93.184.216.34']],
    ['NAT64', ['64:ff9b::a9fe:a9fe']],
    ['an own public address', ['198.41.0.4']],
    ['an own public address in IPv6', ['2606:2800:220:1:0::1']],
    ['public and private', [publicAddress, '192.168.0.1']],
    ['private and public', ['fd00::1', publicAddress]],
  ])('%s: refused without a connection', async (_, addresses) => {
    const { documents, looked, connected } = fetcher([addresses]);
    expect(await documents.fetch(url)).toEqual({ message: refused });
    expect(looked).toEqual([name]);
    expect(connected).toEqual([]);
  });

  it('are looked up once: a name that changes meanwhile leads nowhere else', async () => {
    say(json);
    const { documents, looked, connected } = fetcher([[publicAddress], ['127.0.0.1']]);
    expect(await documents.fetch(url)).toHaveProperty('json');
    expect(looked.length).toBe(1);
    expect(connected).toEqual([{ addresses: [publicAddress], port: 443 }]);
    expect(await documents.fetch(url)).toEqual({ message: refused });
    expect(connected.length).toBe(1);
  });

  it('that are not found, or do not answer, are said so', async () => {
    expect(await fetcher([[]]).documents.fetch(url)).toEqual({
      message: 'Its host could not be found.',
    });
    const to = await startTlsHost(certificateFor([name]));
    to.close();
    expect(await fetcher(undefined, { to }).documents.fetch(url)).toEqual({
      message: 'The connection to its host failed.',
    });
    const documents = clientDocuments({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await documents.fetch(url)).toEqual({ message: 'Its host could not be found.' });
  });
});

describe('time', () => {
  const late = { message: 'Its host did not answer in time.' };

  it.each<[string, (socket: { write(text: string): unknown }) => void]>([
    ['silent', () => undefined],
    ['slow in its head', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-')],
    ['slow in its body', (socket) => socket.write(`HTTP/1.1 ${json}\r\n\r\n{"a":`)],
    ['busy with interim answers', (socket) => socket.write('HTTP/1.1 103 X\r\n\r\n')],
  ])('ends the wait for a host that is %s', async (_, answer) => {
    const { documents, timers } = fetcher();
    const arrived = new Promise<void>((resolve) => {
      host.answer = (socket) => {
        answer(socket);
        resolve();
      };
    });
    const fetched = documents.fetch(url);
    await arrived;
    timers.advance(limits.clientDocumentMs - 1);
    expect(await Promise.race([fetched, nextTurn()])).toBe('waits');
    timers.advance(1);
    expect(await fetched).toEqual(late);
    await host.idle();
  });

  it('ends the wait for a name', async () => {
    const timers = manualTimers();
    let found: (addresses: readonly string[]) => void = () => undefined;
    let connections = 0;
    const documents = clientDocuments({
      timers,
      lookup: () => new Promise((resolve) => (found = resolve)),
      connect: () => {
        connections += 1;
        return host.connect();
      },
    });
    const fetched = documents.fetch(url);
    timers.advance(limits.clientDocumentMs);
    expect(await fetched).toEqual(late);
    found([publicAddress]);
    await nextTurn();
    expect(connections).toBe(0);
  });

  async function nextTurn(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'waits';
  }
});

describe('a client with a document', () => {
  const found = async (text: string, id = url) => {
    say(json, text);
    const { documents, looked, connected } = fetcher();
    const book = memoryOAuthBook();
    const clients = new Clients({ book, crypto: nodeOAuthCrypto, documents, nowMs: () => 0 });
    const stranger = await clients.find(id, { mayFetch: false });
    expect(stranger).toMatchObject({ refused: 'sign-in-first' });
    expect([...looked, ...connected]).toEqual([]);
    return clients.find(id, { mayFetch: true });
  };

  it('is found, and not known', async () => {
    expect(await found(good)).toMatchObject({
      client: { id: url, name: 'App', kind: 'document', host: name },
    });
    const id = 'https://claude.ai.evil.example/oauth/mcp-oauth-client-metadata';
    const document = { ...JSON.parse(good), client_id: id, client_name: 'Claude' };
    say(json, JSON.stringify(document));
    const { documents } = fetcher(undefined, { to: await hostFor('claude.ai.evil.example') });
    const book = memoryOAuthBook();
    const clients = new Clients({ book, crypto: nodeOAuthCrypto, documents, nowMs: () => 0 });
    expect(await clients.find(id, { mayFetch: true })).toMatchObject({
      client: { kind: 'document', host: 'claude.ai.evil.example' },
    });
  });

  async function hostFor(one: string): Promise<TlsHost> {
    const to = await startTlsHost(certificateFor([one]));
    ends.push(() => to.close());
    to.answer = (socket) => host.answer(socket);
    return to;
  }

  it.each<[string, string, string]>([
    ['another client id', JSON.stringify({ ...JSON.parse(good), client_id: `${url}x` }), 'unknown'],
    ['a secret', JSON.stringify({ ...JSON.parse(good), client_secret: 'x' }), 'unknown'],
    [
      'client_secret_post alone',
      JSON.stringify({ ...JSON.parse(good), token_endpoint_auth_method: 'client_secret_post' }),
      'unknown',
    ],
    ['no JSON', '<html>', 'unavailable'],
    ['too much', JSON.stringify({ ...JSON.parse(good), x: 'x'.repeat(6_000) }), 'unavailable'],
  ])('is refused for %s', async (_, text, refused) => {
    expect(await found(text)).toEqual({
      refused,
      message: expect.stringMatching(/^What app\.example publishes .* could not be checked\. /),
    });
  });
});
