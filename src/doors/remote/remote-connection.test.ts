import { describe, expect, it } from 'vitest';
import { HeldDoor, heldToken as token } from '../../../test/support/held-door.ts';
import { frame, type RemoteWire, request } from '../../../test/support/remote-wire.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type ReadRequest, readRequest } from './read-request.ts';

/** The bodies that came, as they came. */
const bodies = (wire: RemoteWire): (string | undefined)[] =>
  wire.frames.map((each) => wire.bodies.get(each));

/** Lets whatever would happen by itself happen. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}

describe('an answer', () => {
  it.each(['1', '1.0', '1e2', '"a"', '"\\u0061"', '{"a": [1, 2]}', '[ ]', 'true', '-0'])(
    'has the id %s as it came',
    async (id) => {
      const held = new HeldDoor();
      const wire = await held.enter();
      held.service.answer = () => 7;
      wire.send(frame(`{"jsonrpc":"2.0","id":${id},"method":"fs.stat"}`));
      await wire.until(() => wire.frames[0]);
      expect(bodies(wire)).toEqual([`{"jsonrpc":"2.0","id":${id},"result":7}`]);
    },
  );

  it('is an error where the call failed, with what to do', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', { path: 'a' }));
    await held.untilBegun(1);
    held.service.begun[0]?.fail(new VaultError('conflict', 'It has changed; read it again.'));
    expect(await wire.reply(1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32020, message: 'It has changed; read it again.' },
    });
  });

  it('tells nothing of a bug, and the log only where it is', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', { path: 'a' }), request(2, 'fs.stat', { path: 'b' }));
    await held.untilBegun(2);
    held.service.begun[0]?.fail(new Error('secret text'));
    held.service.begun[1]?.fail(new VaultError('internal', 'secret text'));
    for (const id of [1, 2]) {
      const { error } = await wire.reply(id);
      expect(error?.code).toBe(-32603);
      expect(error?.message).not.toContain('secret');
    }
    expect(held.log.join('\n')).toContain('error bug');
    expect(held.log.join('\n')).not.toContain('secret');
  });

  it('that no message can hold is an error', async () => {
    const held = new HeldDoor({ limits: { remoteMessageBytesMax: 200 } });
    const wire = await held.enter();
    const overhead = '{"jsonrpc":"2.0","id":1001,"result":""}'.length;
    const echo = async (bytes: number) => {
      held.service.answer = () =>
        'é'.repeat((bytes - overhead) / 2) + 'x'.repeat(bytes % 2 === overhead % 2 ? 0 : 1);
      return wire.call('fs.stat');
    };
    expect((await echo(199)).error).toBeUndefined();
    expect((await echo(200)).error).toBeUndefined();
    const { error } = await echo(201);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('201 bytes');
    expect(await wire.result('auth', { token })).toEqual({ ok: true });
  });
});

describe('a long message', () => {
  const long = { path: 'a', content: 'x'.repeat(limits.jsonInPlaceBytesMax) };

  /** A door whose long messages are read when the test says so. */
  function slowly() {
    const reads: { readonly bytes: Uint8Array; readonly end: () => void }[] = [];
    const readLarge = (bytes: Uint8Array) =>
      new Promise<ReadRequest>((resolve) => {
        reads.push({ bytes, end: () => resolve(readRequest(bytes)) });
      });
    return { held: new HeldDoor({ readLarge }), reads };
  }

  it('is read elsewhere, and what follows it waits', async () => {
    const { held, reads } = slowly();
    held.service.answer = (name) => name;
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', long), request(2, 'fs.stat', { path: 'b' }));
    await expect.poll(() => reads.length).toBe(1);
    await turns(20);
    expect(held.service.begun).toEqual([]);
    reads[0]?.end();
    expect([(await wire.reply(1)).result, (await wire.reply(2)).result]).toEqual([
      'fs.write',
      'fs.stat',
    ]);
    expect(reads).toHaveLength(1);
  });

  it('is answered although the door closes meanwhile', async () => {
    const { held, reads } = slowly();
    held.service.answer = (name) => name;
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', long));
    await expect.poll(() => reads.length).toBe(1);
    const closed = held.door.close({ waitMs: 1_000 });
    reads[0]?.end();
    expect((await wire.reply(1)).result).toBe('fs.write');
    wire.destroy();
    await closed;
  });

  it('is over when the door cuts its client off meanwhile', async () => {
    const { held, reads } = slowly();
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', long));
    await expect.poll(() => reads.length).toBe(1);
    const closed = held.door.close({ waitMs: 1_000 });
    held.timers.advance(1_000);
    await closed;
    await wire.closed;
    expect(held.door.connections).toBe(1);
    reads[0]?.end();
    await expect.poll(() => held.door.connections).toBe(0);
    expect(held.service.begun).toEqual([]);
  });

  it('that cannot be read is an error, and the connection goes on', async () => {
    const readLarge = async () => {
      throw new VaultError('unavailable', 'The message could not be read; send it again.');
    };
    const wire = await new HeldDoor({ readLarge }).enter();
    wire.send(request(1, 'fs.write', long));
    expect((await wire.reply(null)).error).toMatchObject({ code: -32603 });
    expect(await wire.result('auth', { token })).toEqual({ ok: true });
  });
});

it('of clients that do not read, the one that owes most is cut off', async () => {
  const held = new HeldDoor({ limits: { remoteUnsentAllBytesMax: 3_500_000 } });
  const [much, less] = [await held.enter(), await held.enter()];
  for (const wire of [much, less]) wire.socket.pause();
  const ask = async (wire: RemoteWire, bytes: number): Promise<void> => {
    held.service.answer = () => 'x'.repeat(bytes);
    const begun = held.service.begun.length;
    wire.send(request(1, 'fs.stat', { path: 'a' }));
    await held.untilBegun(begun + 1);
  };
  await ask(much, 3_000_000);
  expect(held.door.connections).toBe(2);
  await ask(less, 2_000_000);
  await expect.poll(() => held.door.connections).toBe(1);
  expect(held.log.join('\n')).toContain('too much unread');
  less.socket.resume();
  expect(String((await less.reply(1)).result)).toHaveLength(2_000_000);
});

describe('what is asked', () => {
  it('reaches the tool without what is null, and without the name of a vault', async () => {
    const held = new HeldDoor();
    held.service.answer = () => null;
    const wire = await held.enter();
    await wire.result('fs.stat', { path: 'a', expectedMtime: null, vault: 'x', other: 1 });
    await wire.result('fs.stat');
    expect(held.service.begun.map(({ args }) => args)).toEqual([{ path: 'a', other: 1 }, {}]);
    expect(held.service.begun[0]?.caller).toMatchObject({ door: 'remote' });
  });

  it.each([[[]], ['x'], [7], [true]])('is refused where the params are %j', async (params) => {
    const wire = await new HeldDoor().enter();
    expect((await wire.call('fs.stat', params)).error?.code).toBe(-32602);
    expect((await wire.call('server.info', params)).error?.code).toBe(-32602);
  });

  it('is run and not answered where it has no id', async () => {
    const held = new HeldDoor();
    held.service.answer = () => null;
    const wire = await held.enter();
    wire.send(
      request(undefined, 'fs.write', { path: 'a' }),
      request(null, 'nothing'),
      'Content-Length: 4\r\n\r\nnull',
    );
    wire.send(frame('{"id":null}'), frame('['), frame(''), request('last', 'fs.stat'));
    await wire.reply('last');
    expect(bodies(wire).map((body) => JSON.parse(body ?? ''))).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
    ]);
    expect(held.service.begun.map(({ name }) => name)).toEqual(['fs.write', 'fs.stat']);
  });
});

describe('calls of one connection', () => {
  it('read side by side, and change one after the other', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(
      request(1, 'fs.write', { path: 'a' }),
      request(2, 'fs.remove', { path: 'b' }),
      request(3, 'fs.readBinary', { path: 'c' }),
      request(4, 'fs.stat', { path: 'a' }),
      request(5, 'fs.stat', { path: 'c' }),
    );
    await held.untilBegun(3);
    const names = () => held.service.begun.map(({ name }) => name);
    expect(names()).toEqual(['fs.write', 'fs.readBinary', 'fs.stat']);
    held.service.begun[2]?.end('c');
    expect(await wire.reply(5)).toMatchObject({ result: 'c' });
    held.service.begun[0]?.end();
    await held.untilBegun(5);
    expect(names().slice(3)).toEqual(['fs.remove', 'fs.stat']);
  });

  it('are no more than so many; the rest is read when some have ended', async () => {
    const held = new HeldDoor({ limits: { requestsAtOnceMax: 3 } });
    const wire = await held.enter();
    const ids = Array.from({ length: 20 }, (_, n) => n);
    wire.send(...ids.map((id) => request(id, 'fs.stat', { path: `${id}` })));
    await held.untilBegun(3);
    for (let ended = 0; ended < 20; ended++) {
      await held.untilBegun(ended + 1);
      expect(held.service.begun.length - ended).toBeLessThanOrEqual(3);
      held.service.begun[ended]?.end(ended);
    }
    for (const id of ids) expect(await wire.reply(id)).toMatchObject({ result: id });
  });

  it('hold no more bytes than a limit before they are run', async () => {
    const held = new HeldDoor({ limits: { remotePendingBytesMax: 10_000 } });
    const wire = await held.enter();
    const ids = Array.from({ length: 10 }, (_, n) => n);
    wire.send(...ids.map((id) => request(id, 'fs.stat', { path: 'x'.repeat(4_000) })));
    await held.untilBegun(3);
    await turns(20);
    expect(held.service.begun).toHaveLength(3);
    held.service.answer = () => null;
    for (const call of held.service.begun.slice(0, 3)) call.end(null);
    for (const id of ids) await wire.reply(id);
  });

  it('do not fill memory for a client that asks and does not read, and wait for it', async () => {
    const held = new HeldDoor({ limits: { remoteUnsentBytesMax: 100_000 } });
    const wire = await held.enter();
    held.service.answer = () => 'x'.repeat(100_000);
    wire.socket.pause();
    const ids = Array.from({ length: 100 }, (_, n) => n);
    wire.send(...ids.map((id) => request(id, 'fs.readBinary', { path: 'a' })));
    await held.untilBegun(1);
    await turns(50);
    expect(held.service.begun.length).toBeLessThan(50);
    wire.socket.resume();
    for (const id of ids) expect(await wire.reply(id)).toHaveProperty('result');
  });
});

describe('the end', () => {
  it('comes to a client that has said all after its last answer', async () => {
    const held = new HeldDoor();
    held.service.answer = (_name, args) => args;
    const wire = await held.connect();
    wire.send(request(1, 'auth', { token }), request(2, 'fs.readBinary', { path: '' }));
    expect(await wire.drain()).toMatchObject([
      { id: 1, result: { ok: true } },
      { id: 2, result: { path: '' } },
    ]);
    await held.until(() => held.door.connections === 0);
    expect(held.service.gone).toHaveLength(1);
  });

  it('waits for calls that take their time, and for those that wait for them', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', { path: 'a' }), request(2, 'fs.write', { path: 'b' }));
    const drained = wire.drain();
    await held.untilBegun(1);
    held.service.begun[0]?.end(1);
    await held.untilBegun(2);
    held.service.begun[1]?.end(2);
    expect(await drained).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  it.each([
    ['a line without a colon', 'hello\r\n'],
    ['no length', 'A: b\r\n\r\n'],
    ['a message that is too long', 'Content-Length: 16777217\r\n\r\n'],
    ['a head that is too long', 'x'.repeat(9_000)],
  ])('comes without a word after %s, and after the answers before it', async (_what, bytes) => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(request(1, 'fs.stat', { path: 'a' }), bytes, request(2, 'fs.stat', { path: 'b' }));
    await held.untilBegun(1);
    held.service.begun[0]?.end('a');
    await wire.closed;
    expect(wire.frames).toMatchObject([{ id: 1, result: 'a' }]);
    expect(held.service.begun).toHaveLength(1);
    expect(held.log.join('\n')).toContain('remote framing fault');
    wire.destroy();
    await held.until(() => held.door.connections === 0);
  });

  // A pipe of Windows cannot be closed in one direction; the daemon needs Linux or macOS.
  it.skipIf(process.platform === 'win32')(
    'comes to one that hangs up inside a message',
    async () => {
      const held = new HeldDoor();
      const wire = await held.enter();
      wire.send('Content-Length: 100\r\n\r\n{');
      expect(await wire.drain()).toEqual([]);
      expect(held.log.join('\n')).toContain('end inside a message');
    },
  );

  it('does not come to a client that does nothing', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    held.timers.advance(24 * 60 * 60_000);
    expect(await wire.result('auth', { token })).toEqual({ ok: true });
  });

  it('aborts the reads of a client that vanished, finishes its change and begins no other', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(
      request(1, 'fs.write', { path: 'a' }),
      request(2, 'fs.write', { path: 'b' }),
      request(3, 'fs.stat', { path: 'c' }),
      request(4, 'fs.stat', { path: 'd' }),
    );
    await held.untilBegun(3);
    wire.destroy();
    const [change, read, other] = held.service.begun;
    other?.end(); // The answer finds nobody.
    await held.until(() => read?.caller.signal.aborted === true);
    expect(change?.caller.signal.aborted).toBe(false);
    expect(held.service.gone).toEqual([]);
    read?.fail(new VaultError('cancelled', 'Cancelled.'));
    change?.end();
    await held.until(() => held.door.connections === 0);
    expect(held.service.begun).toHaveLength(3);
    expect(held.service.gone).toEqual([change?.caller.connection]);
  });
});

describe('a door that closes', () => {
  it('answers what runs, and hangs up on all', async () => {
    const held = new HeldDoor();
    const [busy, idle, stranger] = [await held.enter(), await held.enter(), await held.connect()];
    busy.send(request(1, 'fs.write', { path: 'a' }));
    await held.untilBegun(1);
    const closed = held.door.close({ waitMs: 1_000 });
    await Promise.all([idle.closed, stranger.closed]);
    busy.send(request(2, 'fs.write', { path: 'b' }));
    held.service.begun[0]?.end('made');
    await busy.closed;
    expect(busy.frames).toMatchObject([{ id: 1, result: 'made' }]);
    for (const wire of [busy, idle, stranger]) wire.destroy();
    await closed;
    expect(held.service.begun).toHaveLength(1);
    const late = await held.connect();
    await late.closed;
  });

  it('waits no longer than it was told to, and calls off what still runs', async () => {
    const held = new HeldDoor();
    const wire = await held.enter();
    wire.send(request(1, 'fs.write', { path: 'a' }));
    await held.untilBegun(1);
    const closed = held.door.close({ waitMs: 1_000 });
    held.timers.advance(1_000);
    await closed;
    await wire.closed;
    expect(held.service.begun[0]?.caller.signal.aborted).toBe(true);
    expect(held.log.join('\n')).toContain('the server leaves');
  });

  it('has nothing to wait for when nobody is there', async () => {
    const held = new HeldDoor();
    // The timers of this door stand still: a close that waits would never end.
    await expect(held.door.close({ waitMs: 1_000 })).resolves.toBeUndefined();
    expect(held.log).toEqual([]);
  });
});
