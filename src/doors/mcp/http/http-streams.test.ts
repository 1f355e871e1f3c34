import { afterEach, describe, expect, it } from 'vitest';
import {
  eventsOf,
  guest,
  HttpDoor,
  type HttpDoorParts,
  memoryBook,
  messagesIn,
  type ServerEvent,
} from '../../../../test/support/http-door.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';

let vault: MemoryVault | undefined;

async function open(parts: HttpDoorParts = {}): Promise<[HttpDoor, WaitingTools]> {
  vault = await openWrittenVault({ 'A.md': 'text of A', 'Private/B.md': 'b' });
  const tools = new WaitingTools();
  return [new HttpDoor(createService(vault.whole, [tools.toolset], nodeTimers), parts), tools];
}

afterEach(async () => {
  await vault?.close();
  vault = undefined;
});

/** Somebody else changes a note. */
async function edit(path: string, text: string): Promise<void> {
  vault?.disk.write(path, text);
  await vault?.keeper.refresh([vaultPath(path)]);
}

const uri = 'vault:///A.md';
const updated = { method: 'notifications/resources/updated' };
const waitCall = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait' },
});

/** The next event that is a message. */
async function next(events: AsyncGenerator<ServerEvent>): Promise<ServerEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('The stream has ended.');
    if (value.message !== undefined) return value;
  }
}

describe('the stream of a session', () => {
  it('tells of resources that were subscribed to, until they no longer are', async () => {
    const [door] = await open();
    const session = await door.begin();
    await door.ask('resources/subscribe', { uri }, { session });
    const events = eventsOf(await door.send({ method: 'GET', session }));
    await edit('A.md', 'new');
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await door.ask('resources/unsubscribe', { uri }, { session });
    await edit('A.md', 'newer');
    await door.send({ method: 'DELETE', session });
    await expect(next(events)).rejects.toThrow('ended');
  });

  it('goes on where it broke off', async () => {
    const [door] = await open();
    const session = await door.begin();
    await door.ask('resources/subscribe', { uri }, { session });
    const broken = eventsOf(await door.send({ method: 'GET', session }));
    const primed = (await broken.next()).value as ServerEvent;
    await broken.return(undefined);
    await edit('A.md', 'while nobody listened');
    const headers = { 'last-event-id': primed.id ?? '' };
    const events = eventsOf(await door.send({ method: 'GET', session, headers }));
    expect((await next(events)).message).toMatchObject(updated);
    await edit('A.md', 'and now');
    expect((await next(events)).message).toMatchObject(updated);
    await events.return(undefined);
  });

  it('takes the place of the one before it', async () => {
    const [door] = await open();
    const session = await door.begin();
    await door.ask('resources/subscribe', { uri }, { session });
    const first = await door.send({ method: 'GET', session });
    const second = eventsOf(await door.send({ method: 'GET', session }));
    expect(await messagesIn(first)).toEqual([]); // It has ended.
    await edit('A.md', 'new');
    expect((await next(second)).message).toMatchObject(updated);
    await second.return(undefined);
  });

  it.each([
    ['2025-11-25', /^id: listening\..*\nretry: \d+\ndata: \n\n$/],
    ['2025-06-18', /^retry: \d+\n\n$/],
  ])('says to clients of %s when to come back', async (protocolVersion, first) => {
    const [door] = await open();
    const session = await door.begin({ hello: { protocolVersion } });
    const reader = (await door.send({ method: 'GET', session })).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(first);
    await reader?.cancel();
  });

  it('is opened for those who accept streams only', async () => {
    const [door] = await open();
    const session = await door.begin();
    const headers = { accept: 'application/json' };
    expect((await door.send({ method: 'GET', session, headers })).status).toBe(406);
    const any = await door.send({ method: 'GET', session, headers: { accept: '*/*' } });
    expect(any.status).toBe(200);
    await any.body?.cancel();
  });

  it('does not tell of what its client may not see', async () => {
    const [door] = await open();
    const visitor = { ...guest, scopes: { ...allScopes, hide: ['Private'] } };
    const session = await door.begin({ visitor });
    const hidden = { uri: 'vault:///Private/B.md' };
    const { error } = await door.ask('resources/subscribe', hidden, { session, visitor });
    expect(error?.code).toBe(-32002);
  });
});

describe('a session that is revived', () => {
  /** A door over the same vault and book, as after a restart. */
  const restarted = (book: NonNullable<HttpDoorParts['book']>): HttpDoor => {
    if (vault === undefined) throw new Error('There is no vault.');
    return new HttpDoor(createService(vault.whole, [new WaitingTools().toolset], nodeTimers), {
      book,
    });
  };

  it('still tells of the resources, and of what may have changed meanwhile', async () => {
    const book = memoryBook();
    const [door] = await open({ book });
    const session = await door.begin();
    await door.ask('resources/subscribe', { uri }, { session });
    const other = 'vault:///Private/B.md';
    await door.ask('resources/subscribe', { uri: other }, { session });
    await door.ask('resources/unsubscribe', { uri: other }, { session });
    await door.http.close(0);
    const after = restarted(book);
    const events = eventsOf(await after.send({ method: 'GET', session }));
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await edit('A.md', 'after the restart');
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await after.ask('resources/unsubscribe', { uri }, { session });
    await events.return(undefined);
    await after.http.close(0);
    expect(await book.recall(session.slice(0, 36))).toBeUndefined();
  });

  it('does not tell of what its client may not see any more', async () => {
    const book = memoryBook();
    const [door] = await open({ book });
    const session = await door.begin();
    for (const each of ['vault:///Private/B.md', uri]) {
      await door.ask('resources/subscribe', { uri: each }, { session });
    }
    await door.http.close(0);
    const after = restarted(book);
    const visitor = { ...guest, scopes: { ...allScopes, hide: ['Private'] } };
    const events = eventsOf(await after.send({ method: 'GET', session, visitor }));
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await edit('Private/B.md', 'hidden');
    await edit('A.md', 'seen');
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await events.return(undefined);
    await after.http.close(0);
  });

  it('still has the level of its log', async () => {
    const book = memoryBook();
    const [door] = await open({ book });
    const session = await door.begin();
    await door.ask('logging/setLevel', { level: 'info' }, { session });
    await door.http.close(0);
    const after = restarted(book);
    const body = { ...waitCall(1), params: { name: 'count' } };
    const messages = await messagesIn(await after.send({ body, session }));
    expect(messages).toContainEqual(
      expect.objectContaining({
        method: 'notifications/message',
        params: expect.objectContaining({ level: 'info' }),
      }),
    );
    await after.http.close(0);
  });

  it('goes on when nothing can be kept or read', async () => {
    const fails = async (): Promise<never> => {
      throw new Error('The disk is full.');
    };
    const book = { ...memoryBook(), keep: fails, recall: fails };
    const [door] = await open({ book });
    const session = await door.begin();
    expect((await door.ask('resources/subscribe', { uri }, { session })).result).toEqual({});
    expect(door.log).toContain('session-not-kept');
    await door.http.close(0);
    const after = restarted(book);
    expect((await after.ask('ping', {}, { session })).result).toEqual({});
    expect(after.log).toContain('session-not-recalled');
    await after.http.close(0);
  });
});

describe('an answer whose stream broke', () => {
  const headersOf = (event: ServerEvent) => ({
    'last-event-id': event.id ?? '',
    'mcp-protocol-version': '2025-11-25',
  });
  const headers = { 'mcp-protocol-version': '2025-11-25' };

  it.each([
    ['before it was there', true],
    ['after', false],
  ])('is given to whoever comes back %s', async (_name, isEarly) => {
    const [door, tools] = await open();
    const session = await door.begin();
    const events = eventsOf(await door.send({ body: waitCall(9), session, headers }));
    const primed = (await events.next()).value as ServerEvent;
    await tools.untilRunning(1);
    await events.return(undefined);
    // Leaving is no cancelling in this era.
    expect(tools.callers[0]?.signal.aborted).toBe(false);
    if (!isEarly) tools.release();
    if (!isEarly) await door.pass(1);
    const resumed = await door.send({ method: 'GET', session, headers: headersOf(primed) });
    tools.release();
    expect(await messagesIn(resumed)).toMatchObject([
      { id: 9, result: { content: [{ text: '"waited"' }] } },
    ]);
  });

  it('is given to a client that comes back before its leaving was noticed', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const stuck = await door.send({ body: waitCall(9), session, headers });
    const primed = (await eventsOf(stuck.clone()).next()).value as ServerEvent;
    await tools.untilRunning(1);
    const resumed = await door.send({ method: 'GET', session, headers: headersOf(primed) });
    tools.release();
    expect(await messagesIn(resumed)).toMatchObject([{ id: 9 }]);
  });

  it('is not kept for ever', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    tools.release();
    const response = await door.send({ body: waitCall(9), session, headers });
    const primed = (await eventsOf(response).next()).value as ServerEvent;
    await door.pass(limits.sessionEventMs + 1);
    const late = await door.send({ method: 'GET', session, headers: headersOf(primed) });
    expect(await messagesIn(late)).toMatchObject([
      { id: 9, error: { code: -32000, message: expect.stringContaining('check before') } },
    ]);
  });
});

describe('listening in 2026', () => {
  const listen = (uris: readonly string[]) => ({
    notifications: { resourceSubscriptions: uris },
  });

  it('is acknowledged for what the visitor may see, and tells of that', async () => {
    const [door] = await open();
    const visitor = { ...guest, scopes: { ...allScopes, hide: ['Private'] } };
    const uris = ['vault:///Private/B.md', uri, 'file:///etc/passwd', uri];
    const events = eventsOf(
      await door.sendModern('subscriptions/listen', listen(uris), { visitor }),
    );
    expect((await next(events)).message).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: [uri] } },
    });
    await edit('Private/B.md', 'new');
    await edit('A.md', 'new');
    expect((await next(events)).message).toMatchObject({ ...updated, params: { uri } });
    await events.return(undefined);
  });

  it('tells each client once, however many listen', async () => {
    const [door] = await open();
    const begin = async () =>
      eventsOf(await door.sendModern('subscriptions/listen', listen([uri])));
    const all = [await begin(), await begin(), await begin()];
    for (const events of all) await next(events);
    await edit('A.md', 'new');
    for (const events of all) expect((await next(events)).message).toMatchObject(updated);
    await door.http.close(0);
    for (const events of all) {
      expect((await next(events)).message).toMatchObject({ result: { resultType: 'complete' } });
    }
  });

  it.each([
    ['nothing that can be heard', listen(['vault:///../x.md']), 200],
    ['what is no list', { notifications: { resourceSubscriptions: 5 } }, 200],
    ['nothing', {}, 200],
  ])('to %s ends at once', async (_name, params, status) => {
    const [door] = await open();
    const response = await door.sendModern('subscriptions/listen', params);
    expect(response.status).toBe(status);
    expect((await messagesIn(response)).at(-1)).toHaveProperty('id');
  });

  it('ends when its client leaves, and is limited in number', async () => {
    const [door] = await open({ limits: { sessionsMax: 1 } });
    const leaving = new AbortController();
    const sent = { signal: leaving.signal };
    const first = await door.sendModern('subscriptions/listen', listen([uri]), sent);
    expect((await door.sendModern('subscriptions/listen', listen([uri]))).status).toBe(503);
    leaving.abort();
    await messagesIn(first);
    const second = await door.sendModern('subscriptions/listen', listen([uri]));
    expect(second.status).toBe(200);
    await second.body?.cancel();
  });
});

describe('closing', () => {
  it('finishes what runs, in sessions and without, and takes nothing more', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const stream = await door.send({ method: 'GET', session });
    const calls = [
      door.send({ body: waitCall(1), session }),
      door.send({ body: waitCall(2) }),
      door.sendModern('tools/call', { name: 'wait' }),
    ];
    await tools.untilRunning(3);
    const closed = door.http.close(1_000);
    expect(await messagesIn(stream)).toEqual([]);
    expect((await door.send({ body: waitCall(3), session })).status).toBe(503);
    tools.release();
    for (const call of calls) {
      expect((await messagesIn(await call)).at(-1)).toMatchObject({
        result: { content: [{ text: '"waited"' }] },
      });
    }
    await closed;
    expect(door.http.sessions).toBe(0);
  });

  it('aborts what takes too long, and answers that', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const calls = [
      door.send({ body: waitCall(1), session }),
      door.send({ body: waitCall(2) }),
      door.sendModern('tools/call', { name: 'wait' }),
    ];
    await tools.untilRunning(3);
    const closed = door.http.close(1_000);
    await door.pass(1_000);
    for (const call of calls) {
      expect((await messagesIn(await call)).at(-1)).toMatchObject({
        result: { isError: true, content: [{ text: expect.stringMatching(/^cancelled: /) }] },
      });
    }
    await closed;
  });

  it('waits for the answer to a client that has left', async () => {
    const [door, tools] = await open();
    const session = await door.begin();
    const call = await door.send({ body: waitCall(1), session });
    await tools.untilRunning(1);
    await call.body?.cancel();
    let isClosed = false;
    const closed = door.http.close(1_000).then(() => {
      isClosed = true;
    });
    await door.pass(1);
    expect(isClosed).toBe(false);
    tools.release();
    await closed;
  });

  it('takes an open question for refused', async () => {
    const [door] = await open();
    const session = await door.begin({ hello: { capabilities: { elicitation: {} } } });
    const params = { name: 'agree', arguments: { question: 'New tag?' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const events = eventsOf(await door.send({ body, session }));
    expect((await next(events)).message).toMatchObject({ method: 'elicitation/create' });
    const closed = door.http.close(1_000);
    expect((await next(events)).message).toMatchObject({
      result: { content: [{ text: 'tag_not_allowed: Not agreed.' }] },
    });
    await closed;
  });
});
