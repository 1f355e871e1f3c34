import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A transport whose client reads one line, and no other until it is told to. */
async function unread() {
  const lines: string[] = [];
  let go: () => void = () => undefined;
  const output = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write: (line: string, _encoding, done) => {
      lines.push(line);
      go = done;
    },
  });
  const transport = new StdioTransport({ input: new PassThrough(), output });
  await transport.start();
  const read = async (): Promise<void> => {
    for (let before = 0; before < lines.length; ) {
      before = lines.length;
      go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { transport, lines, read };
}

const updated = (uri: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri },
});

const progress = (done: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: done },
});

const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

describe('a client that does not read', () => {
  it('is told once of a resource that changes over and over, and again after it has read', async () => {
    const { transport, lines, read } = await unread();
    for (let times = 0; times < 1_000; times++) {
      void transport.send(updated('vault:///A.md'));
      void transport.send(updated('vault:///B.md'));
    }
    await read();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      updated('vault:///A.md'),
      updated('vault:///B.md'),
    ]);
    void transport.send(updated('vault:///A.md'));
    await read();
    expect(lines).toHaveLength(3);
    await transport.close();
  });

  it('misses progress, and no answer', async () => {
    const { transport, lines, read } = await unread();
    for (let done = 1; done <= 100; done++) void transport.send(progress(done));
    for (let id = 1; id <= 100; id++) void transport.send(answer(id));
    await read();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      progress(1),
      ...Array.from({ length: 100 }, (_, n) => answer(n + 1)),
    ]);
    await transport.close();
  });

  it('is waited for until it is given up; then all counts as written', async () => {
    const { transport } = await unread();
    const writing = [transport.send(answer(1)), transport.send(updated('vault:///A.md'))];
    transport.abandon();
    await Promise.all([...writing, transport.send(answer(2))]);
    expect(await transport.drained(0)).toBe(true);
    await transport.finished;
  });
});

/** A transport whose client reads at once, with the messages it got. */
async function reading() {
  const messages: unknown[] = [];
  const input = new PassThrough();
  const output = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      messages.push(JSON.parse(line));
      done();
    },
  });
  const transport = new StdioTransport({ input, output });
  await transport.start();
  const send = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  return { transport, messages, send };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const acknowledged = (id: number, uris: readonly string[]): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: {
    _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    notifications: { resourceSubscriptions: uris },
  },
});

describe('a client that listens', () => {
  it('is told so when it is listening, and of no change before', async () => {
    const { transport, messages } = await reading();
    const begin = new Map<unknown, () => void>();
    transport.onlisten = (id) => new Promise((resolve) => begin.set(id, resolve));
    const [a, b] = ['vault:///A.md', 'vault:///B.md'];
    void transport.send(acknowledged(1, [a]));
    void transport.send(acknowledged(2, [b]));
    void transport.send(updated(b));
    await soon();
    expect(messages).toEqual([]);
    begin.get(2)?.();
    await soon();
    expect(messages).toEqual([acknowledged(2, [b])]);
    begin.get(1)?.();
    await soon();
    expect(messages).toEqual([acknowledged(2, [b]), acknowledged(1, [a]), updated(b)]);
    await transport.close();
  });
});

describe('a client that does not keep up', () => {
  it('is waited for until it has read, or is given up', async () => {
    const { transport, read } = await unread();
    await transport.caughtUp();
    void transport.send(answer(1));
    let isCaughtUp = false;
    const caughtUp = transport.caughtUp().then(() => {
      isCaughtUp = true;
    });
    await soon();
    expect(isCaughtUp).toBe(false);
    await read();
    await caughtUp;
    void transport.send(answer(2));
    const never = transport.caughtUp();
    transport.abandon();
    await never;
  });
});

describe('the vault is needed', () => {
  const request = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} });

  it.each(['initialize', 'ping', 'tools/list', 'prompts/list'])(
    'not for %s itself, and once it is answered',
    async (method) => {
      const { transport, send } = await reading();
      let times = 0;
      transport.onneeded = () => times++;
      send({ ...request('initialize'), params: legacyHello });
      send({ ...request(method), params: legacyHello });
      await soon();
      expect(times).toBe(0);
      await transport.send(answer(1));
      await transport.send(answer(1));
      expect(times).toBe(1);
      await transport.close();
    },
  );

  it('not any more when the client has left', async () => {
    const { transport } = await reading();
    let times = 0;
    transport.onneeded = () => times++;
    transport.stop();
    await transport.send(answer(1));
    expect(times).toBe(0);
  });

  it('at once for anything else', async () => {
    const { transport, send } = await reading();
    let times = 0;
    transport.onneeded = () => times++;
    send({ ...request('initialize'), params: legacyHello });
    send(request('tools/call'));
    send(request('resources/list'));
    await soon();
    expect(times).toBe(1);
    await transport.close();
  });
});
