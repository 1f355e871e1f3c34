import { afterEach, describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { modernMeta, type WireMessage } from '../../../../test/support/stdio-process.ts';
import { wrapDisk } from '../../../../test/support/wrap-disk.ts';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { openedVault } from '../../../engine/open/vault-source.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { createService } from '../../../tools/service/service.ts';

const files = {
  'Home.md': '# Home\n',
  'Work/Über uns.md': 'About us',
  'Work/Board.canvas': '{"nodes":[],"edges":[]}',
  'Private/Diary.md': 'Dear diary',
};

let vault: MemoryVault | undefined;

/** The door over a vault whose folder `Private` is hidden. */
async function open(): Promise<McpWire> {
  vault = await openWrittenVault(files);
  const toolset = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  const service = createService(vault.whole, [toolset], nodeTimers);
  return new McpWire(service, { scopes: { ...allScopes, hide: ['Private'] } });
}

afterEach(async () => {
  await vault?.close();
  vault = undefined;
});

const updates = ({ messages }: McpWire): unknown[] =>
  messages.filter(({ method }) => method === 'notifications/resources/updated');

describe('resources', () => {
  it('are the notes, by their addresses', async () => {
    const wire = await open();
    await wire.initialize();
    const listed = await wire.request('resources/list');
    const resources = listed.result?.['resources'] as { uri: string }[];
    expect(resources.map(({ uri }) => uri)).toContain('vault:///Work/%C3%9Cber%20uns.md');
    expect(JSON.stringify(resources)).not.toContain('Diary');
    expect(resources.find(({ uri }) => uri.endsWith('Home.md'))).toMatchObject({
      name: 'Home.md',
      title: 'Home',
      mimeType: 'text/markdown',
      size: 7,
      annotations: { lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    await wire.end();
  });

  it.each([
    ['vault:///Work/%C3%9Cber%20uns.md', 'text/markdown', 'About us'],
    ['vault:///Work%2F%C3%9Cber%20uns.md', 'text/markdown', 'About us'],
    ['vault:///Work/Board.canvas', 'application/json', files['Work/Board.canvas']],
  ])('are read at %s', async (uri, mimeType, text) => {
    const wire = await open();
    await wire.initialize();
    const { result } = await wire.request('resources/read', { uri });
    expect(result).toEqual({ contents: [{ uri, mimeType, text }] });
    await wire.end();
  });

  const missing: [string, number, number][] = [
    ['vault:///Nowhere.md', -32002, -32602],
    ['vault:///Private/Diary.md', -32002, -32602],
    ['vault:///../outside.md', -32602, -32602],
    ['file:///etc/passwd', -32602, -32602],
  ];
  it.each(missing)('at %s are not there: %d, in 2026 %d', async (uri, legacyCode, modernCode) => {
    const wire = await open();
    await wire.initialize();
    const legacy = await wire.request('resources/read', { uri });
    expect(legacy.error).toMatchObject({ code: legacyCode, data: { uri } });
    await wire.end();
    const later = await open();
    expect((await later.modern('resources/read', { uri })).error?.code).toBe(modernCode);
    await later.end();
  });

  it.each([
    ['resources/read', {}],
    ['resources/subscribe', { uri: 5 }],
    ['prompts/get', {}],
    ['prompts/get', { name: 'frob' }],
    ['completion/complete', {}],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'x' }, argument: { name: 'path', value: '' } },
    ],
  ])('%s with %j is an error of the request', async (method, params) => {
    const wire = await open();
    await wire.initialize();
    expect((await wire.request(method, params)).error?.code).toBe(-32602);
    await wire.end();
  });
});

describe('subscribers', () => {
  const append = (wire: McpWire, name: string): Promise<WireMessage> =>
    wire.call('append_note', { name, text: 'more' });

  it('of 2025 are told when their notes change, until they have enough', async () => {
    const wire = await open();
    await wire.initialize();
    const home = 'vault:///Home.md';
    const about = 'vault:///Work/%C3%9Cber%20uns.md';
    const told = (count: number): Promise<unknown> =>
      wire.find(() => updates(wire).length === count);
    await wire.request('resources/subscribe', { uri: home });
    await wire.request('resources/subscribe', { uri: home });
    await wire.request('resources/subscribe', { uri: about });
    await append(wire, 'Home');
    await told(1);
    await wire.request('resources/unsubscribe', { uri: home });
    await append(wire, 'Home');
    await append(wire, 'Über uns');
    await told(2);
    await wire.end();
    expect(updates(wire)).toMatchObject([{ params: { uri: home } }, { params: { uri: about } }]);
  });

  it('do not learn that there is what they may not see', async () => {
    const wire = await open();
    await wire.initialize();
    const hidden = await wire.request('resources/subscribe', { uri: 'vault:///Private/Diary.md' });
    expect(hidden.error?.code).toBe(-32002);
    await wire.end();
  });

  it('of 2026 listen, and are told under the id of their request', async () => {
    const wire = await open();
    const listen = (id: string, uris: readonly string[]): Promise<WireMessage> => {
      const params = { notifications: { resourceSubscriptions: uris }, _meta: modernMeta };
      wire.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
      return wire.find(
        (message) =>
          message.method === 'notifications/subscriptions/acknowledged' && idOf(message) === id,
      );
    };
    const idOf = ({ params }: WireMessage): unknown =>
      (params?.['_meta'] as Record<string, unknown> | undefined)?.[
        'io.modelcontextprotocol/subscriptionId'
      ];
    const add = (name: string): Promise<WireMessage> =>
      wire.modern('tools/call', { name: 'append_note', arguments: { name, text: 'more' } });
    await listen('one', ['vault:///Home.md', 'vault:///Private/Diary.md']);
    await listen('two', ['vault:///Home.md']);
    await add('Home');
    const told = (id: string): Promise<WireMessage> =>
      wire.find(
        (message) => message.method === 'notifications/resources/updated' && idOf(message) === id,
      );
    await told('one');
    await told('two');
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
    await add('Home');
    await wire.find(() => updates(wire).length === 3);
    await wire.end();
    expect(updates(wire).map((message) => idOf(message as WireMessage))).toEqual([
      'one',
      'two',
      'two',
    ]);
    // The one that still listened is told that it is over.
    expect(wire.messages.at(-1)).toMatchObject({ id: 'two', result: {} });
  });
});

describe('resources of several vaults', () => {
  const named = async (name: string, text: string) => {
    const { whole } = await openWrittenVault({ 'Home.md': text });
    return { ...openedVault(whole), name };
  };

  async function openSeveral(): Promise<McpWire> {
    const vaults = [await named('Work', 'at work'), await named('Über mich', 'at home')];
    const toolset = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
    const wire = new McpWire(createService(vaults, [toolset], nodeTimers));
    await wire.initialize();
    return wire;
  }

  const mine = 'vault://%C3%9Cber%20mich/Home.md';

  it('have the name of their vault in their address', async () => {
    const wire = await openSeveral();
    const { result } = await wire.request('resources/list');
    const resources = result?.['resources'] as { uri: string }[];
    expect(resources.map(({ uri }) => uri).sort()).toEqual([mine, 'vault://Work/Home.md']);
    for (const [uri, text] of [
      [mine, 'at home'],
      ['vault://WORK/Home.md', 'at work'],
    ]) {
      const read = await wire.request('resources/read', { uri });
      expect(read.result).toMatchObject({ contents: [{ uri, text }] });
    }
    expect((await wire.request('resources/subscribe', { uri: mine })).result).toEqual({});
    await wire.end();
  });

  it.each([
    ['vault:///Home.md', -32602, 'INVALID_INPUT'],
    ['vault://Attic/Home.md', -32002, 'VAULT_NOT_FOUND'],
    ['vault://Work/Away.md', -32002, 'RESOURCE_NOT_FOUND'],
  ])('are not at %s', async (uri, code, errorCode) => {
    const wire = await openSeveral();
    const { error } = await wire.request('resources/read', { uri });
    expect(error).toMatchObject({ code, data: { errorCode, uri } });
    await wire.end();
  });

  it('are completed by their vault, and in it', async () => {
    const wire = await openSeveral();
    const template = (await wire.request('resources/templates/list')).result?.['resourceTemplates'];
    expect(template).toMatchObject([{ uriTemplate: 'vault://{vault}/{path}' }]);
    const complete = async (name: string, value: string, given = {}): Promise<unknown> => {
      const ref = { type: 'ref/resource', uri: 'vault://{vault}/{path}' };
      const params = { ref, argument: { name, value }, context: { arguments: given } };
      const { result, error } = await wire.request('completion/complete', params);
      return (result?.['completion'] as { values: unknown } | undefined)?.values ?? error?.code;
    };
    expect(await complete('vault', 'ü')).toEqual(['Über mich']);
    expect(await complete('path', 'Ho', { vault: 'Work' })).toEqual(['Home.md']);
    expect(await complete('path', 'Ho', { vault: 'Attic' })).toBe(-32002);
    await wire.end();
  });
});

it('few notes are read as a whole at once, and all are answered', async () => {
  const disk = memoryDisk({ 'Home.md': '# Home\n' });
  let reading = 0;
  let most = 0;
  const slow = wrapDisk(disk, async ({ method }, run) => {
    if (method !== 'read') return run();
    most = Math.max(most, ++reading);
    await new Promise((resolve) => setImmediate(resolve));
    reading--;
    return run();
  });
  const { whole } = await openWrittenVault(disk, { parts: { disk: slow } });
  const wire = new McpWire(createService(whole, [], nodeTimers));
  await wire.initialize();
  const reads = Array.from({ length: 50 }, () =>
    wire.request('resources/read', { uri: 'vault:///Home.md' }),
  );
  const answers = await Promise.all(reads);
  expect(answers.filter(({ result }) => result === undefined)).toEqual([]);
  expect(most).toBe(limits.resourceReadsMax);
  await wire.end();
});

describe('completion', () => {
  it('knows paths and what prompts ask for', async () => {
    const wire = await open();
    await wire.initialize();
    const complete = async (ref: object, name: string, value: string): Promise<unknown> => {
      const params = { ref, argument: { name, value } };
      const { result } = await wire.request('completion/complete', params);
      return (result?.['completion'] as { values: unknown } | undefined)?.values;
    };
    const template = { type: 'ref/resource', uri: 'vault:///{path}' };
    expect(await complete(template, 'path', 'Work/')).toContain('Work/Über uns.md');
    expect(await complete(template, 'path', 'Private/')).toEqual([]);
    const prompt = { type: 'ref/prompt', name: 'note' };
    expect(await complete(prompt, 'name', 'ho')).toEqual(['Home']);
    await wire.end();
  });
});
