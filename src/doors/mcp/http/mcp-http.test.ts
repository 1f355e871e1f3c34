import { describe, expect, it } from 'vitest';
import {
  guest,
  HttpDoor,
  type HttpDoorParts,
  messagesIn,
} from '../../../../test/support/http-door.ts';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';

/** The door over a small vault, with tools that wait. */
async function open(parts: HttpDoorParts = {}): Promise<[HttpDoor, WaitingTools]> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const tools = new WaitingTools();
  return [new HttpDoor(createService(whole, [tools.toolset], nodeTimers), parts), tools];
}

const call = (id: number | string, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const jsonOnly = { accept: 'application/json' };

it('malformed parameters of a call get our sentence', async () => {
  const [door] = await open();
  const error = {
    code: -32602,
    message:
      'The arguments must be an object, not text; "tools/call" takes {"name": "…", "arguments": {…}}.',
    data: { errorCode: 'INVALID_PARAMS' },
  };
  const params = { name: 'wait', arguments: 'A' };
  const session = await door.begin();
  expect((await door.ask('tools/call', params, { session })).error).toEqual(error);
  expect((await door.modern('tools/call', params)).error).toEqual(error);
});

describe('what is refused', () => {
  const rows: [string, Parameters<HttpDoor['send']>[0], number, number][] = [
    ['a body that is no JSON', { body: '{"jsonrpc"' }, 400, -32700],
    ['no body', { body: '' }, 400, -32700],
    ['a body that is not UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 400, -32700],
    ['a number', { body: '5' }, 400, -32600],
    ['null', { body: 'null' }, 400, -32600],
    ['no message', { body: { hello: 1 } }, 400, -32600],
    ['an empty batch', { body: [] }, 400, -32600],
    ['a batch without end', { body: Array.from({ length: 101 }, () => ping) }, 400, -32600],
    ['a batch with no message in it', { body: [ping, 5] }, 400, -32600],
    ['what nests too deep', { body: `${'['.repeat(200)}${']'.repeat(200)}` }, 400, -32600],
    [
      'a handshake in a batch',
      { body: [{ ...ping, method: 'initialize', params: legacyHello }] },
      400,
      -32600,
    ],
    [
      'a handshake without a version',
      { body: { ...ping, method: 'initialize', params: {} } },
      400,
      -32602,
    ],
    ['text that is no JSON', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, -32000],
    [
      'JSON that does not say so',
      { body: ping, headers: { 'content-type': 'text/json' } },
      415,
      -32000,
    ],
    [
      'a client that accepts pages only',
      { body: ping, headers: { accept: 'text/html' } },
      406,
      -32000,
    ],
    ['listening without a session', { method: 'GET' }, 405, -32000],
    ['deleting without a session', { method: 'DELETE' }, 405, -32000],
    ['another method', { method: 'PUT' }, 405, -32000],
  ];
  it.each(rows)('%s', async (_name, sent, status, code) => {
    const [door] = await open();
    const response = await door.send(sent);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(door.http.sessions).toBe(0);
  });

  it('says which methods there are', async () => {
    const [door] = await open();
    expect((await door.send({ method: 'GET' })).headers.get('allow')).toBe('POST');
    expect((await door.send({ method: 'PATCH' })).headers.get('allow')).toBe('GET, POST, DELETE');
  });
});

describe('a session of the 2025 era', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'begins with the handshake, in the version %s',
    async (protocolVersion) => {
      const [door] = await open();
      const params = { ...legacyHello, protocolVersion };
      const response = await door.send({ body: { ...ping, method: 'initialize', params } });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(response.headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}\./);
      expect(await messagesIn(response)).toMatchObject([
        { id: 1, result: { protocolVersion, serverInfo: { name: 'vaultdoor', version: '1.2.3' } } },
      ]);
      expect(door.http.sessions).toBe(1);
    },
  );

  it('is a new one with each handshake, whatever id comes along', async () => {
    const [door] = await open();
    const first = await door.begin();
    const second = await door.begin({ session: first });
    expect(second).not.toBe(first);
    expect(door.http.sessions).toBe(2);
  });

  it('answers as a stream, and what is no request with 202', async () => {
    const [door] = await open();
    const session = await door.begin();
    const response = await door.send({ body: ping, session });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await messagesIn(response)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const noticed = await door.send({
      body: { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      session,
    });
    expect([noticed.status, await noticed.text()]).toEqual([202, '']);
  });

  it('is one connection for the tools, with the name of its client', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const answers = [1, 2].map((id) => door.send({ body: call(id, 'wait'), session }));
    await tools.untilRunning(2);
    tools.release();
    for (const answer of answers) await messagesIn(await answer);
    const [uuid] = session.split('.');
    expect(tools.callers).toMatchObject([
      { door: 'mcp-http', connection: uuid, client: 'test/1.0.0' },
      { door: 'mcp-http', connection: uuid, client: 'test/1.0.0' },
    ]);
  });

  it('has failures of its own for methods, tools and versions that there are not', async () => {
    const [door] = await open();
    const session = await door.begin();
    expect((await door.ask('frob', {}, { session })).error?.code).toBe(-32601);
    expect((await door.ask('tools/call', { name: 'frob' }, { session })).error?.code).toBe(-32602);
    const headers = { 'mcp-protocol-version': '2001-01-01' };
    expect((await door.send({ body: ping, session, headers })).status).toBe(400);
    // What was refused is not under way.
    expect((await door.send({ body: ping, session })).status).toBe(200);
  });

  it('knows -32002, which the SDK does not send', async () => {
    const [door] = await open();
    const params = { uri: 'vault:///Nowhere.md' };
    const session = await door.begin();
    expect((await door.ask('resources/read', params, { session })).error?.code).toBe(-32002);
    expect((await door.ask('resources/read', params)).error?.code).toBe(-32002);
    expect((await door.modern('resources/read', params)).error?.code).toBe(-32602);
  });

  it('refuses an id that is under way, and takes it again afterwards', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const first = door.send({ body: call(7, 'wait'), session });
    await tools.untilRunning(1);
    const second = await door.send({ body: { ...ping, id: 7 }, session });
    expect(second.status).toBe(400);
    expect((await door.send({ body: [ping, ping], session })).status).toBe(400);
    tools.release();
    expect(await messagesIn(await first)).toMatchObject([{ id: 7, result: {} }]);
    expect((await door.send({ body: { ...ping, id: 7 }, session })).status).toBe(200);
  });

  it('has so many requests under way and no more', async () => {
    const [door, tools] = await open({ limits: { requestsAtOnceMax: 2 } });
    const session = await door.begin();
    const running = [1, 2].map((id) => door.send({ body: call(id, 'wait'), session }));
    await tools.untilRunning(2);
    const third = await door.send({ body: { ...ping, id: 3 }, session });
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
    tools.release();
    for (const response of running) await messagesIn(await response);
    expect((await door.send({ body: { ...ping, id: 3 }, session })).status).toBe(200);
  });

  it('answers all of a batch', async () => {
    const [door] = await open();
    const session = await door.begin();
    const body = [ping, { ...ping, id: 2 }, { ...ping, id: 3, method: 'frob' }];
    const messages = await messagesIn(await door.send({ body, session }));
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    const json = await door.send({ body, session, headers: jsonOnly });
    expect(await json.json()).toHaveLength(3);
  });

  it('shows tools by what its visitor may do at that moment', async () => {
    const [door] = await open();
    const session = await door.begin();
    const scopes = { ...allScopes, effects: [] };
    const visitor = { ...guest, scopes };
    const { result } = await door.ask('tools/list', {}, { session, visitor });
    expect(result).toEqual({ tools: [] });
  });

  it('ends the stream of a request that is cancelled', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const stream = door.send({ body: [call(9, 'wait'), ping], session });
    await tools.untilRunning(1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    await door.send({ body: { ...cancelled, params: { requestId: 9 } }, session });
    expect(tools.callers[0]?.signal.aborted).toBe(true);
    const messages = await messagesIn(await stream);
    expect(messages.find(({ id }) => id === 9)).toMatchObject({ error: { code: -32000 } });
    expect(messages.find(({ id }) => id === 1)).toMatchObject({ result: {} });
    await door.send({ body: { ...cancelled, params: { requestId: 77 } }, session });
  });
});

describe('a client that accepts JSON only', () => {
  it.each([
    ['in a session', true],
    ['without one', false],
  ])('gets its answers so, %s', async (_name, inSession) => {
    const [door] = await open();
    const session = inSession ? await door.begin({ headers: jsonOnly }) : undefined;
    const progress = {
      ...call(4, 'count'),
      params: { name: 'count', _meta: { progressToken: 1 } },
    };
    const response = await door.send({ body: progress, session, headers: jsonOnly });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 4, result: { content: [{}] } });
  });

  it('gets them in 2026 too, where those that accept streams only get streams', async () => {
    const [door] = await open();
    const params = { name: 'count', _meta: { progressToken: 1 } };
    const json = await door.sendModern('tools/call', params, { headers: jsonOnly });
    expect(json.headers.get('content-type')).toBe('application/json');
    const stream = await door.sendModern(
      'tools/list',
      {},
      { headers: { accept: 'text/event-stream' } },
    );
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const listen = { notifications: { resourceSubscriptions: ['vault:///A.md'] } };
    const refused = await door.sendModern('subscriptions/listen', listen, { headers: jsonOnly });
    expect(refused.status).toBe(406);
  });

  it('is not asked anything, since it could not hear it: nobody agreed', async () => {
    const [door] = await open();
    const session = await door.begin({ hello: { capabilities: { elicitation: {} } } });
    const body = call(1, 'agree', { question: 'New tag?' });
    const response = await door.send({ body, session, headers: jsonOnly });
    expect(await response.json()).toMatchObject({
      result: { isError: true, content: [{ text: 'tag_not_allowed: Not agreed.' }] },
    });
  });
});

describe('a request without a session', () => {
  it('is served by itself, and nothing of it is remembered', async () => {
    const [door, tools] = await open();
    tools.release();
    const { result } = await door.ask('tools/call', { name: 'wait' });
    expect(result).toMatchObject({ content: [{ text: '"waited"' }] });
    expect(tools.callers[0]).not.toHaveProperty('connection');
    expect(door.http.sessions).toBe(0);
  });

  it('cannot subscribe, and is told how it could', async () => {
    const [door] = await open();
    const { error } = await door.ask('resources/subscribe', { uri: 'vault:///A.md' });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"initialize"') });
    const ended = await door.ask('resources/unsubscribe', { uri: 'vault:///A.md' });
    expect(ended.result).toEqual({});
  });

  it('is not worked on when its client has left', async () => {
    const [door, tools] = await open();
    const leaving = new AbortController();
    const response = await door.send({ body: call(1, 'wait'), signal: leaving.signal });
    await tools.untilRunning(1);
    leaving.abort();
    expect(await messagesIn(response)).toEqual([]);
    expect(tools.callers[0]?.signal.aborted).toBe(true);
  });
});

describe('a request of 2026-07-28', () => {
  it('needs no session, and leaves none', async () => {
    const [door, tools] = await open();
    tools.release();
    const { result } = await door.modern('server/discover');
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    expect((await door.modern('tools/call', { name: 'wait' })).result).toMatchObject({
      resultType: 'complete',
    });
    expect(tools.callers[0]).toMatchObject({ door: 'mcp-http', client: 'test/1.0.0' });
    expect(tools.callers[0]).not.toHaveProperty('connection');
    expect(door.http.sessions).toBe(0);
  });

  it.each([
    ['an unknown method', 'frob', {}, 404, -32601],
    ['what the era has not', 'resources/subscribe', { uri: 'vault:///A.md' }, 404, -32601],
    ['a header that contradicts it', 'tools/list', { 'mcp-method': 'ping' }, 400, -32020],
  ])('with %s is refused', async (_name, method, given, status, code) => {
    const [door] = await open();
    const isHeaders = 'mcp-method' in given;
    const response = await door.sendModern(
      method,
      isHeaders ? {} : given,
      isHeaders ? { headers: given } : {},
    );
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it('is cancelled when its client leaves', async () => {
    const [door, tools] = await open();
    const leaving = new AbortController();
    const response = door.sendModern('tools/call', { name: 'wait' }, { signal: leaving.signal });
    await tools.untilRunning(1);
    leaving.abort();
    expect((await response).status).toBe(499);
    expect(tools.callers[0]?.signal.aborted).toBe(true);
  });
});

it('the log never says what was sent', async () => {
  const [door] = await open();
  const session = await door.begin();
  await door.ask(
    'tools/call',
    { name: 'agree', arguments: { question: 'Dear diary?' } },
    { session },
  );
  await door.ask('Dear diary', {}, { session });
  await door.send({ body: { jsonrpc: '2.0', id: 5, result: { diary: 'Dear diary' } }, session });
  await door.send({ body: ping, session, headers: { 'mcp-protocol-version': 'Dear diary' } });
  await door.modern('tools/call', { name: 'Dear diary' });
  expect(door.log).toMatch(/ info call tool=agree /);
  expect(door.log).not.toMatch(/diary/i);
  expect(door.log).not.toContain(session.split('.')[2]);
});
