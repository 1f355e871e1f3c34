import { describe, expect, it } from 'vitest';
import { fixtureService } from '../../../../test/conformance/fixtures.ts';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { modernMeta } from '../../../../test/support/stdio-process.ts';
import type { ListedTool, Service } from '../../../tools/service/service.ts';

/** A service that has other tools when a test says so. */
class ChangingTools {
  tools: readonly ListedTool[] = [];
  listeners = 0;
  #tell: () => void = () => undefined;
  #known: () => void = () => undefined;
  readonly #waiting = new Promise<void>((resolve) => {
    this.#known = resolve;
  });

  readonly service: Service = {
    ...fixtureService,
    serverName: 'changing',
    list: () => this.tools,
    has: async (name) => this.tools.some((tool) => tool.name === name),
    toolsKnown: () => this.#waiting,
    onToolsChanged: (listener) => {
      this.listeners += 1;
      this.#tell = listener;
      return () => {
        this.listeners -= 1;
      };
    },
  };

  change(...names: readonly string[]): void {
    this.tools = names.map((name) => ({ name, description: '', inputSchema: { type: 'object' } }));
    this.#known();
    this.#tell();
  }
}

describe('tools that may change', () => {
  it('are listed once they are known, without what nobody knows of them', async () => {
    const changing = new ChangingTools();
    const wire = new McpWire(changing.service);
    await wire.initialize();
    const list = wire.request('tools/list');
    await wire.request('ping');
    changing.change('a');
    const tools = [{ name: 'a', description: '', inputSchema: { type: 'object' } }];
    expect((await list).result).toEqual({ tools });
    await wire.end();
  });

  it('are told of to clients of 2025, who are told so in the handshake', async () => {
    const changing = new ChangingTools();
    const wire = new McpWire(changing.service);
    const hello = await wire.initialize();
    expect(hello.result).toMatchObject({ capabilities: { tools: { listChanged: true } } });
    changing.change('a');
    await wire.find(({ method }) => method === 'notifications/tools/list_changed');
    await wire.end();
    expect(changing.listeners).toBe(0);
  });

  it('are told of to clients of 2026 who listen, and are not to be kept', async () => {
    const changing = new ChangingTools();
    changing.change('a');
    const wire = new McpWire(changing.service);
    expect((await wire.modern('tools/list')).result).toMatchObject({ ttlMs: 0 });
    changing.change('b'); // Nobody listens yet.
    const notifications = { toolsListChanged: true };
    const params = { notifications, _meta: modernMeta };
    wire.send({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params });
    const heard = await wire.find(({ method }) => method?.endsWith('acknowledged') === true);
    expect(heard.params).toMatchObject({ notifications });
    changing.change('c');
    await wire.find(({ method }) => method === 'notifications/tools/list_changed');
    await wire.end();
    const told = wire.messages.filter(({ method }) => method?.endsWith('list_changed'));
    expect(told).toHaveLength(1);
  });

  it('may be called as soon as the service says that they are there', async () => {
    const changing = new ChangingTools();
    changing.change('test_simple_text');
    const wire = new McpWire(changing.service);
    await wire.initialize();
    expect((await wire.call('test_simple_text')).result).toHaveProperty('content');
    expect((await wire.call('other')).error).toMatchObject({ code: -32602 });
    await wire.end();
  });
});

it('tools that never change say so to both eras', async () => {
  const wire = new McpWire(fixtureService);
  expect((await wire.modern('tools/list')).result?.['ttlMs']).toBeGreaterThan(0);
  const legacy = new McpWire(fixtureService);
  expect((await legacy.initialize()).result).toMatchObject({ capabilities: { tools: {} } });
  expect((await legacy.request('ping')).result).toEqual({});
  const hello = legacy.messages.find(({ result }) => result?.['capabilities'] !== undefined);
  expect(JSON.stringify(hello)).not.toContain('listChanged');
  await wire.end();
  await legacy.end();
});
