import { describe, expect, it } from 'vitest';
import { connectHost, type HostContext } from './host.ts';

/** A view that is connected to a host which a test plays. */
function connected() {
  const sent: Record<string, unknown>[] = [];
  const told: unknown[][] = [];
  let hear: (message: unknown) => void = () => undefined;
  let expire: () => void = () => undefined;
  const host = connectHost(
    {
      send: (message) => sent.push(message as Record<string, unknown>),
      listen: (onMessage) => {
        hear = onMessage;
      },
      after: (_ms, call) => {
        expire = call;
        return () => undefined;
      },
    },
    { name: 'view', version: '1.0.0', callMs: 1 },
    {
      onContext: (context: HostContext) => told.push(['context', context]),
      onInput: (args) => told.push(['input', args]),
      onResult: (result) => told.push(['result', result]),
      onCancelled: () => told.push(['cancelled']),
    },
  );
  const say = async (message: object): Promise<void> => {
    hear({ jsonrpc: '2.0', ...message });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    host,
    sent,
    told,
    say,
    hear: (message: unknown) => hear(message),
    expire: () => expire(),
  };
}

const hello = {
  hostCapabilities: { serverTools: {} },
  hostContext: { theme: 'dark', styles: { variables: { '--font-sans': 'Sans' } }, odd: 1 },
};

describe('a view', () => {
  it('greets the host, and says that it is ready when it knows the colours', async () => {
    const { host, sent, told, say } = connected();
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'ui/initialize',
        params: {
          protocolVersion: '2026-01-26',
          appInfo: { name: 'view', version: '1.0.0' },
          appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        },
      },
    ]);
    expect(host.callsTools).toBe(false);
    await say({ id: 1, result: hello });
    expect(told).toEqual([['context', { theme: 'dark', sans: 'Sans' }]]);
    expect(sent[1]).toMatchObject({ method: 'ui/notifications/initialized' });
    expect([host.callsTools, host.opensLinks]).toEqual([true, false]);
  });

  it('calls a tool, and gets its result or the words of the host', async () => {
    const { host, sent, say } = connected();
    await say({ id: 1, result: hello });
    const [good, bad] = [host.callTool('a', { b: 1 }), host.callTool('c', {})];
    expect(sent.at(-2)).toEqual({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'a', arguments: { b: 1 } },
    });
    await say({ id: 2, result: { content: [] } });
    void say({ id: 3, error: { code: -32_000, message: 'The user said no' } });
    await expect(good).resolves.toEqual({ content: [] });
    await expect(bad).rejects.toThrow('The user said no');
  });

  it('does not wait for ever', async () => {
    const { host, say, expire } = connected();
    await say({ id: 1, result: hello });
    const call = host.callTool('a', {});
    expire();
    await expect(call).rejects.toThrow('no answer');
  });

  it('takes no result for that of the model while its own call is on its way', async () => {
    const { host, told, say } = connected();
    await say({ id: 1, result: hello });
    const call = host.callTool('a', {});
    await say({ method: 'ui/notifications/tool-result', params: { content: ['echo'] } });
    await say({ id: 2, result: {} });
    await call;
    await say({ method: 'ui/notifications/tool-result', params: { content: ['new'] } });
    expect(told.slice(1)).toEqual([['result', { content: ['new'] }]]);
  });

  it.each<[object, unknown[] | undefined]>([
    [
      { method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
      ['input', { a: 1 }],
    ],
    [{ method: 'ui/notifications/tool-input' }, ['input', {}]],
    [{ method: 'ui/notifications/tool-cancelled', params: {} }, ['cancelled']],
    [
      { method: 'ui/notifications/host-context-changed', params: { theme: 'light' } },
      ['context', { theme: 'light' }],
    ],
    [
      { method: 'ui/notifications/host-context-changed', params: { theme: 'pink' } },
      ['context', {}],
    ],
    [{ method: 'ui/notifications/tool-input-partial', params: {} }, undefined],
    [{ method: 'toString', params: {} }, undefined],
    [{ id: 77, result: {} }, undefined],
    [{ id: '1', result: {} }, undefined],
  ])('hears %j', async (message, expected) => {
    const { told, say } = connected();
    await say(message);
    expect(told).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each([
    ['ui/resource-teardown', { result: {} }],
    ['ping', { result: {} }],
    ['tools/list', { error: { code: -32_601, message: 'This view does not know the method' } }],
  ])('answers %s', async (method, answer) => {
    const { sent, say } = connected();
    await say({ id: 'h1', method, params: {} });
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 'h1', ...answer });
  });

  it.each([null, 'text', 7, [], {}, { jsonrpc: '1.0', method: 'ping', id: 1 }])(
    'does not mind %j',
    (message) => {
      const { sent, hear } = connected();
      hear(message);
      expect(sent).toHaveLength(1);
    },
  );
});
