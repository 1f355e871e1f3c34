import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  guest,
  HttpDoor,
  type HttpDoorParts,
  memoryBook,
} from '../../../../test/support/http-door.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';

let vault: MemoryVault | undefined;

async function open(parts: HttpDoorParts = {}): Promise<[HttpDoor, WaitingTools]> {
  vault = await openWrittenVault({ 'A.md': 'text of A' });
  const tools = new WaitingTools();
  return [new HttpDoor(createService(vault.whole, [tools.toolset], nodeTimers), parts), tools];
}

afterEach(async () => {
  await vault?.close();
  vault = undefined;
});

type Era = '2025' | '2026';

/** What lies between client and door: the door may change, and an answer may be cut off. */
interface Between {
  door: HttpDoor;
  readonly fate?: (response: Response, request: { method: string; body: string }) => Response;
}

/** The SDK's client of an era, and what went wrong for it. */
async function connect(
  between: Between,
  era: Era = '2025',
): Promise<[Client, StreamableHTTPClientTransport, unknown[]]> {
  const faults: unknown[] = [];
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1065/mcp'), {
    fetch: async (url, init) => {
      const { method = 'GET', body } = init ?? {};
      const request = new Request(url, init as RequestInit);
      const response = await between.door.http.handle(request, guest);
      return between.fate?.(response, { method, body: String(body ?? '') }) ?? response;
    },
  });
  const client = new Client(
    { name: 'sdk', version: '2' },
    {
      capabilities: { elicitation: { form: {} } },
      ...(era === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { agree: true },
  }));
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return [client, transport, faults];
}

/** The response, whose body breaks off when the wire is cut. */
function cutBy(wire: AbortController, response: Response): Response {
  const { body, status, headers } = response;
  const through = body?.pipeThrough(new TransformStream(), { signal: wire.signal });
  return new Response(through ?? null, { status, headers });
}

/** Somebody else changes the note. */
async function edit(text: string): Promise<void> {
  vault?.disk.write('A.md', text);
  await vault?.keeper.refresh([vaultPath('A.md')]);
}

describe.each<Era>(['2025', '2026'])('the SDK client of %s', (era) => {
  it('lists and calls tools, with progress', async () => {
    const [door] = await open();
    const [client, , faults] = await connect({ door }, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('wait');
    const told: unknown[] = [];
    const result = await client.callTool(
      { name: 'count', arguments: {} },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(result.content).toEqual([{ type: 'text', text: '"counted"' }]);
    expect(told).toMatchObject([{ progress: 1, total: 2 }]);
    expect(faults).toEqual([]);
  });

  it('is asked what only the person behind it knows', async () => {
    const [door] = await open();
    const [client] = await connect({ door }, era);
    const result = await client.callTool({ name: 'agree', arguments: { question: 'New tag?' } });
    expect(result.content).toMatchObject([{ text: '"agreed"' }]);
  });

  it('cancels a call', async () => {
    const [door, tools] = await open();
    const [client] = await connect({ door }, era);
    const cancelling = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: cancelling.signal });
    await tools.untilRunning(1);
    cancelling.abort('enough');
    await expect(call).rejects.toThrow();
    await expect.poll(() => tools.callers[0]?.signal.aborted).toBe(true);
    expect((await client.listTools()).tools).toHaveLength(3);
  });

  it('reads resources', async () => {
    const [door] = await open();
    const [client] = await connect({ door }, era);
    const { contents } = await client.readResource({ uri: 'vault:///A.md' });
    expect(contents).toMatchObject([{ text: 'text of A' }]);
  });
});

describe('the SDK client in a session', () => {
  it('hears of changes, and of what changed while its stream was broken', async () => {
    const [door] = await open();
    const wire = new AbortController();
    let streams = 0;
    const fate: Between['fate'] = (response, { method }) => {
      if (method === 'GET') streams += 1;
      return method === 'GET' && streams === 1 ? cutBy(wire, response) : response;
    };
    const [client] = await connect({ door, fate });
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
    });
    await client.subscribeResource({ uri: 'vault:///A.md' });
    await expect.poll(() => streams).toBe(1);
    await edit('new');
    await expect.poll(() => told).toHaveLength(1);
    wire.abort();
    await edit('newer');
    await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(2);
    expect(streams).toBe(2);
  });

  it('does not notice a restart', async () => {
    const book = memoryBook();
    const [first] = await open({ book });
    const between: Between = { door: first };
    const [client, transport] = await connect(between);
    const id = transport.sessionId;
    await first.http.close(0);
    const [second, tools] = await open({ book });
    between.door = second;
    tools.release();
    const result = await client.callTool({ name: 'wait', arguments: {} });
    expect(result.content).toMatchObject([{ text: '"waited"' }]);
    expect(tools.callers[0]).toMatchObject({ client: 'sdk/2', connection: id?.split('.')[0] });
    const agreed = await client.callTool({ name: 'agree', arguments: { question: 'New?' } });
    expect(agreed.content).toMatchObject([{ text: '"agreed"' }]);
    expect(second.http.sessions).toBe(1);
  });

  it('gets the answer to a call whose stream broke', async () => {
    const [door, tools] = await open();
    const wire = new AbortController();
    const fate: Between['fate'] = (response, { body }) =>
      body.includes('"wait"') ? cutBy(wire, response) : response;
    const [client] = await connect({ door, fate });
    let call: Promise<{ content?: unknown }> | undefined;
    await new Promise<void>((resolve) => {
      // It is told an id to come back with as soon as it has one.
      const onresumptiontoken = (): void => resolve();
      call = client.callTool({ name: 'wait', arguments: {} }, { onresumptiontoken });
    });
    await tools.untilRunning(1);
    wire.abort();
    tools.release();
    expect((await call)?.content).toMatchObject([{ text: '"waited"' }]);
  });

  it('is told that the answer to a call is lost when the server was restarted meanwhile', async () => {
    const book = memoryBook();
    const [first, tools] = await open({ book });
    const wire = new AbortController();
    const fate: Between['fate'] = (response, { body }) =>
      body.includes('"wait"') ? cutBy(wire, response) : response;
    const between: Between = { door: first, fate };
    const [client] = await connect(between);
    let call: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      const onresumptiontoken = (): void => resolve();
      call = client.callTool({ name: 'wait', arguments: {} }, { onresumptiontoken });
    });
    await tools.untilRunning(1);
    between.door = (await open({ book }))[0];
    wire.abort();
    await expect(call).rejects.toThrow('no longer kept');
    tools.release();
  });

  it('ends it', async () => {
    const [door] = await open();
    const [, transport] = await connect({ door });
    expect(door.http.sessions).toBe(1);
    await transport.terminateSession();
    expect(door.http.sessions).toBe(0);
  });
});

it('the SDK client of 2026 listens', async () => {
  const [door] = await open();
  const [client] = await connect({ door }, '2026');
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri);
  });
  const listening = await client.listen({ resourceSubscriptions: ['vault:///A.md'] });
  await edit('new');
  await expect.poll(() => told).toEqual(['vault:///A.md']);
  await listening.close();
});
