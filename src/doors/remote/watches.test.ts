import { describe, expect, it } from 'vitest';
import { HeldDoor } from '../../../test/support/held-door.ts';
import { frame, type RemoteWire, request } from '../../../test/support/remote-wire.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';

const created = (path: string) =>
  ({ event: 'created', path: vaultPath(path), mtimeMs: 7 }) as const;
const deleted = (path: string) => ({ event: 'deleted', path: vaultPath(path) }) as const;

async function watch(wire: RemoteWire, params?: object): Promise<string> {
  return String((await wire.result('fs.watch', params))['subscriptionId']);
}

describe('fs.watch', () => {
  it('tells what happens in the shape of the protocol', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    const subscriptionId = await watch(wire, { path: 'a', recursive: true });
    expect(subscriptionId).toMatch(/^[0-9a-f]{24}$/);
    expect(held.service.watches[0]?.watched).toEqual({ path: 'a', recursive: true });
    held.service.watches[0]?.tell([created('a/b.md'), deleted('a/c.md')]);
    expect(await wire.take()).toEqual({
      jsonrpc: '2.0',
      method: 'fs.changed',
      params: { subscriptionId, path: 'a/b.md', event: 'created', mtime: 7 },
    });
    expect(await wire.take()).toEqual({
      jsonrpc: '2.0',
      method: 'fs.changed',
      params: { subscriptionId, path: 'a/c.md', event: 'deleted' },
    });
  });

  it('watches the vault, and only what is in it, unless it is told otherwise', async () => {
    const held = new HeldDoor();
    await watch(await held.enter());
    expect(held.service.watches[0]?.watched).toEqual({ path: '', recursive: false });
  });

  it.each<[object, number]>([
    [{ path: 7 }, -32602],
    [{ path: 'a', recursive: 1 }, -32602],
    [{ path: '../a' }, -32015],
  ])('refuses %j with %i', async (params, code) => {
    const wire = await new HeldDoor().enter();
    expect((await wire.call('fs.watch', params)).error?.code).toBe(code);
  });

  it('answers before it tells, also of what happened before the answer', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    held.service.whileWatching = ({ tell }) => tell([created('early.md')]);
    wire.send(request(1, 'fs.watch', {}));
    await wire.until(() => wire.frames[1]);
    held.service.watches[0]?.tell([created('late.md')]);
    await wire.until(() => wire.frames[2]);
    const id = wire.frames[1]?.params?.['subscriptionId'];
    expect(wire.frames).toMatchObject([
      { id: 1, result: { subscriptionId: id } },
      { params: { subscriptionId: id, path: 'early.md' } },
      { params: { subscriptionId: id, path: 'late.md' } },
    ]);
  });

  it('tells of as much as there was before the answer', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    const events = Array.from({ length: 200_000 }, () => created('early.md'));
    held.service.whileWatching = ({ tell }) => tell(events);
    await watch(wire);
    expect(await wire.take()).toMatchObject({ params: { path: 'early.md' } });
  });

  it('is in effect before a change that was sent after it', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    let go: () => void = () => undefined;
    held.service.whileWatching = () =>
      new Promise<void>((resolve) => {
        go = resolve;
      });
    wire.send(
      request(1, 'fs.watch'),
      request(2, 'fs.write', { path: 'a' }),
      request(3, 'fs.stat', { path: 'b' }),
    );
    await held.untilBegun(1);
    expect(held.service.begun.map(({ name }) => name)).toEqual(['fs.stat']);
    go();
    await held.untilBegun(2);
    expect(held.service.begun[1]?.name).toBe('fs.write');
  });

  it('has a limit for each connection', async () => {
    const held = new HeldDoor({ limits: { remoteWatchesMax: 2 } });
    const wire = await held.enter();
    const id = await watch(wire);
    await watch(wire);
    expect((await wire.call('fs.watch')).error?.code).toBe(-32602);
    await wire.result('fs.unwatch', { subscriptionId: id });
    await watch(wire);
  });

  it('ends when the connection does, also where it had not begun', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    await watch(wire);
    let go: () => void = () => undefined;
    held.service.whileWatching = () =>
      new Promise<void>((resolve) => {
        go = resolve;
      });
    wire.send(request(1, 'fs.watch'), request(2, 'fs.stat'));
    await held.untilBegun(1);
    wire.destroy();
    held.service.begun[0]?.end();
    await held.until(() => held.service.watches[0]?.isEnded === true);
    go();
    await held.until(() => held.service.watches[1]?.isEnded === true);
    await held.until(() => held.door.connections === 0);
    expect(held.service.watches.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  });
});

describe('fs.unwatch', () => {
  it('ends a subscription, and no other', async () => {
    const held = new HeldDoor();
    const [wire, other] = [await held.enter(), await held.enter()];
    const id = await watch(wire);
    const kept = await watch(other);
    expect(await wire.result('fs.unwatch', { subscriptionId: kept })).toEqual({});
    expect(await wire.result('fs.unwatch', { subscriptionId: id })).toEqual({});
    expect(held.service.watches.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    held.service.watches[1]?.tell([created('a.md')]);
    expect(await other.take()).toMatchObject({ params: { subscriptionId: kept } });
    expect(wire.frames).toEqual([]);
  });

  it.each([[{ subscriptionId: 'unknown' }], [{ subscriptionId: null }], [{}], [undefined]])(
    'of %j is a success',
    async (params) => {
      const wire = await new HeldDoor().enter();
      expect(await wire.result('fs.unwatch', params)).toEqual({});
    },
  );

  it('of no text is refused', async () => {
    const wire = await new HeldDoor().enter();
    expect((await wire.call('fs.unwatch', { subscriptionId: 7 })).error?.code).toBe(-32602);
  });
});

describe('the name that a client gave its change', () => {
  async function changed(): Promise<[HeldDoor, RemoteWire, RemoteWire]> {
    const held = new HeldDoor();
    const [wire, other] = [await held.enter(), await held.enter()];
    await watch(wire);
    await watch(other);
    const params = { oldPath: 'a.md', newPath: '/b//c.md' };
    wire.send(frame({ jsonrpc: '2.0', id: 1, method: 'fs.rename', params, meta: { cid: 'c1' } }));
    await held.untilBegun(1);
    return [held, wire, other];
  }

  const tell = (held: HeldDoor): void => {
    const events = [deleted('a.md'), created('b/c.md'), created('b/c.md'), created('other.md')];
    for (const each of held.service.watches) each.tell(events);
  };

  const namesSeen = async (wire: RemoteWire): Promise<unknown[]> => {
    const seen = [];
    for (let n = 0; n < 4; n++) seen.push(await wire.take(({ method }) => method !== undefined));
    return seen.map(({ meta }) => meta?.['cid']);
  };

  it('is told to all who watch, with the first event of each path', async () => {
    const [held, wire, other] = await changed();
    tell(held);
    expect(await namesSeen(wire)).toEqual(['c1', 'c1', undefined, undefined]);
    expect(await namesSeen(other)).toEqual(['c1', 'c1', undefined, undefined]);
  });

  it('is forgotten after a while', async () => {
    const [held, wire] = await changed();
    held.timers.advance(limits.remoteCorrelationMs);
    tell(held);
    expect(await namesSeen(wire)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is forgotten when the change was not made', async () => {
    const [held, wire] = await changed();
    held.service.begun[0]?.fail(new Error('no'));
    await wire.reply(1);
    tell(held);
    expect(await namesSeen(wire)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a client that leaves its notices unread', () => {
  // The daemon needs Linux or macOS; a pipe of Windows is not a socket.
  it.skipIf(process.platform === 'win32')('is cut off, and others are told', async () => {
    const held = new HeldDoor({
      limits: { remoteUnreadNoticesMax: 50, remoteUnreadNoticesMs: 0 },
    });
    const [slow, quick] = [await held.enter(), await held.enter()];
    await watch(slow);
    await watch(quick);
    slow.socket.pause();
    const events = Array.from({ length: 1_000 }, (_, n) => created(`${n}.md`));
    for (let times = 0; times < 50; times++) {
      for (const each of held.service.watches) if (!each.isEnded) each.tell(events);
      for (let n = 0; n < 1_000; n++) await quick.take();
    }
    await held.until(() => held.service.watches[0]?.isEnded === true);
    expect(held.service.watches[1]?.isEnded).toBe(false);
    expect(held.log.join('\n')).toContain('notices unread');
  });

  it('is not cut off for one burst that it reads', async () => {
    const held = new HeldDoor({
      limits: { remoteUnreadNoticesMax: 50, remoteUnreadNoticesMs: 0 },
    });
    const wire = await held.enter();
    await watch(wire);
    held.service.watches[0]?.tell(Array.from({ length: 5_000 }, (_, n) => created(`${n}.md`)));
    for (let n = 0; n < 5_000; n++) await wire.take();
    expect(held.service.watches[0]?.isEnded).toBe(false);
  });
});
