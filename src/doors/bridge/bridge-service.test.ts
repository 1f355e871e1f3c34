import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ManualTimers, manualTimers } from '../../../test/support/manual-timers.ts';
import { refusal, TinyBridge, text, tool } from '../../../test/support/tiny-bridge.ts';
import { allScopes, type Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { nodeTimers } from '../../node/node-ports.ts';
import { textsOf } from '../../tools/outcome.ts';
import type { Service } from '../../tools/service.ts';
import { type BridgeServiceParts, createBridgeService } from './bridge-service.ts';
import type { KeptText } from './remote-tools.ts';

const pollMs = 5_000;

function open(url: string, parts: Partial<BridgeServiceParts> = {}): Service {
  const logger = { log: () => undefined };
  const service = createBridgeService({ url, pollMs, logger, timers: nodeTimers, ...parts });
  onTestFinished(() => service.close());
  return service;
}

function caller(parts: Partial<Caller> = {}): Caller {
  const { signal } = new AbortController();
  return { door: 'mcp-stdio', scopes: allScopes, signal, deadlineMs: 30_000, ...parts };
}

const names = (service: Service): readonly string[] =>
  service.list(allScopes.effects).map(({ name }) => name);

async function said(service: Service, name = 'read_note', who = caller()): Promise<string> {
  const outcome = await service.call(name, {}, who);
  return `${outcome.ok ? 'ok' : outcome.error.code}: ${textsOf(outcome.content).join()}`;
}

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const bridge = await TinyBridge.start();
  await bridge.stop();
  return bridge.port;
}

describe('a call', () => {
  it('is posted with its arguments, and its content comes back', async () => {
    const bridge = await TinyBridge.start([tool('utils/hélper +&?#')]);
    const service = open(bridge.url);
    const args = { path: 'Ä.md', n: [1, null] };
    const outcome = await service.call('utils/hélper +&?#', args, caller({ client: 'cláude/1' }));
    expect(textsOf(outcome.content)).toEqual([`utils/hélper +&?# ${JSON.stringify(args)}`]);
    const [posted] = bridge.seen.filter(({ method }) => method === 'POST');
    expect(posted).toMatchObject({
      path: '/bridge/v1/tools/utils%2Fh%C3%A9lper%20%2B%26%3F%23/call',
      body: JSON.stringify({ arguments: args }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'cl?ude/1 vaultdoor-bridge',
        'content-length': String(Buffer.byteLength(JSON.stringify({ arguments: args }))),
        host: `127.0.0.1:${bridge.port}`,
      },
    });
    expect(posted?.headers.origin).toBeUndefined();
  });

  it('names one session, which is that of the process', async () => {
    const bridge = await TinyBridge.start();
    for (const service of [open(bridge.url), open(bridge.url)]) {
      await said(service);
      await said(service);
    }
    const posted = bridge.seen.filter(({ method }) => method === 'POST');
    const sessions = posted.map(({ headers }) => headers['x-vaultdoor-session']);
    expect(sessions[0]).toMatch(/^[\w-]{16,64}$/);
    expect([sessions[1] === sessions[0], sessions[2] === sessions[0]]).toEqual([true, false]);
    expect(sessions[3]).toBe(sessions[2]);
  });

  it('carries no key where there is none, and both headers where there is one', async () => {
    const bridge = await TinyBridge.start();
    await said(open(bridge.url));
    await said(open(bridge.url, { key: 'obsi_k' }));
    const posted = bridge.seen.filter(({ method }) => method === 'POST');
    const keys = posted.map(({ headers }) => [
      headers.authorization,
      headers['x-obsiscripta-api-key'],
    ]);
    expect(keys).toEqual([
      [undefined, undefined],
      ['Bearer obsi_k', 'obsi_k'],
    ]);
  });

  it('of more than 1 MiB is not sent', async () => {
    const bridge = await TinyBridge.start();
    const service = open(bridge.url);
    const call = (bytes: number) =>
      service.call('read_note', { text: 'x'.repeat(bytes) }, caller());
    const overhead = '{"arguments":{"text":""}}'.length;
    expect(await call(1_048_576 - overhead)).toMatchObject({ ok: true });
    expect(await call(1_048_577 - overhead)).toMatchObject({ error: { code: 'too_large' } });
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('with half a character in its name asks for no such tool', async () => {
    const bridge = await TinyBridge.start();
    const service = open(bridge.url);
    expect(await said(service, 'a\ud800')).toMatch(/^not_found: .*Tool not found/);
  });

  it('follows no redirect', async () => {
    const elsewhere = await TinyBridge.start();
    const bridge = await TinyBridge.start();
    const headers = { location: `${elsewhere.url}/bridge/v1/tools/read_note/call` };
    bridge.onCall = () => ({ status: 307, body: '', headers });
    expect(await said(open(bridge.url, { key: 'k' }))).toMatch(/^unavailable: .*Redirects are not/);
    expect(elsewhere.seen).toEqual([]);
  });

  it('is not answered with more than memory should hold', async () => {
    const bridge = await TinyBridge.start();
    bridge.onCall = () => ({ status: 200, body: Buffer.alloc(limits.bridgeAnswerBytesMax + 1) });
    const service = open(bridge.url);
    expect(await said(service)).toMatch(/^too_large: .*more than 32 MiB; ask for less/);
    bridge.onCall = () => text('next');
    expect(await said(service)).toBe('ok: next');
  });

  it('that takes too long ends, and the server is left', async () => {
    const bridge = await TinyBridge.start();
    let left = false;
    bridge.onCall = (_name, _args, request) =>
      new Promise(() => {
        request.socket.once('close', () => {
          left = true;
        });
      });
    const service = open(bridge.url);
    expect(await said(service, 'read_note', caller({ deadlineMs: 200 }))).toMatch(
      /^timeout: .* did not answer within 0.2 seconds. What was asked may still be done there/,
    );
    await expect.poll(() => left).toBe(true);
  });

  it('that is cancelled ends, and the server is left', async () => {
    const bridge = await TinyBridge.start();
    const cancelling = new AbortController();
    let left = false;
    bridge.onCall = (_name, _args, request) =>
      new Promise(() => {
        request.socket.once('close', () => {
          left = true;
        });
        cancelling.abort();
      });
    const { signal } = cancelling;
    expect(await said(open(bridge.url), 'read_note', caller({ signal }))).toMatch(/^cancelled: /);
    await expect.poll(() => left).toBe(true);
    expect(await said(open(bridge.url), 'read_note', caller({ signal }))).toMatch(/^cancelled: /);
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('says what to start when nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await said(open(url))).toBe(
      `unavailable: Nothing listens at ${url}. Start Obsidian with the plugin, or "vaultdoor serve --bridge --vault <folder>".`,
    );
  });

  it('says so when the connection breaks, and is not sent again', async () => {
    const bridge = await TinyBridge.start();
    bridge.onCall = (_name, _args, request) => {
      request.socket.destroy();
      return text('never');
    };
    expect(await said(open(bridge.url))).toMatch(
      /^unavailable: The connection to .* broke before the answer was there \(ECONNRESET\)/,
    );
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('says so when something else listens there', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    expect(await said(open(`http://127.0.0.1:${port}`))).toMatch(/does not speak HTTP \(HPE_/);
  });
});

describe('the list of tools', () => {
  /** A service at which nothing happens by itself. */
  function still(url: string, kept?: KeptText): [Service, ManualTimers, () => number] {
    const timers = manualTimers();
    let told = 0;
    const service = open(url, { timers, ...(kept === undefined ? {} : { kept }) });
    service.onToolsChanged?.(() => {
      told += 1;
    });
    return [service, timers, () => told];
  }

  it('is known once the server has told it, and that is no news', async () => {
    const bridge = await TinyBridge.start([tool('b'), tool('a')]);
    const [service, , told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(names(service)).toEqual(['b', 'a']);
    expect(told()).toBe(0);
    expect(service.list(['read'])[0]).toEqual(tool('b'));
  });

  it('is empty after a while when there is no server, and told when there is', async () => {
    const bridge = await TinyBridge.start();
    await bridge.stop();
    const [service, timers, told] = still(bridge.url);
    let isKnown = false;
    void service.toolsKnown?.().then(() => {
      isKnown = true;
    });
    await expect
      .poll(() => {
        timers.advance(100);
        return isKnown;
      })
      .toBe(true);
    expect(names(service)).toEqual([]);
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return names(service);
      })
      .toEqual(['read_note']);
    expect(told()).toBe(1);
  });

  it('is asked for again after a while, and told when it is another', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const [service, timers, told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(names(service)).toEqual(['a']);
    const polled = async (): Promise<void> => {
      const before = bridge.lists;
      await expect
        .poll(() => {
          timers.advance(pollMs);
          return bridge.lists;
        })
        .toBeGreaterThan(before);
    };
    await polled();
    expect(told()).toBe(0);
    bridge.tools = [tool('a', 'Other words')];
    await polled();
    await expect.poll(told).toBe(1);
    await polled();
    expect(told()).toBe(1);
  });

  it('is asked for once at a time, however slow it is', async () => {
    const bridge = await TinyBridge.start();
    const service = open(bridge.url);
    await service.toolsKnown?.();
    const before = bridge.lists;
    const answers = Array.from({ length: 50 }, () => service.has('new'));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([false]));
    expect(bridge.lists - before).toBeLessThanOrEqual(2);
  });

  it('is asked for when a tool is not in it', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const [service] = still(bridge.url);
    await service.toolsKnown?.();
    bridge.tools = [tool('a'), tool('new')];
    expect(await service.has('new')).toBe(true);
    expect(await service.has('newer')).toBe(false);
    const before = bridge.lists;
    expect(await service.has('a')).toBe(true);
    expect(bridge.lists).toBe(before);
  });

  it('is asked for when a tool of it is gone', async () => {
    const bridge = await TinyBridge.start([tool('a'), tool('b')]);
    const [service, , told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(names(service)).toEqual(['a', 'b']);
    bridge.tools = [tool('b')];
    expect(await said(service, 'a')).toMatch(/^not_found: .*Ask for the list of tools again/);
    await expect.poll(() => names(service)).toEqual(['b']);
    expect(told()).toBe(1);
  });

  it('rules nothing out while the server does not tell it', async () => {
    const [service] = still(`http://127.0.0.1:${await freePort()}`);
    expect(await service.has('anything')).toBe(true);
  });

  it('is kept, and shown before the server is there', async () => {
    let saved: string | undefined;
    const kept: KeptText = {
      load: async () => saved,
      save: async (text) => {
        saved = text;
      },
    };
    const bridge = await TinyBridge.start([tool('a')]);
    await still(bridge.url, kept)[0].toolsKnown?.();
    await bridge.stop();
    const [service, timers, told] = still(bridge.url, kept);
    await service.toolsKnown?.();
    expect(names(service)).toEqual(['a']);
    bridge.tools = [tool('b')];
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return names(service);
      })
      .toEqual(['b']);
    expect(told()).toBe(1);
    expect(saved).toContain('"b"');
  });

  it.each([
    ['unreadable', () => Promise.reject(new Error('disk'))],
    ['no JSON', async () => 'x'],
    ['no list', async () => '{}'],
  ])('that was kept and is %s counts as none', async (_what, load) => {
    const bridge = await TinyBridge.start([tool('a')]);
    const save = (): Promise<void> => Promise.reject(new Error('disk'));
    const [service] = still(bridge.url, { load, save });
    await service.toolsKnown?.();
    expect(names(service)).toEqual(['a']);
  });

  it('is not asked for any more where the key is refused, until a call goes through', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.instead = () => refusal(401, 'Unauthorized');
    const timers = manualTimers();
    const service = open(bridge.url, { timers, key: 'wrong' });
    await service.toolsKnown?.(); // Nobody waits for what will not come.
    timers.advance(60_000);
    expect(await said(service, 'a')).toMatch(/^forbidden: .*Check the key/);
    timers.advance(60_000);
    await expect.poll(() => bridge.seen.length).toBe(3); // A call that failed asks once more.
    expect(bridge.seen.every(({ headers }) => headers.authorization === 'Bearer wrong')).toBe(true);
    bridge.instead = () => undefined;
    expect(await said(service, 'a')).toBe('ok: a {}');
    await expect.poll(() => names(service)).toEqual(['a']);
    const before = bridge.lists;
    await expect
      .poll(() => {
        timers.advance(pollMs);
        return bridge.lists;
      })
      .toBeGreaterThan(before);
  });
});

describe('where the server tells news', () => {
  it('they are heard, and nothing is asked for meanwhile', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = open(bridge.url, { timers });
    await service.toolsKnown?.();
    await expect.poll(() => bridge.streams).toBe(1);
    await expect.poll(() => bridge.lists).toBe(2); // The first news is that there is a list.
    const unchanged = bridge.seen.at(-1)?.headers['if-none-match'];
    expect(unchanged).toMatch(/^"[\da-f]{64}"$/);
    timers.advance(pollMs);
    timers.advance(pollMs);
    bridge.change([tool('b')]);
    await expect.poll(() => names(service)).toEqual(['b']);
    expect(bridge.lists).toBe(3);
  });

  it('they are listened to again when the server was away', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = open(bridge.url, { timers });
    await expect.poll(() => bridge.streams).toBe(1);
    await bridge.stop();
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return bridge.streams;
      })
      .toBe(1);
    bridge.change([tool('b')]);
    await expect.poll(() => names(service)).toEqual(['b']);
  });

  it('a stream that says nothing at all is left, and the list asked for', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = open(bridge.url, { timers });
    await expect.poll(() => bridge.lists).toBe(2);
    bridge.tools = [tool('b')]; // Nobody is told.
    timers.advance(limits.bridgeQuietMs);
    await expect.poll(() => bridge.streams).toBe(0);
    await expect
      .poll(() => {
        timers.advance(pollMs);
        return names(service);
      })
      .toEqual(['b']);
  });
});
