import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { connectSdkClient } from '../contract/http-door.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { HttpProcess } from '../support/http-process.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// An editor beside the running program marks a note: an open connection no longer sees it.

const files = {
  'Open.md': '# Open\n\nleads to [[Diary]] and is striped\n',
  'Diary.md': '# Diary\n\nthe quagga, striped\n',
  'Hidden.md': '#private\n',
  'Private/Deep.md': 'a zebra, striped\n',
};
const patience = { timeout: 20_000, interval: 50 };
/** What answers name because the agent has, or because a note that it sees does. */
const known = /no (file|note) \\*"Diary\.md|\[\[Diary\]\]|unresolved\\*":\{\\*"Diary/g;
const marks = ['--hide-tag', 'private', '--hide-property', 'status=secret'];

async function connect(door: 'stdio' | 'http', folder: string): Promise<Client> {
  const user = { era: '2025-11-25' } as const;
  if (door === 'stdio') return startSdkClient({ folder, args: marks }, user);
  const server = await HttpProcess.start({ folder, args: ['--tools', 'notes', ...marks] });
  return connectSdkClient(server.url, user);
}

/** Everything that a client can find out about a note without knowing its mark. */
async function allSaid(client: Client): Promise<string> {
  const call = (name: string, args: Record<string, unknown>): Promise<unknown> =>
    client.callTool({ name, arguments: args });
  const said = await Promise.all([
    call('list_notes', {}),
    call('read_note', { path: 'Diary.md' }),
    call('search_notes', { query: 'striped' }),
    call('search_notes', { query: 'diar', mode: 'name_partial' }),
    call('get_links', { name: 'Open' }),
    call('list_changes', {}),
    client.listResources(),
    client.readResource({ uri: 'vault:///Diary.md' }).catch((error: unknown) => String(error)),
    client.complete({
      ref: { type: 'ref/prompt', name: 'note' },
      argument: { name: 'name', value: 'Di' },
    }),
  ]);
  return JSON.stringify(said);
}

describe.each(['stdio', 'http'] as const)('over %s, a note that an editor marks', (door) => {
  it.each([
    ['by a tag', '# Diary\n\nthe quagga, striped #Private/family\n'],
    ['by a property', '---\nstatus: [Secret]\n---\nthe quagga, striped\n'],
  ])('%s is gone from an open connection', async (_, text) => {
    const folder = tempFolder(files);
    const client = await connect(door, folder);
    const updates: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    await client.subscribeResource({ uri: 'vault:///Diary.md' });
    expect(await allSaid(client)).toMatch(/quagga/);
    writeFileSync(join(folder, 'Diary.md'), text);
    await vi.waitFor(async () => {
      expect((await allSaid(client)).replaceAll(known, '')).not.toMatch(/quagga|Diary/);
    }, patience);
    // Its subscriber is told once, as if the note were deleted, and of nothing that comes later.
    await vi.waitFor(() => expect(updates).toEqual(['vault:///Diary.md']), patience);
    writeFileSync(join(folder, 'Diary.md'), `${text}more\n`);
    writeFileSync(join(folder, 'Open.md'), 'changed later\n');
    const read = () => client.callTool({ name: 'search_notes', arguments: { query: 'later' } });
    await vi.waitFor(async () => expect(JSON.stringify(await read())).toContain('Open'), patience);
    expect(updates).toEqual(['vault:///Diary.md']);
    // Where a marked note is, and where none is, the answer is the same.
    const follow = (path: string) => client.subscribeResource({ uri: `vault:///${path}` });
    expect(await follow('Hidden.md')).toEqual(await follow('Nothing.md'));
    writeFileSync(join(folder, 'Hidden.md'), '#private, and changed\n');
    // Without the mark it is back.
    writeFileSync(join(folder, 'Diary.md'), files['Diary.md']);
    await vi.waitFor(async () => expect(await allSaid(client)).toMatch(/quagga/), patience);
    await vi.waitFor(() => expect(updates.length).toBeGreaterThan(1), patience);
    expect(updates.join()).not.toContain('Hidden');
    await client.close();
  });
});

describe('a .vaultdoorignore', () => {
  it('is followed while the program runs, and says which of its lines have no effect', async () => {
    const folder = tempFolder({ ...files, '.vaultdoorignore': '# mine\n\nPrivate/\n!Open.md\n' });
    const program = new StdioProcess({ folder, args: ['--hide', '*.{txt,pdf}'] });
    await program.initialize();
    const said = async (name: string, args: object = {}): Promise<string> =>
      JSON.stringify(await program.request('tools/call', { name, arguments: args }));
    await vi.waitFor(async () => expect(await said('list_notes')).toContain('Diary'), patience);
    expect(await said('list_notes')).not.toContain('Deep');
    expect(await said('read_note', { path: 'Private/Deep.md' })).not.toContain('zebra');
    expect(program.stderr).toContain('Line 4 of .vaultdoorignore begins with \\"!\\"');
    expect(program.stderr).toContain('--hide has \\"{\\", which stands for itself');
    writeFileSync(join(folder, '.vaultdoorignore'), 'Diary.md\n');
    await vi.waitFor(async () => {
      expect(await said('search_notes', { query: 'striped' })).not.toContain('quagga');
      expect(await said('list_notes')).toContain('Deep');
    }, patience);
    expect(await said('append_note', { path: '.vaultdoorignore', text: 'x' })).toContain('isError');
    // A list that cannot be read hides everything.
    writeFileSync(join(folder, '.vaultdoorignore'), 'x'.repeat(100_000));
    await vi.waitFor(async () => {
      expect(await said('read_note', { path: 'Open.md' })).toContain('Nothing is served');
    }, patience);
    rmSync(join(folder, '.vaultdoorignore'));
    await vi.waitFor(async () => {
      expect(await said('read_note', { path: 'Diary.md' })).toContain('quagga');
    }, patience);
    await program.end();
  });
});
