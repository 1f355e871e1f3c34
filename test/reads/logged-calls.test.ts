import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import type { ReadEntry } from '../../src/engine/ports/read-log.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { showTool } from '../../src/tools/cli/history.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { openFsVault } from '../support/fs-vault.ts';
import { type KeptReads, keptReads } from '../support/kept-reads.ts';
import { openWrittenVault, testCaller } from '../support/written-vault.ts';

const files = {
  'Plan.md': '# Plan\n\nfern and moss\n\n## Secret part\n\nlichen\n',
  'Log.md': '# Log\n\nsee [[Plan]]\n\n- [ ] buy moss\n',
  'Mine.md': '---\ntags: [claude]\ndescription: When I ask.\n---\nmine\n',
  'Templates/T.md': 'Made {{title}}\n',
  '.obsidian/templates.json': '{"folder":"Templates"}',
};

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of close.splice(0)) await each();
});

async function open(): Promise<{ service: Service; caller: Caller; reads: KeptReads }> {
  const reads = keptReads();
  const vault = await openWrittenVault(files, { parts: { reads } });
  close.push(vault.close);
  const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  const obsidian = obsidianToolset({ vaults: ['test'], refusesUndescribed: false });
  const shows: Toolset = { ...obsidian, name: 'cli', tools: [showTool] };
  const service = createService(vault.whole, [notes, obsidian, shows], nodeTimers);
  const caller = testCaller({
    door: 'mcp-http',
    client: 'phone/2',
    token: 't-1',
    connection: 'c1',
  });
  return { service, caller, reads };
}

/** Each entry as its tool and paths. */
const shown = (entries: readonly ReadEntry[]): string[] =>
  entries.map(({ tool, paths }) => `${tool}: ${paths.join(', ')}`);

describe('a call', () => {
  it('is logged with who made it, and neither its arguments nor what it showed', async () => {
    const { service, caller, reads } = await open();
    await service.call('read_section', { name: 'Plan', section: 'Secret part' }, caller);
    const [entry] = reads.take();
    expect(entry).toEqual({
      timeMs: expect.any(Number),
      tool: 'read_section',
      paths: ['Plan.md'],
      bytes: files['Plan.md'].length,
      door: 'mcp-http',
      client: 'phone/2',
      connection: 'c1',
      token: 't-1',
    });
  });

  it.each<[string, object, string[]]>([
    ['read_note', { name: 'Plan' }, ['read_note: Plan.md']],
    ['read_note', { names: ['Log', 'Plan', 'none'] }, ['read_note: Log.md, Plan.md']],
    ['search_notes', { query: 'moss' }, ['search_notes: Log.md, Plan.md']],
    ['search_notes', { query: 'Plan', mode: 'name' }, []],
    ['search_notes', { query: 'nothing like it' }, []],
    ['list_tasks', {}, ['list_tasks: Log.md']],
    ['query_notes', { filter: 'TASK' }, ['query_notes: Log.md']],
    ['query_notes', { filter: 'TASK WHERE completed' }, []],
    ['query_notes', { filter: 'TABLE file.tasks.text' }, ['query_notes: Log.md']],
    ['query_notes', { filter: 'LIST' }, []],
    ['list_notes', {}, []],
    ['list_vault', { what: 'duplicates' }, []],
    ['obsidian_template_read', { template: 'T' }, ['obsidian_template_read: Templates/T.md']],
    ['read_note', { name: 'none' }, []],
    ['append_note', { name: 'Plan', text: 'more' }, []],
    // Failures that quote lines of the note.
    ['replace_note', { name: 'Plan', old_text: 'fern and ', new_text: 'x' }, []],
    [
      'replace_note',
      { name: 'Plan', old_text: 'fern und moss', new_text: 'x' },
      ['replace_note: Plan.md'],
    ],
    ['set_task', { name: 'Log', text: 'buy fern' }, ['set_task: Log.md']],
  ])('of %s with %j', async (tool, args, expected) => {
    const { service, caller, reads } = await open();
    await service.call(tool, args, { ...caller, connection: 'c2' });
    expect(shown(reads.take().filter((entry) => entry.tool !== 'context'))).toEqual(expected);
  });

  it('has the context of the vault as an entry of its own', async () => {
    const { service, caller, reads } = await open();
    await service.call('list_notes', {}, caller);
    await service.call('list_notes', {}, caller);
    expect(shown(reads.take())).toEqual(['context: Mine.md']);
  });

  it.each(['cli', 'console'] as const)('by the owner is not logged: %s', async (door) => {
    const { service, caller, reads } = await open();
    await service.call('read_note', { name: 'Plan' }, { ...caller, door });
    expect(reads.take()).toEqual([]);
  });

  it('that names many files names some, and says how many more there are', async () => {
    const count = limits.readLogPathsMax + 3;
    const reads = keptReads();
    const many = Array.from({ length: count }, (_, n) => [`n${n}.md`, '- [ ] do it\n'] as const);
    const vault = await openWrittenVault(Object.fromEntries(many), { parts: { reads } });
    close.push(vault.close);
    const toolset = obsidianToolset({ vaults: ['test'], refusesUndescribed: false });
    const service = createService(vault.whole, [toolset], nodeTimers);
    await service.call('obsidian_tasks', { limit: count }, testCaller({ door: 'mcp-stdio' }));
    const [entry] = reads.take();
    expect([entry?.paths.length, entry?.morePaths]).toEqual([limits.readLogPathsMax, 3]);
  });

  it('keeps the name of a client on one line, and short', async () => {
    const { service, caller, reads } = await open();
    const client = `a\n2026-11-17  b\u202e${'x'.repeat(200)}`;
    await service.call('read_note', { name: 'Plan' }, { ...caller, client });
    const [entry] = reads.take();
    expect(entry?.client).toMatch(/^a 2026-11-17 {2}b\\u\{202e\}x+…$/);
    expect(entry?.client).toHaveLength(limits.clientNameCharsMax);
  });
});

describe('other ways are logged too:', () => {
  it('a resource, a prompt, a completion', async () => {
    const { service, caller, reads } = await open();
    await service.readResource('Plan.md', caller);
    await service.prompt('note', { name: 'Log' }, caller);
    const given = { name: 'Plan' };
    const asked = { of: 'prompt', prompt: 'note', argument: 'section', value: '', given } as const;
    await service.complete(asked, caller);
    await service.resources(caller);
    expect(shown(reads.take())).toEqual([
      'resource: Plan.md',
      'prompt note: Log.md',
      'completion: Plan.md',
    ]);
  });

  it('what remote clients read', async () => {
    const reads = keptReads();
    const vault = await openFsVault({ parts: { reads } });
    close.push(vault.close);
    const path = 'Notes/a.md';
    await vault.call('fs.readText', { path });
    await vault.call('fs.readBinary', { path });
    await vault.call('fs.readBinaryRange', { path, offset: 1, length: 2 });
    await vault.call('fs.search', { query: 'banana' });
    await vault.call('fs.stat', { path });
    await vault.call('fs.readText', { path: 'none.md' });
    await vault.call('fs.readText', { path: '.obsidian/app.json' });
    expect(reads.take().map((entry) => [entry.tool, ...entry.paths, entry.bytes])).toEqual([
      ['fs.readText', path, 6],
      ['fs.readBinary', path, 6],
      ['fs.readBinaryRange', path, 2],
      ['fs.search', 'Notes/deep/b.md', 6],
      ['fs.readText', '.obsidian/app.json', 2],
    ]);
  });

  it('the diff of a dry run, and the history', async () => {
    const { service, caller, reads } = await open();
    const rename = { old_name: 'Plan', new_name: 'Idea', dry_run: true };
    const planned = await service.call('rename_note', rename, { ...caller, connection: 'c2' });
    expect(planned.ok && shown(reads.take())).toEqual(['rename_note: Log.md', 'context: Mine.md']);
    await service.call('append_note', { name: 'Plan', text: 'more' }, caller);
    await service.call('append_note', { name: 'Plan', text: 'still more' }, caller);
    reads.take();
    await service.call('obsidian_history_read', { path: 'Plan.md', version: 1 }, caller);
    await service.call('obsidian_history_diff', { path: 'Plan.md', from: 2, to: 1 }, caller);
    await service.call('show', { id: 1 }, caller);
    await service.call('list_changes', { diff: 1 }, caller);
    expect(shown(reads.take())).toEqual([
      'obsidian_history_read: Plan.md',
      'obsidian_history_diff: Plan.md',
      'show: Plan.md',
      'list_changes: Plan.md',
    ]);
  });
});
