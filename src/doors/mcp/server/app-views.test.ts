import { describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { modernMeta } from '../../../../test/support/stdio-process.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { agentToolset } from '../../../tools/agent/agent-toolset.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { createService } from '../../../tools/service/service.ts';
import { type AppViews, showsViews, viewCapabilities } from './app-views.ts';

const both: AppViews = { html: async (view) => `<title>${view}</title>` };
const none: AppViews = { html: async () => undefined };
const notes = { tagPolicy: 'off', history: true, contextEveryMs: 0 } as const;

/** A server over a vault in memory, spoken to in one version of the protocol. */
async function open(
  era: '2025' | '2026',
  {
    capabilities = {},
    views = both,
    scopes = allScopes,
  }: { capabilities?: object; views?: AppViews | 'off'; scopes?: Scopes },
) {
  const vault = await openWrittenVault({ 'A.md': 'one\n' });
  const toolsets = [notesToolset(notes), agentToolset({ sync: false, publish: false })];
  const service = createService(vault.whole, toolsets, nodeTimers);
  const wire = new McpWire(service, { scopes, ...(views === 'off' ? {} : { views }) });
  if (era === '2025') await wire.initialize(capabilities);
  const meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const ask = (method: string, params: object = {}) =>
    era === '2025' ? wire.request(method, params) : wire.modern(method, params, meta);
  const call = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  return { vault, wire, ask, call };
}

interface SentTool {
  readonly name: string;
  readonly _meta?: { readonly ui: { readonly resourceUri: string } };
}

describe.each(['2025', '2026'] as const)('a client of %s', (era) => {
  it('that shows views is told which tools have one, and reads it', async () => {
    const { ask, wire } = await open(era, { capabilities: viewCapabilities });
    const { result } = await ask('tools/list');
    const tools = result?.['tools'] as SentTool[];
    const named = tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui.resourceUri]] : []));
    expect(Object.fromEntries(named)).toEqual({
      search_notes: 'ui://vaultdoor/find',
      list_changes: 'ui://vaultdoor/changes',
      undo_change: 'ui://vaultdoor/changes',
      vault_search: 'ui://vaultdoor/find',
      graph_neighbors: 'ui://vaultdoor/find',
    });
    const uri = 'ui://vaultdoor/find';
    expect((await ask('resources/read', { uri })).result?.['contents']).toEqual([
      {
        uri,
        mimeType: 'text/html;profile=mcp-app',
        text: '<title>find</title>',
        _meta: { ui: { prefersBorder: true } },
      },
    ]);
    const other = await ask('resources/read', { uri: 'ui://vaultdoor/questions' });
    expect(other.error).toBeDefined();
    await wire.end();
  });

  it.each([
    ['says nothing of views', {}, both],
    ['shows another kind of them', { extensions: { 'io.modelcontextprotocol/ui': {} } }, both],
    ['shows views, which this copy of the program does not have', viewCapabilities, none],
  ])('that %s gets every byte as from a server without views', async (_, capabilities, views) => {
    const [here, before] = await Promise.all([
      open(era, { capabilities, views }),
      open(era, { capabilities, views: 'off' }),
    ]);
    const asked: [string, object?][] = [
      ['tools/list'],
      ['resources/list'],
      ['resources/templates/list'],
      ['resources/read', { uri: 'ui://vaultdoor/changes' }],
      ['tools/call', { name: 'search_notes', arguments: { query: 'one' } }],
    ];
    for (const [method, params] of asked) {
      await here.ask(method, params);
      await before.ask(method, params);
    }
    await Promise.all([here.wire.end(), before.wire.end()]);
    const [lines, same] = [here, before].map(({ wire }) =>
      JSON.stringify(wire.messages).replace(/"lastModified":"[^"]+"/g, ''),
    );
    expect(lines === same).toBe(true); // Both are long.
    expect(lines).not.toContain('resourceUri');
  });
});

describe('what a view reads', () => {
  it.each([
    ['is not taken for seen by the model', viewCapabilities, 'changed since this connection read'],
    ['is, from a client that shows no views', {}, '"change":'],
  ])('%s', async (_, capabilities, said) => {
    const { call, vault, wire } = await open('2025', { capabilities });
    await call('read_note', { name: 'A' });
    vault.disk.write('A.md', 'two\n');
    await call('read_note', { name: 'A', _view: true });
    const { result } = await call('update_note', { name: 'A', content: 'mine\n' });
    expect(JSON.stringify(result?.['content']).replaceAll('\\', '')).toContain(said);
    await wire.end();
  });
});

describe('what an undo by a view changes', () => {
  it('is news to the model, and not its last change', async () => {
    const { call, wire } = await open('2025', { capabilities: viewCapabilities });
    await call('update_note', { name: 'A', content: 'mine\n' });
    const undone = await call('undo_change', { id: 1, _view: true });
    expect(undone.result?.['isError']).toBeUndefined();
    const { result } = await call('update_note', { name: 'A', content: 'mine again\n' });
    expect(JSON.stringify(result)).toContain('changed since this connection read');
    const last = await call('undo_change', {});
    expect(last.result?.['isError']).toBe(true);
    await wire.end();
  });

  it('is for the brake one of the connection, which may take back what it has made', async () => {
    const scopes = { ...allScopes, brakeFiles: 0 };
    const { call, vault, wire } = await open('2025', { capabilities: viewCapabilities, scopes });
    await call('append_note', { name: 'A', text: 'mine' });
    expect(vault.files()).not.toEqual({ 'A.md': 'one\n' });
    const undone = await call('undo_change', { id: 1, _view: true });
    expect(undone.result?.['isError']).toBeUndefined();
    expect(vault.files()).toEqual({ 'A.md': 'one\n' });
    await wire.end();
  });

  it('has a mark that no other tool takes', async () => {
    const { call, wire } = await open('2025', { capabilities: viewCapabilities });
    await call('update_note', { name: 'A', content: 'mine\n', _view: true });
    expect((await call('undo_change', {})).result?.['isError']).toBeUndefined();
    await wire.end();
  });
});

describe('showsViews', () => {
  const said = (ui: unknown) => ({ extensions: { 'io.modelcontextprotocol/ui': ui } });
  it.each([
    [viewCapabilities, true],
    [said({ mimeTypes: ['text/html', 'text/html;profile=mcp-app'] }), true],
    [said({ mimeTypes: 'text/html;profile=mcp-app' }), false],
    [said({ mimeTypes: [] }), false],
    [said(null), false],
    [{ experimental: said({}).extensions }, false],
    [undefined, false],
  ])('of %j is %j', (capabilities, expected) => {
    expect(showsViews(capabilities as never)).toBe(expected);
  });
});
