import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { createService } from '../../../tools/service/service.ts';

const folders = { '/notes/Home': 'Home', '/notes/Work': 'Work' } as Readonly<
  Record<string, string>
>;

/** Two vaults that both have a note "Plan", and a client that works in these folders. */
async function open(roots: readonly string[] | undefined): Promise<McpWire> {
  const vaults = await Promise.all(
    ['Home', 'Work'].map(async (name) => {
      const files = { 'Plan.md': `plan of ${name}`, [`Only ${name}.md`]: `only ${name}` };
      const { whole } = await openWrittenVault(files);
      return { name, clock: { nowMs: Date.now }, open: async () => whole };
    }),
  );
  const { context: _, ...notes } = notesToolset({
    tagPolicy: 'off',
    history: true,
    contextEveryMs: 0,
  });
  const wire = new McpWire(createService(vaults, [notes], nodeTimers), {
    vaultOfFolder: async (folder) => folders[folder.replaceAll('\\', '/').replace(/^[A-Z]:/, '')],
  });
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  await wire.request('initialize', { ...legacyHello, capabilities });
  wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  if (roots !== undefined) await answerRoots(wire, roots, 0);
  return wire;
}

/** Answers the question for roots that came after this many others. */
async function answerRoots(wire: McpWire, roots: readonly string[], after: number): Promise<void> {
  const asked = ({ messages }: McpWire) => messages.filter(({ method }) => method === 'roots/list');
  await wire.find(() => asked(wire).length > after);
  const { id } = asked(wire)[after] ?? {};
  const result = { roots: roots.map((folder) => ({ uri: uriOf(folder) })) };
  wire.send({ jsonrpc: '2.0', id, result });
}

function uriOf(folder: string): string {
  return folder.startsWith('/') ? pathToFileURL(folder).href : folder;
}

async function textOf(wire: McpWire, name: string, args: object): Promise<string> {
  const { result } = await wire.call(name, args);
  const [first] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return first?.text ?? '';
}

const several = /several vaults/i;

describe('the roots of a client', () => {
  it('say which of several vaults is meant', async () => {
    const wire = await open(['/elsewhere', '/notes/Work', 'file://far.example/notes/Home']);
    expect(await textOf(wire, 'read_note', { name: 'Plan' })).toBe('plan of Work');
    expect(await textOf(wire, 'list_notes', {})).toContain('Only Work');
    expect(await textOf(wire, 'create_note', { name: 'New' })).toContain('"vault":"Work"');
    // A note that only another vault has is still found, and a vault that is named is meant.
    expect(await textOf(wire, 'read_note', { name: 'Only Home' })).toBe('only Home');
    expect(await textOf(wire, 'read_note', { name: 'Plan', vault: 'Home' })).toBe('plan of Home');
    await wire.end();
  });

  it('are asked for again when they change', async () => {
    const wire = await open(['/notes/Work']);
    expect(await textOf(wire, 'read_note', { name: 'Plan' })).toBe('plan of Work');
    wire.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    await answerRoots(wire, ['/notes/Home'], 1);
    expect(await textOf(wire, 'read_note', { name: 'Plan' })).toBe('plan of Home');
    await wire.end();
  });

  it.each([
    ['none', []],
    ['other folders', ['/elsewhere']],
    ['several vaults', ['/notes/Home', '/notes/Work']],
    ['a client without roots', undefined],
  ])('say nothing: %s', async (_, roots) => {
    const wire = await open(roots);
    expect(await textOf(wire, 'read_note', { name: 'Plan' })).toMatch(several);
    expect(await textOf(wire, 'list_notes', {})).toMatch(several);
    await wire.end();
  });

  it('say nothing when the client answers with nonsense or not at all', async () => {
    const wire = await open(undefined);
    await wire.request('initialize', { ...legacyHello, capabilities: { roots: {} } });
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { id } = await wire.find(({ method }) => method === 'roots/list');
    wire.send({ jsonrpc: '2.0', id, result: { roots: 'none' } });
    expect(await textOf(wire, 'list_notes', {})).toMatch(several);
    await wire.end();
  });
});
