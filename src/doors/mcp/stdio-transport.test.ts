import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
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
