import { describe, expect, it, vi } from 'vitest';
import {
  eventsOf,
  HttpDoor,
  holder,
  memoryBook,
  messagesIn,
} from '../../../../test/support/http-door.ts';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { open, serve, statusOf, waitCall } from '../../../../test/support/waiting-door.ts';
import { allScopes, type Visitor } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { vaultFolder } from '../../../base/vault-path.ts';

describe('what a client says of itself', () => {
  it('is kept as long as its session, and so cut', async () => {
    const [door] = await open();
    const long = { name: 'n'.repeat(1_000_000), version: '1', title: 't'.repeat(1_000_000) };
    const session = await door.begin({ hello: { clientInfo: long } });
    expect(session.length).toBeLessThan(300);
    expect(door.log).toContain('client=nnn');
    expect(door.log.length).toBeLessThan(2_000);
  });

  it('is refused when there is too much of what it can do', async () => {
    const [door] = await open();
    const capabilities = { experimental: { a: { b: 'c'.repeat(limits.capabilitiesCharsMax) } } };
    const params = { ...legacyHello, capabilities };
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    expect((await door.send({ body })).status).toBe(413);
    expect(door.http.sessions).toBe(0);
  });
});

describe('an id', () => {
  it('that was never given out is not found, and says what to do', async () => {
    const [door] = await open();
    for (const session of ['abc', crypto.randomUUID(), '']) {
      const response = await door.send({ body: waitCall, session });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error: {
          code: -32001,
          message: expect.stringMatching(/^Session not found\. .*"initialize"/),
        },
      });
    }
    for (const method of ['GET', 'DELETE']) {
      expect((await door.send({ method, session: 'abc' })).status).toBe(404);
    }
  });

  it('that someone else signed is not found', async () => {
    const [door] = await open();
    const key = async () => new Uint8Array(32).fill(8);
    const [other] = await open({ book: { ...memoryBook(), key } });
    expect(await statusOf(door, await other.begin())).toBe(404);
  });

  it('works for the token it was given to, and for no other visitor', async () => {
    const [door] = await open();
    const session = await door.begin({ visitor: holder('aaaa') });
    expect(await statusOf(door, session, holder('aaaa'))).toBe(200);
    expect(await statusOf(door, session, holder('bbbb'))).toBe(404);
    expect(await statusOf(door, session)).toBe(404);
    const free = await door.begin();
    expect(await statusOf(door, free, holder('aaaa'))).toBe(404);
  });

  it('that is too old is not found', async () => {
    const [door] = await open();
    const session = await door.begin();
    await door.pass(limits.sessionAgeMaxMs + 1);
    expect(await statusOf(door, session)).toBe(404);
  });
});

describe('a deleted session', () => {
  it('is gone, after a restart too', async () => {
    const book = memoryBook();
    const [door] = await open({ book });
    const session = await door.begin();
    const deleted = await door.send({ method: 'DELETE', session });
    expect([deleted.status, await deleted.text(), door.http.sessions]).toEqual([200, '', 0]);
    expect(await statusOf(door, session)).toBe(404);
    expect((await door.send({ method: 'DELETE', session })).status).toBe(404);
    const [later] = await open({ book });
    expect(await statusOf(later, session)).toBe(404);
  });

  it('is gone even if it was not open any more', async () => {
    const book = memoryBook();
    const session = await (await open({ book }))[0].begin();
    const [later] = await open({ book });
    expect((await later.send({ method: 'DELETE', session })).status).toBe(200);
    expect(await statusOf(later, session)).toBe(404);
  });

  it('is deleted by nobody but its owner', async () => {
    const [door] = await open();
    const session = await door.begin();
    expect((await door.send({ method: 'DELETE', session, visitor: holder('a') })).status).toBe(404);
    expect(await statusOf(door, session)).toBe(200);
  });

  it('aborts what runs, ends its streams, and is forgotten', async () => {
    const [service, tools] = await serve();
    const forgotten = vi.spyOn(service, 'disconnected');
    const door = new HttpDoor(service);
    const session = await door.begin();
    const call = await door.send({ body: waitCall, session });
    const stream = await door.send({ method: 'GET', session });
    await tools.untilRunning(1);
    await door.send({ method: 'DELETE', session });
    expect(await messagesIn(call)).toEqual([]);
    expect(await messagesIn(stream)).toEqual([]);
    expect(tools.callers[0]?.signal.aborted).toBe(true);
    expect(forgotten.mock.calls).toEqual([[session.split('.')[0]]]);
  });
});

describe('a restart', () => {
  it('is not noticed: the session is revived as it was', async () => {
    const book = memoryBook();
    const visitor = holder('aaaa');
    const hello = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} } };
    const session = await (await open({ book }))[0].begin({ visitor, hello });
    const [door, tools] = await open({ book });
    tools.release();
    const { result } = await door.ask('tools/call', { name: 'wait' }, { session, visitor });
    expect(result).toMatchObject({ content: [{ text: '"waited"' }] });
    expect(tools.callers[0]).toMatchObject({
      connection: session.split('.')[0],
      client: 'test/1.0.0',
    });
    expect(tools.callers[0]?.ask).toBeDefined();
    expect(door.http.sessions).toBe(1);
  });

  it('is noticed once by many requests at once', async () => {
    const book = memoryBook();
    const session = await (await open({ book }))[0].begin();
    const [door] = await open({ book });
    const statuses = Array.from({ length: 20 }, (_, id) =>
      door.send({ body: { jsonrpc: '2.0', id, method: 'ping' }, session }),
    );
    const responses = await Promise.all(statuses);
    for (const response of responses) {
      expect(await messagesIn(response)).toMatchObject([{ result: {} }]);
    }
    expect(door.http.sessions).toBe(1);
  });

  it('gives a listening client its stream back, whatever it heard last', async () => {
    const book = memoryBook();
    const [first] = await open({ book });
    const session = await first.begin();
    const { value } = await eventsOf(await first.send({ method: 'GET', session })).next();
    const [door] = await open({ book });
    const headers = { 'last-event-id': value?.id ?? '' };
    const stream = await door.send({ method: 'GET', session, headers });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  it('tells a client that waits for an answer from before that none will come', async () => {
    const book = memoryBook();
    const [first] = await open({ book });
    const session = await first.begin();
    const version = { 'mcp-protocol-version': '2025-11-25' };
    const stream = await first.send({ body: waitCall, session, headers: version });
    const { value } = await eventsOf(stream).next();
    const [door] = await open({ book });
    const headers = { 'last-event-id': value?.id ?? '' };
    const response = await door.send({ method: 'GET', session, headers });
    expect(await messagesIn(response)).toMatchObject([
      { id: waitCall.id, error: { code: -32000, message: expect.stringContaining('restarted') } },
    ]);
  });
});

describe('an idle session', () => {
  it('ends, and is revived when its client comes back', async () => {
    const [door] = await open();
    const session = await door.begin();
    await door.pass(limits.sessionIdleMs);
    expect(door.http.sessions).toBe(1);
    await door.pass(limits.sessionIdleMs);
    expect(door.http.sessions).toBe(0);
    expect(await statusOf(door, session)).toBe(200);
    expect(door.http.sessions).toBe(1);
    await door.pass(limits.sessionIdleMs + 1);
    expect(door.http.sessions).toBe(0);
  });

  it('is none while something runs or listens', async () => {
    const [door, tools] = await open();
    const [calling, listening] = [await door.begin(), await door.begin()];
    const call = await door.send({ body: waitCall, session: calling });
    const leaving = new AbortController();
    await door.send({ method: 'GET', session: listening, signal: leaving.signal });
    await tools.untilRunning(1);
    await door.pass(2 * limits.sessionIdleMs);
    expect(door.http.sessions).toBe(2);
    tools.release();
    await messagesIn(call);
    await door.pass(2 * limits.sessionIdleMs);
    expect(door.http.sessions).toBe(1);
    leaving.abort();
    await door.pass(limits.sessionIdleMs / 2);
    expect(door.http.sessions).toBe(1);
    await door.pass(limits.sessionIdleMs);
    expect(door.http.sessions).toBe(0);
  });
});

describe('a token that is revoked', () => {
  it('takes its sessions and streams with it, and no others', async () => {
    const [door, tools] = await open();
    const [gone, kept] = [holder('gone'), holder('kept')];
    const uri = 'vault:///A.md';
    const listen = { notifications: { resourceSubscriptions: [uri] } };
    const streamsOf = async (visitor: typeof gone) => {
      const session = await door.begin({ visitor });
      return [
        await door.send({ method: 'GET', session, visitor }),
        await door.sendModern('subscriptions/listen', listen, { visitor }),
        await door.send({ body: waitCall, session, visitor }),
      ];
    };
    const [ended, going] = [await streamsOf(gone), await streamsOf(kept)];
    await tools.untilRunning(2);
    await door.pass(limits.tokenLookMs);
    expect(door.http.sessions).toBe(2);
    door.revoked.add('gone');
    await door.pass(limits.tokenLookMs);
    for (const response of ended) await messagesIn(response); // They end.
    expect(door.http.sessions).toBe(1);
    expect(tools.callers.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    for (const response of going) await response.body?.cancel();
  });

  it('or for other folders now ends its streams; the session goes on with these', async () => {
    let now = 'A';
    const isValid = async (_token: string, folders: readonly string[]): Promise<boolean> =>
      folders.join() === now;
    const [door] = await open({ isValid });
    const of = (folder: string): Visitor => ({
      ...holder('grant'),
      scopes: { ...allScopes, folders: [vaultFolder(folder)] },
    });
    const session = await door.begin({ visitor: of('A') });
    const streams = [
      await door.send({ method: 'GET', session, visitor: of('A') }),
      await door.sendModern('subscriptions/listen', { notifications: {} }, { visitor: of('A') }),
    ];
    await door.pass(limits.tokenLookMs);
    expect(door.http.sessions).toBe(1);
    now = 'B';
    await door.pass(limits.tokenLookMs);
    for (const response of streams) await messagesIn(response); // They end.
    expect(door.http.sessions).toBe(0);
    const again = await door.send({ method: 'GET', session, visitor: of('B') });
    await door.pass(limits.tokenLookMs);
    expect([again.status, door.http.sessions]).toEqual([200, 1]);
    await again.body?.cancel();
  });

  it('ends all that goes on for tokens when nobody can tell', async () => {
    const [door] = await open({ isValid: () => Promise.reject(new Error('The book is gone.')) });
    await door.begin({ visitor: holder('a') });
    await door.begin();
    await door.pass(limits.tokenLookMs);
    expect(door.http.sessions).toBe(1);
  });
});
