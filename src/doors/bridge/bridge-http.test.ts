import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BridgeDoor } from '../../../test/support/bridge-door.ts';
import { WaitingTools } from '../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { defineTool } from '../../tools/define/define-tool.ts';
import type { TextContent } from '../../tools/define/outcome.ts';
import type { Toolset } from '../../tools/define/toolset.ts';
import { notesToolset } from '../../tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../tools/service/service.ts';

const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });

async function serviceOf(
  toolset: Toolset,
  files: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const { whole } = await openWrittenVault(files);
  return createService(whole, [toolset], nodeTimers);
}

/** Tools with these names, which all answer with this content. */
function toolsCalled(names: readonly string[], content: readonly object[] = []): Toolset {
  return {
    name: 'notes',
    tools: names.map((name) =>
      defineTool({
        name,
        title: name,
        description: `Is called ${name}.`,
        effect: 'read',
        record: [],
        input: z.looseObject({}),
        output: z.unknown(),
        run: async () => ({ structured: true }),
      }),
    ),
    voice: {
      result: () => content as readonly TextContent[],
      failure: ({ message }) => [{ type: 'text', text: message }],
    },
    structured: true,
  };
}

describe('the name of a tool', () => {
  it.each([
    ['utils/helper', 'utils%2Fhelper'],
    ['два слова', '%D0%B4%D0%B2%D0%B0%20%D1%81%D0%BB%D0%BE%D0%B2%D0%B0'],
    ['a+b', 'a+b'],
    ['a+b', 'a%2Bb'],
    ['100%', '100%25'],
    ['a%2Fb', 'a%252Fb'],
    ['hello', '%68ello'],
    ['events', 'events'],
    ['call', 'call'],
    ['__proto__', '__proto__'],
    ['x?y#z', 'x%3Fy%23z'],
  ])('%s is found as %s', async (name, escaped) => {
    const door = new BridgeDoor(await serviceOf(toolsCalled([name])));
    const path = `/bridge/v1/tools/${escaped}/call`;
    const response = await door.ask({ method: 'POST', path, body: { arguments: {} } });
    expect([response.status, await response.json()]).toEqual([200, { success: true, content: [] }]);
  });
});

it('content passes through unchanged, images and what nobody knows included; nothing else does', async () => {
  const content = [
    { type: 'text', text: 'Здравствуй', _meta: { a: [1] }, annotations: { priority: 1 } },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    { type: 'hologram', depth: 3 },
  ];
  const door = new BridgeDoor(await serviceOf(toolsCalled(['show'], content)));
  expect(await door.call('show')).toEqual({ success: true, content });
});

describe('the list of tools', () => {
  it('is sorted by name, with the schemas as they were written', async () => {
    const door = new BridgeDoor(await serviceOf(toolsCalled(['b', 'A', 'a_b', 'a-b', 'a/b'])));
    const response = await door.ask({ path: '/bridge/v1/tools' });
    const { tools } = (await response.json()) as { tools: readonly { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['A', 'a_b', 'a-b', 'a/b', 'b']);
    expect(Object.keys(tools[0] ?? {})).toEqual(['name', 'description', 'inputSchema']);
  });

  it('has every tool of the toolset, and only those that read where no more is allowed', async () => {
    const service = await serviceOf(notes, { 'A.md': 'a' });
    const { names: all } = await new BridgeDoor(service).tools();
    expect(all).toHaveLength(notes.tools.length);
    const reader = new BridgeDoor(service, { scopes: { ...allScopes, effects: ['read'] } });
    expect((await reader.tools()).names).toEqual(
      all.filter((name) => notes.tools.find((tool) => tool.name === name)?.effect === 'read'),
    );
    expect(await reader.call('append_note', { path: 'A', text: 'x' })).toEqual({
      error: 'Tool not found',
      message: 'Tool not found',
      details: '"append_note" is not served here: this server only reads.',
    });
    expect(await reader.call('read_note', { path: 'A' })).toMatchObject({ success: true });
  });

  it('has an ETag that is its hash, and is not sent again to who knows it', async () => {
    const door = new BridgeDoor(await serviceOf(notes));
    const path = '/bridge/v1/tools';
    const etag = (await door.ask({ path })).headers.get('etag') ?? '';
    expect(etag).toBe(`"${(await door.tools()).hash}"`);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await door.ask({ path, headers: { 'if-none-match': tag } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([
        304,
        etag,
        '',
      ]);
    }
    const other = await door.ask({ path, headers: { 'if-none-match': etag.slice(1, -1) } });
    expect(other.status).toBe(200);
  });
});

describe('who calls', () => {
  const callers = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const tools = new WaitingTools();
    tools.release();
    const door = new BridgeDoor(await serviceOf(tools.toolset), { deadlineMs: () => 5_000 });
    await door.call('wait', {}, { method: 'POST', headers });
    return tools.callers.map(({ door: name, client, connection, ask }) => ({
      name,
      client,
      connection,
      ask,
    }));
  };
  const session = 'abcdefghijklmnop_-09';
  it.each<[string, Readonly<Record<string, string>>, object]>([
    ['is nobody in particular', {}, {}],
    ['is who it says', { 'user-agent': 'curl/8.5.0' }, { client: 'curl/8.5.0' }],
    ['has no long name', { 'user-agent': 'x'.repeat(500) }, { client: `${'x'.repeat(99)}…` }],
    ['has a session', { 'x-vaultdoor-session': session }, { connection: `bridge:${session}` }],
    ['has no short session', { 'x-vaultdoor-session': 'abc' }, {}],
    ['has no odd session', { 'x-vaultdoor-session': `${session} ${session}` }, {}],
    ['has no long session', { 'x-vaultdoor-session': 'x'.repeat(65) }, {}],
  ])('%s', async (_what, headers, caller) => {
    expect(await callers(headers)).toEqual([{ name: 'bridge', ...caller }]);
  });
});

it('only a session is told of the vault, and once', async () => {
  const files = { 'Me.md': '---\ntags: [claude]\ndescription: who I am\n---\nme', 'A.md': 'a' };
  const door = new BridgeDoor(await serviceOf(notes, files));
  const headers = { 'x-vaultdoor-session': 'a-session-of-a-bridge' };
  const text = async (more: object = {}): Promise<string> => {
    const answer = await door.call('read_note', { path: 'A' }, { method: 'POST', ...more });
    return (answer as { content: [{ text: string }] }).content[0].text;
  };
  expect(await text()).toBe('a');
  expect(await text()).toBe('a');
  expect(await text({ headers })).toContain('who I am');
  expect(await text({ headers })).toBe('a');
});

it('a client that leaves cancels its call', async () => {
  const tools = new WaitingTools();
  const door = new BridgeDoor(await serviceOf(tools.toolset));
  const leaving = new AbortController();
  const answer = door.call('wait', {}, { method: 'POST', signal: leaving.signal });
  await tools.untilRunning(1);
  leaving.abort();
  expect(await answer).toMatchObject({ success: false, isError: true });
  expect(tools.callers[0]?.signal.aborted).toBe(true);
  expect(door.log).toContain('code=cancelled');
  tools.release();
});

it('a call that takes too long is a failure of the tool', async () => {
  const tools = new WaitingTools();
  const door = new BridgeDoor(await serviceOf(tools.toolset), {
    deadlineMs: (tool) => (tool === 'wait' ? 1 : 60_000),
  });
  const answer = await door.call('wait');
  expect(answer).toMatchObject({ success: false, isError: true });
  expect(JSON.stringify(answer)).toContain('Error: timeout: ');
  tools.release();
});

it('closing waits for the calls that run', async () => {
  const tools = new WaitingTools();
  const door = new BridgeDoor(await serviceOf(tools.toolset));
  const answer = door.call('wait');
  await tools.untilRunning(1);
  let isClosed = false;
  const closed = door.http.close(1_000).then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  tools.release();
  await closed;
  expect(await answer).toMatchObject({ success: true });
});

it('closing aborts the calls that take too long, and they are answered', async () => {
  const tools = new WaitingTools();
  const door = new BridgeDoor(await serviceOf(tools.toolset));
  const answer = door.call('wait');
  await tools.untilRunning(1);
  const closed = door.http.close(1_000);
  door.timers.advance(1_000);
  await closed;
  expect(await answer).toMatchObject({ success: false, isError: true });
  tools.release();
});

it.each([
  ['text that is not UTF-8', new Uint8Array([...Buffer.from('{"arguments":{"a":"'), 0xff, 0x22])],
  [
    'arguments in arguments without end',
    `{"arguments":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
  ],
])('%s is 400, with details', async (_what, body) => {
  const door = new BridgeDoor(await serviceOf(notes));
  const path = '/bridge/v1/tools/read_note/call';
  const response = await door.ask({ method: 'POST', path, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: 'Invalid request body',
    details: expect.any(String),
  });
});

it('neither the log nor a refusal repeats what was sent', async () => {
  const door = new BridgeDoor(await serviceOf(notes, { 'A.md': 'a' }));
  await door.call('append_note', { path: 'A', text: 'sEcReT' });
  const path = '/bridge/v1/tools/read_note/call';
  const refused = await door.ask({ method: 'POST', path, body: '{"arguments": sEcReT}' });
  expect(await refused.text()).not.toContain('sEcReT');
  expect(door.log).toContain('tool=append_note');
  expect(door.log).not.toContain('sEcReT');
});
