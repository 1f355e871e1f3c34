import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { legacyHello, modernMeta } from '../../../../test/support/stdio-process.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService, type Service } from '../../../tools/service/service.ts';
import { introduction } from '../server/introduction.ts';
import { greeting, isInitialized, listing } from './greeting.ts';

async function openService(serverName?: string): Promise<Service> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const { toolset } = new WaitingTools();
  const toolsets = [serverName === undefined ? toolset : { ...toolset, serverName }];
  return createService(whole, toolsets, nodeTimers);
}

function greet(service: Service, message: unknown): string | undefined {
  const says = introduction(service, { version: '1.2.3', effects: allScopes.effects });
  return greeting(Buffer.from(JSON.stringify(message)), says)?.answer;
}

/** What the SDK answers, as it is written. */
async function sdkAnswer(service: Service, message: unknown): Promise<string> {
  const wire = new McpWire(service);
  wire.send(message);
  const [answer] = await wire.end();
  return `${JSON.stringify(answer)}\n`;
}

const initialize = (params: object = {}, rest: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { ...legacyHello, ...params },
  ...rest,
});

describe('greeting', () => {
  it('knows the versions that the SDK knows, where the handshake is the one of 2025', async () => {
    const others = ['2026-07-28', '2025-12-01', '2025-01-01', '2024-10-06', 'DRAFT', ''];
    const says = introduction(await openService(), { version: '1', effects: [] });
    const greeted = [...SUPPORTED_PROTOCOL_VERSIONS, ...others].filter((protocolVersion) => {
      const line = Buffer.from(JSON.stringify(initialize({ protocolVersion })));
      return greeting(line, says) !== undefined;
    });
    expect(greeted).toEqual([...SUPPORTED_PROTOCOL_VERSIONS]);
  });

  it.each([undefined, 'obsidian-mcp'])(
    'is what the SDK says, in every version, of the server %s',
    async (serverName) => {
      const service = await openService(serverName);
      for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
        const message = initialize({ protocolVersion }, { id: 'hello' });
        expect(greet(service, message)).toBe(await sdkAnswer(service, message));
      }
    },
  );

  it('is what the SDK says to every client that it greets, whatever that can do', async () => {
    const service = await openService();
    const odd = fc.oneof(
      { weight: 4, arbitrary: fc.constant<unknown>({}) },
      { weight: 2, arbitrary: fc.boolean() },
      { weight: 1, arbitrary: fc.constantFrom<unknown>({ a: {} }, null, 'x', 1, []) },
    );
    const member = fc.constantFrom('listChanged', 'context', 'tools', 'form', 'url', 'other');
    const kinds = [
      'roots',
      'sampling',
      'elicitation',
      'extensions',
      'experimental',
      'tasks',
      'toString',
    ];
    const kind = fc.oneof(odd, fc.dictionary(member, odd, { maxKeys: 2 }));
    const capabilities = fc.dictionary(fc.constantFrom(...kinds), kind, { maxKeys: 2 });
    const text = fc.string();
    const clientInfo = fc.oneof(
      fc.record({ name: text, version: text }),
      fc.record({ name: text, version: text, title: text }),
      fc.record({ name: text, version: text, title: odd, icons: odd }),
    );
    let greeted = 0;
    await fc.assert(
      fc.asyncProperty(capabilities, clientInfo, async (can, info) => {
        const message = initialize({ capabilities: can, clientInfo: info });
        const answer = greet(service, message);
        if (answer === undefined) return;
        greeted++;
        expect(answer).toBe(await sdkAnswer(service, message));
      }),
      { numRuns: 300 },
    );
    expect(greeted).toBeGreaterThan(30);
  });

  it.each([
    ['a client that lists its roots', { roots: { listChanged: true } }],
    ['one that shows forms', { elicitation: {}, sampling: {} }],
    ['one that shows forms and pages', { elicitation: { form: {}, url: {} } }],
    ['one with extensions', { extensions: { 'io.example/ui': { mimeTypes: ['text/html'] } } }],
  ])('is for %s', async (_, capabilities) => {
    const service = await openService();
    const message = initialize({ capabilities });
    expect(greet(service, message)).toBe(await sdkAnswer(service, message));
  });

  it.each<[string, unknown]>([
    ['another request', { jsonrpc: '2.0', id: 1, method: 'ping', params: legacyHello }],
    ['a notification', { jsonrpc: '2.0', method: 'initialize', params: legacyHello }],
    ['a batch', [initialize()]],
    ['an id that is none', initialize({}, { id: 1.5 })],
    ['another JSON-RPC', initialize({}, { jsonrpc: '1.0' })],
    ['an answer in the request', initialize({}, { result: {} })],
    ['no params', { jsonrpc: '2.0', id: 1, method: 'initialize' }],
    ['a version that nobody knows', initialize({ protocolVersion: '2023-01-01' })],
    ['a request of 2026', initialize({ _meta: modernMeta })],
    ['a client without a version', initialize({ clientInfo: { name: 'x' } })],
    ['capabilities that are a list', initialize({ capabilities: [] })],
    ['a capability of another kind', initialize({ capabilities: { roots: { listChanged: 1 } } })],
    ['a capability that is new', initialize({ capabilities: { dreams: {} } })],
  ])('leaves %s to the SDK', async (_, message) => {
    expect(greet(await openService(), message)).toBeUndefined();
  });

  it('leaves what is not JSON in UTF-8 to the SDK', async () => {
    const says = introduction(await openService(), { version: '1', effects: [] });
    expect(greeting(Buffer.from('{"jsonrpc"'), says)).toBeUndefined();
    const text = Buffer.from(
      JSON.stringify(initialize({ clientInfo: { name: 'é', version: '' } })),
    );
    const latin = Buffer.from(text.toString(), 'latin1');
    expect(greeting(latin, says)).toBeUndefined();
  });
});

describe('what the SDK refuses', () => {
  it.each(['1e999', '-1e999', '[[1e400]]'])('is not greeted: a number like %s', async (number) => {
    const message = initialize({ capabilities: { experimental: { a: { b: 'NUMBER' } } } });
    const line = Buffer.from(JSON.stringify(message).replace('"NUMBER"', number));
    const says = introduction(await openService(), { version: '1', effects: [] });
    expect(greeting(line, says)).toBeUndefined();
  });

  it('keeps no answer back but that to the first line', async () => {
    const wire = new McpWire(await openService(), { answered: 1 });
    wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize' }, initialize({}, { id: 2 }));
    const answers = await wire.end();
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  });
});

const list = (rest: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  ...rest,
});

describe('a list that was sent before', () => {
  const asLine = (message: unknown): Uint8Array => Buffer.from(JSON.stringify(message));

  it.each([{}, { id: 'a' }, { params: {} }])('is what the SDK sends, for %j', async (rest) => {
    const service = await openService();
    const listed: unknown[] = [];
    const wire = new McpWire(service, { onListed: (...told) => listed.push(told) });
    wire.send(initialize({ capabilities: { roots: {} } }, { id: 0 }), list(rest), list({ id: 7 }));
    const answers = await wire.end();
    const [[kept, capabilities] = []] = listed as [object, object][];
    expect(listed).toHaveLength(1);
    expect(capabilities).toEqual({ roots: {} });
    expect(listing(asLine(list(rest)), kept ?? {})).toBe(`${JSON.stringify(answers[1])}\n`);
  });

  it.each([
    ['a page', list({ params: { cursor: 'x' } })],
    ['the 2026 protocol', list({ params: { _meta: modernMeta } })],
    ['another method', list({ method: 'prompts/list' })],
    ['no request', list({ id: undefined })],
  ])('is not sent for %s, and no answer to that is kept', async (_, message) => {
    expect(listing(asLine(message), { tools: [] })).toBeUndefined();
    const listed: unknown[] = [];
    const wire = new McpWire(await openService(), { onListed: (...told) => listed.push(told) });
    wire.send(initialize({}, { id: 0 }), message);
    await wire.end();
    expect(listed).toEqual([]);
  });

  it('is not mistaken for the answer to another request with the same id', async () => {
    const listed: unknown[] = [];
    const wire = new McpWire(await openService(), { onListed: (kept) => listed.push(kept) });
    wire.send(initialize(), { jsonrpc: '2.0', id: 1, method: 'ping' }, list());
    await wire.end();
    expect(listed).toMatchObject([{ tools: expect.any(Array) }]);
  });

  it('may follow the word that the client has begun, which is a notification', () => {
    const word = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect([word, { ...word, id: 1 }, list()].map((each) => isInitialized(asLine(each)))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a client that has been greeted', () => {
  it('gets no second list where it got one, and every later answer', async () => {
    const wire = new McpWire(await openService(), { answered: 2 });
    wire.send(
      initialize(),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      list(),
      list(),
      list({ method: 'ping' }),
    );
    const answers = await wire.end();
    expect(answers.map(({ result }) => Object.keys(result ?? {}))).toEqual([['tools'], []]);
  });

  it('gets no second answer, and the others in their order, though it uses one id for all', async () => {
    const wire = new McpWire(await openService(), { answered: 1 });
    wire.send(
      initialize(),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'ping' },
    );
    const answers = await wire.end();
    expect(answers.map(({ id, result }) => [id, Object.keys(result ?? {})])).toEqual([
      [1, ['tools']],
      [1, []],
    ]);
    expect(wire.log).toContain('client client=test');
  });

  it('may initialize once more, and is answered that', async () => {
    const wire = new McpWire(await openService(), { answered: 1 });
    wire.send(initialize(), initialize());
    const answers = await wire.end();
    expect(answers).toMatchObject([{ id: 1, result: { serverInfo: { name: 'vaultdoor' } } }]);
  });

  it('may leave at once', async () => {
    const wire = new McpWire(await openService(), { answered: 1 });
    wire.send(initialize());
    expect(await wire.end()).toEqual([]);
  });

  it('is what begins the work', async () => {
    let begun = 0;
    const onNeeded = (): void => {
      begun++;
    };
    const wire = new McpWire(await openService(), { answered: 1, onNeeded });
    wire.send(initialize());
    wire.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await wire.find(({ id }) => id === 2);
    expect(begun).toBe(1);
    await wire.end();
  });
});
