import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { socketPair } from '../../../test/support/socket-pair.ts';
import { legacyHello, type WireMessage } from '../../../test/support/stdio-process.ts';
import { WaitingTools } from '../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { readFirstLine } from '../../node/server/local-socket.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { openStderrLogger } from '../../node/system/stderr-logger.ts';
import { createService } from '../../tools/service/service.ts';
import { AttachedClients } from './attached-clients.ts';
import { relayStdio } from './relay-stdio.ts';

type RelayEnd = Awaited<ReturnType<typeof relayStdio>>;

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const greeting = request(1, 'initialize', legacyHello);
const waitCall = (id: number): string => request(id, 'tools/call', { name: 'wait', arguments: {} });
const exit = '{"jsonrpc":"2.0","method":"exit"}\n';
const waited = { content: [{ type: 'text', text: '"waited"' }] };

/** A server whose tools wait, and who is refused or let in. */
async function startServer() {
  const { whole } = await openWrittenVault({ 'A.md': 'a' });
  const tools = new WaitingTools();
  const stopping = new AbortController();
  const service = createService(whole, [tools.toolset], nodeTimers);
  const released = vi.fn();
  let log = '';
  const write = (line: string): void => {
    log += line;
  };
  const clients = new AttachedClients({
    admission: {
      admit: async (line) => {
        if (line !== 'please') throw new VaultError('unavailable', 'Ask nicely.');
        return { service, scopes: allScopes, deadlineMs: () => 60_000, release: released };
      },
    },
    logger: openStderrLogger({ stream: { write }, level: 'debug', nowMs: Date.now }),
    version: '1.2.3',
    signal: stopping.signal,
  });
  onTestFinished(async () => {
    tools.release();
    stopping.abort();
    await clients.close();
  });
  return { tools, stopping, clients, released, log: () => log };
}

/** A client that was let in, behind a relay. */
async function attach({ clients }: { readonly clients: AttachedClients }) {
  const { server, client } = await socketPair();
  clients.add(server);
  client.write('please\n');
  const line = await readFirstLine(client, { bytesMax: 1_000, waitMs: 10_000 });
  expect(JSON.parse(line ?? '')).toEqual({ ok: true, pid: process.pid });
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const leaving = new AbortController();
  const { signal } = leaving;
  const end = relayStdio({ input, output, socket: client, signal, lastAnswersMs: 20_000 });
  const messages = (): WireMessage[] =>
    text.split('\n').flatMap((each) => (each ? [JSON.parse(each) as WireMessage] : []));
  return { input, output, client, leaving, end, messages };
}

describe('a client behind a relay', () => {
  it.each<[string, (client: Awaited<ReturnType<typeof attach>>) => void]>([
    ['the end of its input', ({ input }) => input.end()],
    ['exit', ({ input }) => input.write(exit)],
    ['exit, and more that nobody reads', ({ input }) => input.write(exit + '{}\n'.repeat(100_000))],
    ['a signal', ({ leaving }) => leaving.abort()],
    ['an input that breaks', ({ input }) => input.destroy(new Error('broken'))],
  ])('is answered everything after %s', async (_way, leave) => {
    const server = await startServer();
    const client = await attach(server);
    client.input.write(greeting + waitCall(2) + waitCall(3));
    await server.tools.untilRunning(2);
    leave(client);
    server.tools.release();
    expect(await client.end).toBe<RelayEnd>('answered');
    expect(client.messages()).toMatchObject([
      { id: 1, result: { serverInfo: { version: '1.2.3' } } },
      { id: 2, result: waited },
      { id: 3, result: waited },
    ]);
    await vi.waitFor(() => expect(server.released).toHaveBeenCalledOnce());
  });

  it('is one of many, and none hears of the others', async () => {
    const server = await startServer();
    const all = await Promise.all(Array.from({ length: 20 }, () => attach(server)));
    for (const [n, { input }] of all.entries()) input.write(greeting + waitCall(100 + n));
    await server.tools.untilRunning(20);
    const connections = server.tools.callers.map(({ connection }) => connection);
    expect(new Set(connections).size).toBe(20);
    server.tools.release();
    for (const { input } of all) input.end();
    for (const [n, client] of all.entries()) {
      expect(await client.end).toBe<RelayEnd>('answered');
      expect(client.messages().map(({ id }) => id)).toEqual([1, 100 + n]);
    }
  });

  it('carries more than a pipe holds, both ways', async () => {
    const server = await startServer();
    const client = await attach(server);
    const lines = Array.from({ length: 3_000 }, (_, n) => request(n + 2, 'ping'));
    client.input.end(greeting + lines.join(''));
    expect(await client.end).toBe<RelayEnd>('answered');
    expect(new Set(client.messages().map(({ id }) => id)).size).toBe(3_001);
  });

  it('learns that the server was stopped, after what ran is answered', async () => {
    const server = await startServer();
    const client = await attach(server);
    client.input.write(greeting + waitCall(2));
    await server.tools.untilRunning(1);
    server.stopping.abort();
    server.tools.release();
    expect(await client.end).toBe<RelayEnd>('server gone');
    expect(client.messages()).toMatchObject([{ id: 1 }, { id: 2, result: waited }]);
  });

  it.each<[string, boolean]>([
    ['while it waits', false],
    ['after it has said all', true],
  ])('learns that the server died %s', async (_when, hasEnded) => {
    const { server, client } = await socketPair();
    const input = new PassThrough();
    const { signal } = new AbortController();
    const output = new PassThrough();
    const end = relayStdio({ input, output, socket: client, signal, lastAnswersMs: 20_000 });
    input.write('ask\n');
    if (hasEnded) input.end();
    await readFirstLine(server, { bytesMax: 100, waitMs: 10_000 });
    server.destroy();
    expect(await end).toBe<RelayEnd>('server gone');
  });

  it('does not wait for ever for the last answers', async () => {
    const { client } = await socketPair();
    const input = new PassThrough().end();
    const { signal } = new AbortController();
    const output = new PassThrough();
    const end = relayStdio({ input, output, socket: client, signal, lastAnswersMs: 50 });
    expect(await end).toBe<RelayEnd>('server gone');
  });

  it('that no longer reads is let go', async () => {
    const server = await startServer();
    const { server: socket, client } = await socketPair();
    server.clients.add(socket);
    client.write('please\n');
    await readFirstLine(client, { bytesMax: 1_000, waitMs: 10_000 });
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const { signal } = new AbortController();
    const end = relayStdio({ input, output, socket: client, signal, lastAnswersMs: 20_000 });
    input.write(greeting);
    expect(await end).toBe<RelayEnd>('client gone');
    await vi.waitFor(() => expect(server.released).toHaveBeenCalledOnce());
  });
});

describe('at the socket of a server', () => {
  it('who is refused is told why', async () => {
    const server = await startServer();
    const { server: socket, client } = await socketPair();
    server.clients.add(socket);
    client.write('let me in\n');
    const line = await readFirstLine(client, { bytesMax: 1_000, waitMs: 10_000 });
    expect(JSON.parse(line ?? '')).toEqual({ ok: false, reason: 'Ask nicely.' });
    expect(server.log()).toContain('not-attached reason="Ask nicely."');
    expect(server.log()).not.toContain('let me in');
  });

  it('who comes when it stops is told so', async () => {
    const server = await startServer();
    server.stopping.abort();
    const { server: socket, client } = await socketPair();
    server.clients.add(socket);
    client.write('please\n');
    const line = await readFirstLine(client, { bytesMax: 1_000, waitMs: 10_000 });
    expect(JSON.parse(line ?? '')).toMatchObject({ ok: false });
  });

  it('who says nothing does not keep it from stopping', async () => {
    const server = await startServer();
    const { server: socket, client } = await socketPair();
    server.clients.add(socket);
    await server.clients.close();
    expect(await readFirstLine(client, { bytesMax: 1_000, waitMs: 10_000 })).toBeUndefined();
    const late = await socketPair();
    server.clients.add(late.server);
    expect(await readFirstLine(late.client, { bytesMax: 9, waitMs: 10_000 })).toBeUndefined();
  });
});
