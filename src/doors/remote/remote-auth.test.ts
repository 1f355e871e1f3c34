import { describe, expect, it } from 'vitest';
import { HeldDoor, heldToken as token } from '../../../test/support/held-door.ts';
import { request } from '../../../test/support/remote-wire.ts';
import { limits } from '../../base/limits.ts';

describe('someone who has not said the token', () => {
  it.each<[string, unknown, number]>([
    ['fs.stat', { path: 'a' }, -32000],
    ['fs.stat', [], -32000],
    ['fs.watch', { path: 7 }, -32000],
    ['server.info', {}, -32000],
    ['fs.nothing', {}, -32601],
    ['auth', undefined, -32602],
    ['auth', null, -32602],
    ['auth', [], -32602],
    ['auth', 'x', -32602],
    ['auth', { token: 7 }, -32602],
  ])('is answered %s %j with %i, and may go on', async (method, params, code) => {
    const held = new HeldDoor();
    const wire = await held.connect();
    expect((await wire.call(method, params)).error?.code).toBe(code);
    expect(await wire.result('auth', { token })).toEqual({ ok: true });
    expect(held.service.begun).toEqual([]);
  });

  it.each([{}, { token: '' }, { token: null }, { token: 'wrong' }, { token: `${token}0` }])(
    'is answered %j with -32001 and is hung up on; what it sent along is not run',
    async (params) => {
      const held = new HeldDoor();
      const wire = await held.connect();
      wire.send(request(1, 'auth', params), request(2, 'auth', { token }), request(3, 'fs.stat'));
      await wire.closed;
      expect(wire.frames).toMatchObject([{ id: 1, error: { code: -32001 } }]);
      expect(held.service.begun).toEqual([]);
      expect(held.log.join('\n')).toContain('wrong token');
      expect(held.log.join('\n')).not.toContain(token);
    },
  );

  it('is hung up on without a word when it says a wrong one and wants no answer', async () => {
    const wire = await new HeldDoor().connect();
    wire.send(request(undefined, 'auth', { token: 'wrong' }));
    await wire.closed;
    expect(wire.frames).toEqual([]);
  });

  it('comes in without an answer when it wants none', async () => {
    const held = new HeldDoor();
    held.service.answer = () => null;
    const wire = await held.connect();
    wire.send(request(undefined, 'auth', { token }));
    expect(await wire.result('fs.stat', { path: 'a' })).toBeNull();
  });

  it('is cut off when its time is over, and nobody else is', async () => {
    const held = new HeldDoor();
    const inside = await held.enter();
    const stranger = await held.connect();
    await held.until(() => held.door.connections === 2);
    held.timers.advance(limits.remoteAuthMs);
    await stranger.closed;
    expect(await inside.result('server.info')).toMatchObject({ protocolVersion: 1 });
  });

  it('makes room for another when there are too many, the oldest first', async () => {
    const held = new HeldDoor({ limits: { remoteStrangersMax: 2 } });
    const inside = await held.enter();
    const oldest = await held.connect();
    const older = await held.connect();
    const newest = await held.connect();
    await oldest.closed;
    for (const wire of [older, newest, inside]) {
      expect(await wire.result('auth', { token })).toEqual({ ok: true });
    }
  });

  it('may say as much as one message has, in all', async () => {
    const held = new HeldDoor({
      limits: { remoteMessageBytesMax: 1_000, remoteHeadBytesMax: 100 },
    });
    const wire = await held.connect();
    for (let times = 0; times < 100; times++) wire.send(request(times, 'nothing'));
    await wire.closed;
    expect(wire.frames.length).toBeGreaterThan(10);
    expect(wire.frames.length).toBeLessThan(100);
  });
});

describe('someone who has said the token', () => {
  it.each([
    ['my phone', 'my phone'],
    ['a\nb\u202e', 'a b\\u{202e}'],
    ['x'.repeat(200), `${'x'.repeat(99)}…`],
    [' ', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('and the name %j changes files under the name %j', async (client, name) => {
    const held = new HeldDoor();
    held.service.answer = () => null;
    const wire = await held.connect();
    expect(await wire.result('auth', { token, client })).toEqual({ ok: true });
    await wire.result('fs.write', { path: 'a', content: '' });
    expect(held.service.begun[0]?.caller.client).toBe(name);
  });

  it('may say it again', async () => {
    const wire = await new HeldDoor().enter();
    expect(await wire.result('auth', { token })).toEqual({ ok: true });
    expect(await wire.result('server.info')).toMatchObject({ version: '1.2.3' });
  });

  it('is hung up on for a wrong one, after the answers that are under way', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(
      request(1, 'fs.stat', { path: 'a' }),
      request(2, 'auth', { token: 'wrong' }),
      request(3, 'fs.stat', { path: 'b' }),
    );
    expect((await wire.reply(2)).error?.code).toBe(-32001);
    expect(wire.isClosed).toBe(false);
    held.service.begun[0]?.end('seen');
    await wire.closed;
    expect(wire.frames).toMatchObject([{ id: 1, result: 'seen' }]);
    expect(held.service.begun).toHaveLength(1);
  });

  it('learns what the server has, in order', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    expect(await wire.result('server.info')).toEqual({
      version: '1.2.3',
      protocolVersion: 1,
      capabilities: [
        'auth',
        'fs.batchStat',
        'fs.readBinary',
        'fs.remove',
        'fs.rename',
        'fs.stat',
        'fs.unwatch',
        'fs.watch',
        'fs.write',
        'server.info',
      ],
      vaultRoot: '/home/me/vault',
    });
  });

  it('finds no method for what it may not do', async () => {
    const held = new HeldDoor({ scopes: { effects: ['read'], folders: [''], hide: [] } });
    const wire = await held.enter();
    expect((await wire.call('fs.write', {})).error?.code).toBe(-32601);
    expect((await wire.result('server.info'))['capabilities']).not.toContain('fs.write');
  });
});

it('lets in only so many', async () => {
  const held = new HeldDoor({ limits: { remoteConnectionsMax: 1 } });
  const first = await held.enter();
  await (await held.connect()).closed;
  expect(await first.result('auth', { token })).toEqual({ ok: true });
  expect(held.door.connections).toBe(1);
});
