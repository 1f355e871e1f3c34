import { describe, expect, it, vi } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { guest, HttpDoor, holder, messagesIn } from '../../../../test/support/http-door.ts';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { open, serve, statusOf, waitCall } from '../../../../test/support/waiting-door.ts';
import { limits } from '../../../base/limits.ts';

describe('too many sessions', () => {
  it('end the one that was idle longest, which can be revived', async () => {
    const [door] = await open({ limits: { sessionsMax: 2 } });
    const [first, second] = [await door.begin(), await door.begin()];
    await statusOf(door, first);
    await door.begin();
    expect(door.http.sessions).toBe(2);
    expect(door.log).toMatch(/ends=room/);
    expect(await statusOf(door, first)).toBe(200);
    expect(await statusOf(door, second)).toBe(200);
    expect(door.http.sessions).toBe(2);
  });

  it('are refused when none is idle', async () => {
    const [door, tools] = await open({ limits: { sessionsMax: 1 } });
    const session = await door.begin();
    const call = await door.send({ body: waitCall, session });
    await tools.untilRunning(1);
    const refused = await door.send({
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello },
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    tools.release();
    expect(await messagesIn(call)).toMatchObject([{ id: 9 }]);
    await door.begin();
    expect(door.http.sessions).toBe(1);
  });
});

describe('too many sessions of one client', () => {
  const direct = { ...guest, isDirect: true };
  const few = { sessionsPerTokenMax: 3, sessionsPerAddressMax: 3 };

  /** A door, and the names of the sessions that it closed, in order. */
  async function openFew() {
    const [service, tools] = await serve();
    const forgotten = vi.spyOn(service, 'disconnected');
    const door = new HttpDoor(service, { limits: few });
    const names = new Map<string, string>();
    const begin = async (name: string, visitor = holder('a')): Promise<string> => {
      const session = await door.begin({ visitor });
      names.set(session.split('.')[0] ?? '', name);
      return session;
    };
    const closed = () => forgotten.mock.calls.map(([connection]) => names.get(connection));
    return { door, tools, begin, closed };
  }

  it.each([
    ['token', holder('a'), holder('b')],
    ['address', direct, { ...direct, address: '192.168.1.7' }],
  ])('end the oldest of the same %s, and of no other', async (_, visitor, other) => {
    const { door, begin, closed } = await openFew();
    await begin('other', other);
    const first = await begin('first', visitor);
    for (const name of ['second', 'third', 'fourth', 'fifth']) await begin(name, visitor);
    expect(closed()).toEqual(['first', 'second']);
    expect(await statusOf(door, first, visitor)).toBe(200);
    expect(closed()).toEqual(['first', 'second', 'third']);
    expect(door.http.sessions).toBe(4);
  });

  it('are counted for all together where a proxy stands in front of clients without tokens', async () => {
    const { door, begin, closed } = await openFew();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await begin(name, guest);
    expect([door.http.sessions, closed()]).toEqual([5, []]);
  });

  it('end those first that never called, then those that do not listen', async () => {
    const { door, begin, closed } = await openFew();
    const visitor = holder('a');
    const listening = await begin('listening');
    await statusOf(door, listening, visitor);
    await door.send({ method: 'GET', session: listening, visitor });
    await statusOf(door, await begin('called'), visitor);
    await begin('silent');
    for (const name of ['next', 'later', 'last']) {
      await statusOf(door, await begin(name), visitor);
    }
    expect(closed()).toEqual(['silent', 'called', 'next']);
  });

  it('are refused only while all of them are at work', async () => {
    const { door, tools, begin, closed } = await openFew();
    const visitor = holder('a');
    const calls = [];
    for (const name of ['x', 'y', 'z']) {
      calls.push(await door.send({ body: waitCall, session: await begin(name), visitor }));
    }
    await tools.untilRunning(3);
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello };
    const refused = await door.send({ body, visitor });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      error: { code: -32000, data: { errorCode: 'BUSY', retryAfterMs: limits.busyRetryMs } },
    });
    tools.release();
    for (const call of calls) await messagesIn(call);
    await begin('new');
    expect(closed()).toEqual(['x']);
  });

  it('stay few, however many are begun', async () => {
    const [door] = await open();
    const count = counted({ quick: 400, full: 3_000 });
    for (let at = 0; at < count; at++) await door.begin({ visitor: direct });
    expect(door.http.sessions).toBe(limits.sessionsPerAddressMax);
  });

  it('are streams where there are no sessions: the oldest ends', async () => {
    const { door } = await openFew();
    const visitor = holder('a');
    const listen = { notifications: { resourceSubscriptions: ['vault:///A.md'] } };
    const streams = [];
    for (let at = 0; at < 4; at++) {
      streams.push(await door.sendModern('subscriptions/listen', listen, { visitor }));
    }
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [oldest, ...others] = streams;
    if (oldest !== undefined) await messagesIn(oldest); // It ends.
    for (const stream of others) await stream.body?.cancel();
  });
});
