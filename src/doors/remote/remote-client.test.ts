import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { HeldDoor, heldToken as token } from '../../../test/support/held-door.ts';
import { frame } from '../../../test/support/remote-wire.ts';
import { socketPair } from '../../../test/support/socket-pair.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { RemoteClient } from './remote-client.ts';

type RemoteEvent = Parameters<Parameters<RemoteClient['watch']>[2]>[0];

async function connect(held: HeldDoor): Promise<RemoteClient> {
  const { server, client } = await socketPair();
  held.door.accept(server);
  return RemoteClient.connect(client, { token });
}

/** A server that answers with these frames, one for each message that comes. */
async function scripted(...answers: readonly unknown[]): Promise<Socket> {
  const { server, client } = await socketPair();
  const left = [...answers];
  server.on('data', () => {
    const next = left.shift();
    if (next !== undefined) server.write(typeof next === 'string' ? next : frame(next));
  });
  return client;
}

const info = {
  version: '1',
  protocolVersion: 1,
  capabilities: ['fs.stat', 'fs.watch'],
  vaultRoot: '/',
};
const welcome = [
  { id: 1, result: { ok: true } },
  { id: 2, result: info },
];

describe('connecting', () => {
  it('learns who the server is', async () => {
    const client = await connect(new HeldDoor());
    expect(client.info).toMatchObject({ version: '1.2.3', vaultRoot: '/home/me/vault' });
    expect(client.info.capabilities).toContain('fs.stat');
  });

  it('fails with a wrong token, and hangs up', async () => {
    const held = new HeldDoor();
    const { server, client } = await socketPair();
    held.door.accept(server);
    const connecting = RemoteClient.connect(client, { token: 'wrong' });
    await expect(connecting).rejects.toMatchObject({ name: 'RemoteError', code: -32001 });
    expect(client.destroyed).toBe(true);
  });

  it.each([0, 2, '1', undefined])('refuses protocol version %j', async (protocolVersion) => {
    const socket = await scripted(welcome[0], { id: 2, result: { ...info, protocolVersion } });
    await expect(RemoteClient.connect(socket, { token })).rejects.toMatchObject({ code: -32021 });
    expect(socket.destroyed).toBe(true);
  });

  const nested = `{"id":1,"result":${'['.repeat(200)}${']'.repeat(200)}}`;
  it.each([
    'hello\r\n',
    'Content-Length: 16777217\r\n\r\n',
    'Content-Length: 1\r\n\r\n[',
    `Content-Length: ${nested.length}\r\n\r\n${nested}`,
  ])('fails where the server answers %j', async (bytes) => {
    const socket = await scripted(bytes);
    await expect(RemoteClient.connect(socket, { token })).rejects.toMatchObject({ code: -32603 });
  });
});

describe('calling', () => {
  it('answers each call with its own result, in whatever order they end', async () => {
    const held = new HeldDoor();
    const client = await connect(held);
    const calls = ['a', 'b', 'c'].map((path) => client.call('fs.stat', { path }));
    await held.untilBegun(3);
    for (const { args, end } of held.service.begun.toReversed()) end(args);
    expect(await Promise.all(calls)).toEqual([{ path: 'a' }, { path: 'b' }, { path: 'c' }]);
  });

  it('fails as the server says', async () => {
    const client = await connect(new HeldDoor());
    await expect(client.call('fs.watch', { path: '../a' })).rejects.toMatchObject({
      name: 'RemoteError',
      code: -32015,
      message: 'It leaves.',
    });
  });

  it('asks for nothing that the server does not have', async () => {
    const held = new HeldDoor();
    const client = await connect(held);
    await expect(client.call('fs.thumbnail', {})).rejects.toMatchObject({ code: -32601 });
    const old = await RemoteClient.connect(
      await scripted(welcome[0], { id: 2, result: { ...info, capabilities: [] } }),
      { token },
    );
    const watching = old.watch('', { recursive: true }, () => undefined);
    await expect(watching).rejects.toMatchObject({ code: -32601 });
  });

  it('sends nothing that is too long for a message', async () => {
    const held = new HeldDoor();
    const client = await connect(held);
    const content = 'x'.repeat(16 * 1024 * 1024);
    await expect(client.call('fs.write', { content })).rejects.toMatchObject({ code: -32602 });
    held.service.answer = () => 'still here';
    expect(await client.call('fs.stat')).toBe('still here');
  });

  it('carries large contents both ways', async () => {
    const held = new HeldDoor();
    held.service.answer = (_name, args) => args;
    const client = await connect(held);
    const params = { contentBase64: 'QUJD'.repeat(3_000_000), path: 'é' };
    expect(await client.call('fs.write', params)).toEqual(params);
  });

  it('fails when the connection is closed, by either side', async () => {
    const held = new HeldDoor();
    const client = await connect(held);
    const closed = new Promise<void>((resolve) => client.onClose(resolve));
    const call = client.call('fs.stat', {});
    await held.untilBegun(1);
    client.close();
    await expect(call).rejects.toMatchObject({ code: -32603 });
    await closed;
    await expect(client.call('fs.stat', {})).rejects.toMatchObject({ code: -32603 });
    await new Promise<void>((resolve) => client.onClose(resolve));

    const other = await connect(held);
    const left = new Promise<void>((resolve) => other.onClose(resolve));
    void held.door.close({ waitMs: 1_000 });
    await left;
  });
});

describe('watching', () => {
  it('is told of events until it ends', async () => {
    const held = new HeldDoor();
    const client = await connect(held);
    const events: RemoteEvent[] = [];
    const a = { event: 'created', path: vaultPath('a.md'), mtimeMs: 7 } as const;
    const b = { event: 'deleted', path: vaultPath('b.md') } as const;
    held.service.whileWatching = ({ tell }) => tell([a]);
    const end = await client.watch('', { recursive: true }, (event) => events.push(event));
    held.service.watches[0]?.tell([b]);
    await held.until(() => events.length === 2);
    expect(events).toEqual([
      { path: 'a.md', event: 'created', mtime: 7 },
      { path: 'b.md', event: 'deleted' },
    ]);
    await end();
    expect(held.service.watches[0]?.isEnded).toBe(true);
  });

  it('misses no event that comes in one piece with the answer', async () => {
    const params = { subscriptionId: 's', path: 'a.md', event: 'created', mtime: 1 };
    const both = Buffer.concat([
      frame({ id: 3, result: { subscriptionId: 's' } }),
      frame({ method: 'fs.changed', params }),
    ]).toString();
    const client = await RemoteClient.connect(await scripted(...welcome, both), { token });
    const events: RemoteEvent[] = [];
    await client.watch('', { recursive: true }, (event) => events.push(event));
    expect(events).toHaveLength(1);
  });
});
