import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { legacyHello, modernMeta } from '../../../../test/support/stdio-process.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { limits } from '../../../base/limits.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';
import type { serveMcpStdio } from './serve-mcp-stdio.ts';

type McpStdioParts = Parameters<typeof serveMcpStdio>[0];

/** The door over a small vault, with tools that wait. */
async function open(parts: Partial<McpStdioParts> = {}): Promise<[McpWire, WaitingTools]> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const tools = new WaitingTools();
  return [new McpWire(createService(whole, [tools.toolset], nodeTimers), parts), tools];
}

const waitCall = (id: number | string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait', arguments: args },
});

describe('a client of the 2025 era', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is greeted in its version, %s',
    async (protocolVersion) => {
      const [wire] = await open();
      const { result } = await wire.request('initialize', { ...legacyHello, protocolVersion });
      expect(result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'vaultdoor', version: '1.2.3' },
        instructions: expect.stringContaining('The vault is "test"'),
      });
      await wire.end();
    },
  );

  it.each(['tools/list', 'tools/call', 'resources/list', 'prompts/get', 'completion/complete'])(
    'is told to shake hands before %s',
    async (method) => {
      const [wire] = await open();
      const { error } = await wire.request(method, { name: 'wait' });
      expect(error).toMatchObject({ code: -32600 });
      expect(error?.message).toContain('"initialize"');
      await wire.end();
    },
  );

  it('may ping before, and asks in vain for what there is not', async () => {
    const [wire] = await open();
    expect((await wire.request('ping')).result).toEqual({});
    expect((await wire.request('shutdown')).error?.code).toBe(-32601);
    await wire.end();
  });

  it('may send everything at once, and is answered all of it before the end', async () => {
    const [wire, tools] = await open();
    wire.send(
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      waitCall(3),
    );
    wire.input.end(JSON.stringify(waitCall(4))); // The last line has no end.
    await tools.untilRunning(2);
    tools.release();
    await wire.served;
    expect(wire.messages.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
  });
});

describe('a client of the 2026 era', () => {
  it('needs no handshake', async () => {
    const [wire] = await open();
    const { result } = await wire.modern('tools/list');
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    const discovered = await wire.modern('server/discover');
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    await wire.end();
  });

  it('is known by the name it gives', async () => {
    const [wire, tools] = await open();
    const answer = wire.modern('tools/call', { name: 'wait' });
    await tools.untilRunning(1);
    tools.release();
    await answer;
    expect(tools.callers[0]).toMatchObject({ door: 'mcp-stdio', client: 'test/1.0.0' });
    expect(tools.callers[0]?.connection).toMatch(/^[0-9a-f]{16}$/);
    await wire.end();
  });
});

describe('tools', () => {
  it('are listed with what they do', async () => {
    const [wire] = await open();
    await wire.initialize();
    const { result } = await wire.request('tools/list');
    expect(result?.['tools']).toMatchObject([
      {
        name: 'wait',
        title: 'Wait',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      { name: 'agree' },
      { name: 'count' },
    ]);
    await wire.end();
  });

  it('that there are not, are an error of the protocol; what fails is a result', async () => {
    const [wire] = await open();
    await wire.initialize();
    expect((await wire.call('frob')).error).toMatchObject({ code: -32602 });
    expect((await wire.request('tools/call', { name: 5 })).error).toMatchObject({ code: -32602 });
    const { result } = await wire.call('agree', {});
    expect(result).toMatchObject({ isError: true });
    await wire.end();
  });

  it('tell how far they are to whoever asks', async () => {
    const [wire] = await open();
    await wire.initialize();
    await wire.request('tools/call', { name: 'count', _meta: { progressToken: 7 } });
    await wire.call('count');
    expect(wire.messages.filter(({ method }) => method !== undefined)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 7, progress: 1, total: 2, message: 'one' },
      },
    ]);
    await wire.end();
  });

  it('that are cancelled are told so, and not answered', async () => {
    const [wire, tools] = await open();
    await wire.initialize();
    wire.send(waitCall(9));
    await tools.untilRunning(1);
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } });
    const messages = await wire.end(); // Does not wait for it.
    expect(messages.some(({ id }) => id === 9)).toBe(false);
    expect(tools.callers[0]?.signal.aborted).toBe(true);
  });
});

describe('the end', () => {
  it.each(['exit', 'notifications/exit'])('comes with %s, after what runs', async (method) => {
    const [wire, tools] = await open();
    await wire.initialize();
    wire.send(waitCall(9), { jsonrpc: '2.0', method }, waitCall(10));
    await tools.untilRunning(1);
    tools.release();
    await wire.served;
    expect(wire.messages.filter(({ id }) => typeof id === 'number')).toMatchObject([
      { id: 9, result: { content: [{ text: '"waited"' }] } },
    ]);
  });

  it('comes with a signal, after what runs', async () => {
    const [wire, tools] = await open();
    await wire.initialize();
    wire.send(waitCall(9));
    await tools.untilRunning(1);
    wire.leaving.abort();
    tools.release();
    await wire.served;
    expect(wire.messages.at(-1)).toMatchObject({ id: 9, result: { content: [{}] } });
  });

  it('waits for both of two requests with the same id', async () => {
    const [wire, tools] = await open();
    await wire.initialize();
    wire.send(waitCall(9), waitCall(9));
    await tools.untilRunning(2);
    tools.release();
    expect((await wire.end()).filter(({ id }) => id === 9)).toHaveLength(2);
  });

  it('stops what takes too long, and answers that', async () => {
    const [wire, tools] = await open({ shutdownMs: 1 });
    await wire.initialize();
    wire.send(waitCall(9));
    await tools.untilRunning(1);
    expect((await wire.end()).at(-1)).toMatchObject({
      id: 9,
      result: { isError: true, content: [{ text: expect.stringMatching(/^cancelled: /) }] },
    });
  });

  it('comes quietly when nobody reads the answers any more', async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: 'EPIPE' })),
    });
    const [wire, tools] = await open({ output });
    wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello }, waitCall(2));
    await wire.served;
    expect(tools.callers.every(({ signal }) => signal.aborted)).toBe(true);
  });
});

describe('a client that reads nothing', () => {
  it.each([
    ['2025', { method: 'initialize', params: legacyHello }],
    [
      '2026',
      {
        method: 'subscriptions/listen',
        params: { notifications: { resourceSubscriptions: ['vault:///A.md'] }, _meta: modernMeta },
      },
    ],
  ])('is left all the same (%s)', async (_era, request) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let written = 0;
    const output = new Writable({ write: () => void written++ }); // Never says that it is done.
    const [wire] = await open({ output });
    wire.send({ jsonrpc: '2.0', id: 1, ...request });
    await vi.waitFor(() => expect(written).toBe(1));
    wire.input.end();
    const left = wire.served.then(() => true);
    await vi.advanceTimersByTimeAsync(3 * limits.shutdownMs);
    expect(await left).toBe(true);
  });
});

describe('the wire', () => {
  it('answers what it cannot read, and goes on', async () => {
    const [wire] = await open();
    wire.input.write('{"jsonrpc"\n\r\n[]\n');
    wire.input.write(`"${'x'.repeat(limits.messageBytesMax)}`);
    wire.input.write('more of it"\n');
    expect((await wire.request('ping')).result).toEqual({});
    wire.input.write('{"half":');
    expect((await wire.end()).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      ['r1', undefined],
      [null, -32700],
    ]);
  });

  it('reads no further while too many requests are open', async () => {
    const [wire, tools] = await open();
    await wire.initialize();
    const count = limits.requestsAtOnceMax + 50;
    wire.send(...Array.from({ length: count }, (_, id) => waitCall(id)));
    await tools.untilRunning(limits.requestsAtOnceMax);
    tools.release();
    const messages = await wire.end();
    expect(new Set(messages.map(({ id }) => id)).size).toBe(count + 1);
    expect(tools.mostRunning).toBe(limits.requestsAtOnceMax);
  });

  it('says in the log what was called, never with what', async () => {
    const [wire, tools] = await open();
    await wire.initialize();
    tools.release();
    await wire.call('wait', { secret: 'Dear diary' });
    await wire.call('agree', { question: 'Dear diary?' });
    await wire.call('agree', { diary: 'Dear diary?' });
    await wire.call('Dear diary');
    await wire.request('resources/read', { uri: 'vault:///Dear diary.md' });
    await wire.request('resources/read', { uri: 'vault:///A.md' });
    wire.send({ jsonrpc: '2.0', id: 77, result: { diary: 'Dear diary' } });
    wire.send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { diary: 'Dear diary' },
    });
    await wire.end();
    expect(wire.log).toMatch(/ info call tool=wait ms=\d+ ok=true inChars=10 outChars=8\n/);
    expect(wire.log).toMatch(/ info call tool=agree ms=\d+ ok=false code=tag_not_allowed /);
    expect(wire.log).not.toMatch(/diary|text of A/i);
  });
});

it('requests of 2026 are told apart from those of 2025 by what they carry', async () => {
  const [wire] = await open();
  const bare = await wire.request('tools/list', { _meta: {} });
  expect(bare.error?.code).toBe(-32600);
  const claimed = await wire.request('tools/list', { _meta: modernMeta });
  expect(claimed.result).toBeDefined();
  await wire.end();
});
