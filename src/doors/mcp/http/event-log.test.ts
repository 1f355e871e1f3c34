import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import {
  EventLog,
  EventMemory,
  isAnswerEvent,
  listeningStream,
  requestOfEvent,
} from './event-log.ts';

const message = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'note',
  params: { text },
});
const nothing = {} as JSONRPCMessage;

/** A memory of these limits, and a clock. */
function open(limits: Partial<EventMemory['limits']> = {}) {
  const clock = { nowMs: 0 };
  const all = { sessionEventsMax: 100, sessionEventBytesMax: 100_000, allEventBytesMax: 200_000 };
  const memory = new EventMemory({ ...all, ...limits }, () => clock.nowMs);
  return { memory, clock, log: new EventLog(memory) };
}

async function replayed(log: EventLog, id: string): Promise<[string, readonly unknown[]]> {
  const sent: unknown[] = [];
  const send = async (_id: string, { params }: { params?: object }): Promise<void> => {
    sent.push((params as { text: string }).text);
  };
  return [await log.replayEventsAfter(id, { send: send as never }), sent];
}

describe('the events of a session', () => {
  it('are sent again from any of them on, those of its stream alone', async () => {
    const { log } = open();
    const primed = await log.storeEvent('a', nothing);
    const first = await log.storeEvent('a', message('1'));
    await log.storeEvent('b', message('other'));
    const last = await log.storeEvent('a', message('2'));
    expect(await replayed(log, primed)).toEqual(['a', ['1', '2']]);
    expect(await replayed(log, first)).toEqual(['a', ['2']]);
    expect(await replayed(log, last)).toEqual(['a', []]);
  });

  it('are known by ids of this life only', async () => {
    const { log, memory } = open();
    const id = await log.storeEvent('a', message('1'));
    expect(log.has(id)).toBe(true);
    expect(new EventLog(memory).has(id)).toBe(false);
    const other = new EventLog(memory);
    expect(await other.storeEvent('a', message('1'))).not.toBe(id);
  });

  it('tell by their ids whether they answer or tell of changes', async () => {
    const { log } = open();
    expect(isAnswerEvent(await log.storeEvent('a', nothing))).toBe(true);
    expect(isAnswerEvent(await log.storeEvent(listeningStream, nothing))).toBe(false);
  });

  it.each<readonly [string | number | undefined, string | number | undefined]>([
    [7, 7],
    ['r.1 ✓', 'r.1 ✓'],
    ['', ''],
    [undefined, undefined],
    ['x'.repeat(200), undefined],
  ])('of the answer to %j name the request %j', async (request, named) => {
    const { log } = open();
    const [primed, other] = await Promise.all([
      log.beginning(request, async () => log.storeEvent('a', nothing)),
      log.beginning(undefined, async () => log.storeEvent('b', nothing)),
    ]);
    const listening = await log.storeEvent(listeningStream, nothing);
    const next = await log.storeEvent('a', message('1'));
    expect([primed, next, other, listening].map(requestOfEvent)).toEqual([
      named,
      named,
      undefined,
      undefined,
    ]);
    expect([primed, next].filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
  });

  it.each(['', 'answer', 'answer.x.1.', 'answer.x.1.e30', 'answer.x.1.%', 'listening.x.1.Nw'])(
    'that we did not name, like %j, name no request',
    (id) => {
      expect(requestOfEvent(id)).toBeUndefined();
    },
  );

  it.each([
    ['number', { sessionEventsMax: 3 }, 10],
    ['size', { sessionEventBytesMax: 1_000 }, 100],
    ['size with those of other sessions', { allEventBytesMax: 1_000 }, 100],
  ])('are limited in %s: the oldest go', async (_what, limits, chars) => {
    const { log, memory } = open(limits);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(await log.storeEvent('a', message('x'.repeat(chars))));
    const kept = ids.filter((id) => log.has(id));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(5);
    expect(kept).toEqual(ids.slice(-kept.length));
    expect(memory.bytes).toBeLessThan(1_001);
  });

  it('too large to be kept leave the others alone', async () => {
    const { log } = open({ sessionEventBytesMax: 1_000 });
    const small = await log.storeEvent('a', message('small'));
    const large = await log.storeEvent('a', message('x'.repeat(2_000)));
    expect([log.has(small), log.has(large)]).toEqual([true, false]);
  });

  it('tell a client that comes back for an answer too large to be kept', async () => {
    const { log } = open({ sessionEventBytesMax: 1_000 });
    const first = await log.storeEvent('a', message('small'));
    const content = 'x'.repeat(2_000);
    const large = await log.storeEvent('a', { jsonrpc: '2.0', id: 7, result: { content } });
    const sent: unknown[] = [];
    await log.replayEventsAfter(first, { send: async (...event) => void sent.push(event) });
    const error = { code: -32000, message: expect.stringContaining('too large to be kept') };
    expect(sent).toEqual([[large, { jsonrpc: '2.0', id: 7, error }]]);
  });

  it('of all sessions go in the order they came in', async () => {
    const { memory } = open({ allEventBytesMax: 1_000 });
    const logs = Array.from({ length: 8 }, () => new EventLog(memory));
    const ids: string[] = [];
    for (const log of logs) ids.push(await log.storeEvent('a', message('x'.repeat(50))));
    const kept = logs.map((log, i) => log.has(ids[i] ?? ''));
    expect(kept).toEqual([false, false, false, false, false, true, true, true]);
  });

  it('are forgotten after a while, and with their session', async () => {
    const { memory, clock, log } = open();
    const old = await log.storeEvent('a', message('1'));
    clock.nowMs = 100;
    const young = await log.storeEvent('a', message('2'));
    memory.forgetOlderThan(50);
    expect([log.has(old), log.has(young)]).toEqual([false, true]);
    log.clear();
    expect(memory.bytes).toBe(0);
  });
});
