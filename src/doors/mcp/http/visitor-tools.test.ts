import { describe, expect, it } from 'vitest';
import {
  guest,
  HttpDoor,
  type HttpDoorParts,
  holder,
  memoryBook,
  messagesIn,
} from '../../../../test/support/http-door.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes, type Right, type ServedToolset, type Visitor } from '../../../base/caller.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { agentToolset } from '../../../tools/agent/agent-toolset.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../../tools/service/service.ts';

const grant = 'g0123456789abcdef';
const challenge = 'Bearer error="insufficient_scope"';

/** A door that serves `agent`, and `notes` to those whose grant is for it. */
async function open(rights = allScopes.effects, parts: HttpDoorParts = {}): Promise<HttpDoor> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const serve = (toolset: Parameters<typeof createService>[1][number]): Service =>
    createService(whole, [toolset], nodeTimers);
  const notes = serve(
    notesToolset({
      tagPolicy: 'off',
      history: true,
      contextEveryMs: 0,
      contextPlace: 'glued',
      contextBodyTags: false,
    }),
  );
  const agent = serve(agentToolset({ sync: false, publish: false, refusesUndescribed: false }));
  return new HttpDoor(agent, {
    serviceOf: async (tools) => (tools?.includes('notes') ? notes : agent),
    asksMore: {
      rights,
      challenge: ({ token }, { host, needs }) =>
        token === grant ? `${challenge}, ${host} ${needs}` : undefined,
    },
    ...parts,
  });
}

function visitor(
  token: string,
  tools?: readonly ServedToolset[],
  effects?: readonly Right[],
): Visitor {
  const base = holder(token);
  return {
    ...base,
    ...(tools === undefined ? {} : { tools }),
    ...(effects === undefined ? {} : { scopes: { ...base.scopes, effects } }),
  };
}

async function toolsOf(door: HttpDoor, by: Visitor, session?: string): Promise<string> {
  const { result } = await door.ask('tools/list', {}, { visitor: by, session });
  const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  return names.includes('vault_search') ? 'agent' : names.includes('read_note') ? 'notes' : '?';
}

describe('the toolsets of a token or grant', () => {
  it('are served to it, and those of the server to all others', async () => {
    const door = await open();
    expect(await toolsOf(door, guest)).toBe('agent');
    expect(await toolsOf(door, visitor(grant, ['notes']))).toBe('notes');
    expect(await toolsOf(door, visitor('aaaa'))).toBe('agent');
    const { result } = await door.modern('tools/list', {}, { visitor: visitor(grant, ['notes']) });
    expect(JSON.stringify(result)).toContain('"read_note"');
  });

  it('hold in an open session from the next request on, when the owner has changed them', async () => {
    const door = await open();
    const before = visitor(grant, ['notes']);
    const session = await door.begin({ visitor: before });
    expect(await toolsOf(door, before, session)).toBe('notes');
    expect(await toolsOf(door, visitor(grant, ['agent']), session)).toBe('agent');
    expect(await toolsOf(door, before, session)).toBe('notes');
    expect(door.http.sessions).toBe(1);
  });
});

describe('a call of a tool that does more than was allowed', () => {
  const call = (name: string, id: number | string = 7): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { name: 'A', text: 'x' } },
  });
  const headers = { host: 'notes.example.org' };
  const reader = visitor(grant, ['notes'], ['read']);

  it.each<[string, Visitor, unknown, number]>([
    ['of a grant', reader, call('append_note'), 403],
    ['that deletes', visitor(grant, ['notes'], ['read', 'write']), call('delete_note'), 403],
    [
      'that the grant may propose',
      visitor(grant, ['notes'], ['read', 'propose']),
      call('append_note'),
      200,
    ],
    ['that reads', reader, call('read_note'), 200],
    ['that does not exist', reader, call('no_such_tool'), 200],
    ['in a batch', reader, [call('append_note')], 200],
    ['of a token', visitor('aaaa', ['notes'], ['read']), call('append_note'), 200],
    ['without a token', { ...guest, scopes: reader.scopes }, call('vault_search'), 200],
  ])('%s', async (_what, by, body, status) => {
    const door = await open();
    const session = await door.begin({ visitor: by });
    const response = await door.send({ visitor: by, body, session, headers });
    expect(response.status).toBe(status);
  });

  it('is answered by the tool where the server does not allow it to anybody', async () => {
    const door = await open(['read']);
    const response = await door.send({ visitor: reader, body: call('append_note'), headers });
    expect(response.status).toBe(200);
  });

  it('says what is needed, before a stream begins', async () => {
    const door = await open();
    const response = await door.send({ visitor: reader, body: call('delete_note'), headers });
    expect(response.headers.get('www-authenticate')).toBe(
      `${challenge}, notes.example.org destroy`,
    );
    expect(await messagesIn(response)).toMatchObject([{ id: 7, error: { code: -32000 } }]);
    const modern = await door.sendModern(
      'tools/call',
      { name: 'append_note' },
      { visitor: reader },
    );
    expect(modern.status).toBe(403);
  });
});

describe('two tokens of a grant that use its session at the same time', () => {
  const writer = visitor(grant, ['notes'], ['read', 'write']);
  const reader = visitor(grant, ['notes'], ['read']);
  const request = (id: string, method: string, params: object): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const append = (id: string): object =>
    request(id, 'tools/call', { name: 'append_note', arguments: { name: 'A', text: 'more' } });

  /** The answers to both, and the note after them. */
  async function meet(first: [Visitor, unknown], second: [Visitor, unknown]): Promise<string[]> {
    const book = memoryBook();
    const session = await (await open(undefined, { book })).begin({ visitor: writer });
    let recalled = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      recalled = resolve;
    });
    // After a restart: the session is not ready before both of its clients have come.
    const recall = () => waits.then(() => undefined);
    const door = await open(undefined, { book: { ...book, recall } });
    const both = [first, second].map(([by, body]) => door.send({ visitor: by, body, session }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    recalled();
    const answers = await Promise.all(both.map(async (answer) => messagesIn(await answer)));
    const reads = { name: 'read_note', arguments: { name: 'A' } };
    const note = await door.ask('tools/call', reads, { visitor: writer, session });
    return [...answers, note].map((each) => JSON.stringify(each));
  }

  it('may each do what it was made for', async () => {
    const [ofReader, ofWriter, note] = await meet([reader, [append('1')]], [writer, [append('2')]]);
    expect(ofReader).toContain('may only read');
    expect(ofWriter).not.toContain('isError');
    expect(note).toContain('more');
  });

  it('may do no more when one cancels what the other has asked for', async () => {
    const params = { requestId: '1' };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    const [, , note] = await meet([reader, [append('1')]], [writer, cancel]);
    expect(note).toContain('text of A');
    expect(note).not.toContain('more');
  });

  it('may each subscribe to what it may see', async () => {
    const elsewhere: Visitor = { ...reader, scopes: { ...reader.scopes, folders: ['B'] as never } };
    const subscribe = request('1', 'resources/subscribe', { uri: 'vault:///A.md' });
    const list = request('2', 'tools/list', {});
    const [ofElsewhere] = await meet([elsewhere, subscribe], [writer, list]);
    expect(ofElsewhere).toContain('"error"');
    const [ofReader] = await meet([reader, subscribe], [elsewhere, list]);
    expect(ofReader).not.toContain('"error"');
  });
});
