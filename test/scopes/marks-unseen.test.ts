import { describe, expect, it } from 'vitest';
import { allScopes, type Scopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import { replaceInNote } from '../../src/engine/operations/write/replace-in-note.ts';
import { nodeClock, nodeTimers } from '../../src/node/system/node-ports.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import type { Outcome } from '../../src/tools/define/outcome.ts';
import { memoryDisk, memoryScanner } from '../support/memory-disk.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { served } from './scoped-vaults.ts';

// What marks hide while the index does not know it, and what a caller with marks may not change. The
// vaults have no watcher, so the index stays as it was until a test has it look.

const marks: Partial<Scopes> = { hideTags: ['private'], hideProperties: ['status=secret'] };

const files = {
  'Open.md': '# Open\n\nwords, and [[Diary]] #open\n',
  'Diary.md': '# Diary\n\nthe quagga, striped words [[Open]] #open\n',
  'Template.md': 'from a template\n',
};

async function openVault(more: Record<string, string> = {}, scopes: Partial<Scopes> = marks) {
  const opened = await openWrittenVault({ ...files, ...more });
  const { service, caller } = served(opened, scopes, 'off');
  const call = async (tool: string, args: object): Promise<Outcome> =>
    service.call(tool, { ...args }, caller);
  return { ...opened, service, caller, call };
}

const saidBy = (outcome: Outcome): string => JSON.stringify(outcome);

/** Reads that would show the text of a note. */
const reads: readonly (readonly [tool: string, args: object])[] = [
  ['read_note', { path: 'Diary.md' }],
  ['read_note', { name: 'Diary' }],
  ['read_note', { names: ['Open', 'Diary'] }],
  ['read_section', { path: 'Diary.md', section: 'Diary' }],
  ['get_frontmatter', { path: 'Diary.md' }],
  ['get_links', { path: 'Diary.md' }],
  ['get_links', { path: 'Open.md', direction: 'in' }],
  ['search_notes', { query: 'striped' }],
  ['search_notes', { query: '/quag+a/' }],
  ['search_notes', { query: 'line:(striped words)' }],
  ['append_note', { path: 'Diary.md', text: 'x', dry_run: true }],
  ['replace_note', { path: 'Diary.md', old_text: 'quagga', new_text: 'x', dry_run: true }],
  ['replace_note', { path: 'Diary.md', old_text: 'the qua, striped words', new_text: 'x' }],
  ['replace_note', { name: 'Diary', old_text: 'the qua, striped words', new_text: 'x' }],
  ['append_section', { name: 'diary', section: 'Nothing', text: 'x' }],
  ['insert_note', { path: 'Diary.md', after: 'the qua, striped word', text: 'x' }],
  ['append_section', { path: 'Diary.md', section: 'Nothing', text: 'x' }],
  ['rename_note', { old_name: 'Open', new_name: 'Other', dry_run: true }],
  ['delete_note', { name: 'Diary', dry_run: true }],
  ['obsidian_outline', { path: 'Diary.md' }],
  ['obsidian_history_read', { path: 'Diary.md', version: 1 }],
  ['note_read', { path: 'Diary.md' }],
  ['vault_search', { query: 'striped' }],
];

describe('a note that has just got a mark, before the index knows', () => {
  it.each([
    ['a tag', '\n#private\n'],
    ['a nested tag', '\n#private/x\n'],
  ])('by %s, shows its text to nobody', async (_, mark) => {
    const { disk, call, close } = await openVault();
    disk.write('Diary.md', `---\nquagga: 1\n---\n${files['Diary.md']}${mark}`);
    const told: string[] = [];
    for (const [tool, args] of reads) {
      const said = saidBy(await call(tool, args));
      if (/quagga|striped words/.test(said.replaceAll(/"query":"[^"]*"/g, ''))) told.push(said);
    }
    expect(told).toEqual([]);
    await close();
  });

  it('is shown by the same questions as long as it has none', async () => {
    const { call, close } = await openVault();
    expect(saidBy(await call('read_note', { path: 'Diary.md' }))).toContain('quagga');
    expect(saidBy(await call('search_notes', { query: 'striped' }))).toContain('quagga');
    expect(saidBy(await call('search_notes', { query: '/quag+a/' }))).toContain('quagga');
    await close();
  });

  it('is gone from every list as soon as the index has looked, and is back without the mark', async () => {
    const { disk, keeper, call, close } = await openVault();
    const lists = ['list_notes', 'list_vault', 'search_notes', 'get_links'];
    const args: Record<string, object> = {
      list_vault: { what: 'orphans' },
      search_notes: { query: 'Diary', mode: 'name' },
      get_links: { path: 'Open.md' },
    };
    const all = async (): Promise<string> => {
      const said = await Promise.all(lists.map((tool) => call(tool, args[tool] ?? {})));
      return said.map(saidBy).join('\n');
    };
    expect((await all()).match(/Diary\.md|\\"Diary\\"/g)?.length).toBeGreaterThan(2);
    disk.write('Diary.md', '#private');
    await keeper.refresh([vaultPath('Diary.md')]);
    expect(await all()).not.toMatch(/Diary\.md|"to\\*":\\*"Diary/);
    disk.write('Diary.md', 'nothing of note');
    await keeper.refresh([vaultPath('Diary.md')]);
    expect(saidBy(await call('list_notes', {}))).toContain('Diary');
    await close();
  });
});

describe('before the index is ready', () => {
  /** A vault whose index never gets beyond its beginning. */
  async function openUnindexed() {
    const disk = memoryDisk({ ...files, 'Diary.md': 'the quagga #private' });
    const never = { ...memoryScanner(disk), walk: () => new Promise<never>(() => undefined) };
    const openStore = () => openSqliteIndex({ file: ':memory:' });
    const ports = { disk, scanner: never, clock: nodeClock, timers: nodeTimers, openStore };
    const keeper = new IndexKeeper(ports);
    const opened = await openWrittenVault(disk, { parts: { keeper } });
    const { service, caller } = served(opened, marks);
    const call = (tool: string, args: object): Promise<Outcome> =>
      service.call(tool, { ...args }, { ...caller, indexWaitMs: 0 });
    return { call, service, caller: { ...caller, indexWaitMs: 0 } };
  }

  it('a note is read by its path if its own text has no mark', async () => {
    const { call, service, caller } = await openUnindexed();
    expect(saidBy(await call('read_note', { path: 'Open.md' }))).toContain('words, and');
    const said = saidBy(await call('read_note', { path: 'Diary.md' }));
    expect(said).toContain('not_found');
    expect(said).not.toContain('quagga');
    await expect(service.readResource('Diary.md', caller)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await service.readResource('Open.md', caller)).toMatchObject({
      text: expect.stringContaining('words'),
    });
  });

  it.each<[string, object]>([
    ['list_notes', {}],
    ['list_vault', { what: 'tags' }],
    ['search_notes', { query: 'quagga' }],
    ['search_notes', { query: 'Diary', mode: 'name' }],
    ['list_changes', {}],
    ['create_note', { name: 'New' }],
    ['append_note', { path: 'Open.md', text: 'x' }],
    ['obsidian_folders', {}],
    ['adr_create', { title: 'x', content: 'x' }],
  ])('%s names no note', async (tool, args) => {
    const { call } = await openUnindexed();
    expect(saidBy(await call(tool, args))).not.toMatch(/Diary\.md|Diary\\"|quagga/);
  });
});

describe('a caller with marks cannot change which notes are private', () => {
  const marking = 'would put a mark on a note that hides it';
  const unseen = 'files that this connection may not see';

  it.each<[string, object, string]>([
    ['create_note', { name: 'New', content: 'a #private thing' }, marking],
    ['create_note', { name: 'New', frontmatter: { status: 'Secret' } }, marking],
    ['append_note', { path: 'Open.md', text: '#private' }, marking],
    ['append_section', { path: 'Open.md', section: 'Open', text: '#private/x' }, marking],
    ['insert_note', { path: 'Open.md', after: 'words', text: ' #private ' }, marking],
    ['replace_note', { path: 'Open.md', old_text: '#open', new_text: '#private' }, marking],
    ['update_note', { path: 'Open.md', content: '#private' }, marking],
    ['set_frontmatter', { path: 'Open.md', key: 'status', value: 'secret' }, marking],
    ['set_frontmatter', { names: ['Open'], properties: { tags: ['private'] } }, marking],
    ['rename_note', { old_name: '#open', new_name: '#private' }, marking],
    ['daily_note', { text: '#private' }, marking],
    ['note_upsert', { path: 'New.md', content: '---\ntags: [private\n---\n' }, marking],
    ['obsidian_property_set', { path: 'Open.md', property: 'status', value: 'secret' }, marking],
    ['append_note', { path: 'Marked.md', text: 'x' }, 'not_found'],
    ['replace_note', { path: 'Marked.md', old_text: '#private', new_text: 'x' }, 'not_found'],
    ['delete_note', { name: 'Marked' }, 'not_found'],
    ['rename_note', { old_name: 'Marked', new_name: 'X' }, 'not_found'],
    ['rename_note', { old_name: 'Linked', new_name: 'X' }, unseen],
    ['rename_note', { old_name: '#private', new_name: '#open' }, ''],
    ['create_note', { name: 'Marked' }, unseen],
  ])('%s %j', async (tool, args, said) => {
    const more = { 'Marked.md': 'quagga [[Linked]] #private', 'Linked.md': 'x' };
    const { call, files: now, caller, service, close } = await openVault(more);
    await service.call('read_note', { path: 'Open.md' }, caller); // What update_note wants.
    const before = now();
    const outcome = await call(tool, args);
    expect(outcome.ok).toBe(false);
    expect(saidBy(outcome)).toContain(said);
    const dry = await call(tool, { ...args, dry_run: true });
    if (dry.ok || dry.error.code !== 'invalid_input') expect(saidBy(dry)).toContain(said);
    expect(now()).toEqual(before);
    await close();
  });

  it('by undo, redo or restore', async () => {
    const { change, call, files: now, close } = await openVault();
    // The owner marks a note and takes the mark away again.
    const edit = { name: 'Diary.md', all: false };
    await change(replaceInNote, { ...edit, find: '#open', put: '#private' });
    await change(replaceInNote, { ...edit, find: '#private', put: '#open' });
    const before = now();
    for (const args of [{}, { id: 1 }, { id: 2 }, { last: 2 }]) {
      const outcome = await call('undo_change', args);
      expect(outcome.ok, JSON.stringify(args)).toBe(false);
    }
    for (const version of [1, 2, 3]) {
      await call('obsidian_history_restore', { path: 'Diary.md', version });
      expect(now()['Diary.md']).not.toContain('#private');
    }
    expect(Object.keys(now())).toEqual(Object.keys(before));
    const said = saidBy(await call('list_changes', {}));
    expect(said).not.toContain('#private');
    await close();
  });

  it('and what was private is not in the history of a note that no longer is', async () => {
    const { change, call, close } = await openVault();
    await change(createNote, { path: vaultPath('Once.md'), content: 'quagga #private' });
    await change(replaceInNote, { name: 'Once.md', find: 'quagga #private', put: 'x', all: false });
    await change(replaceInNote, { name: 'Once.md', find: 'x', put: 'y', all: false });
    for (const [tool, args] of [
      ['list_changes', { name: 'Once' }],
      ['obsidian_history', { path: 'Once.md' }],
      ['obsidian_history_read', { path: 'Once.md', version: 2 }],
      ['obsidian_history_diff', { path: 'Once.md', from: 1 }],
    ] as const) {
      expect(saidBy(await call(tool, args)), tool).not.toContain('quagga');
    }
    expect(saidBy(await call('list_changes', { name: 'Once' }))).toContain('Once.md');
    await close();
  });
});

describe('a .vaultdoorignore', () => {
  it('hides files from every door but the command line, and follows its changes', async () => {
    const { disk, call, service, caller, close } = await openVault(
      { '.vaultdoorignore': '# private things\nDi*.md\n' },
      {},
    );
    const listed = async (): Promise<string> => saidBy(await call('list_notes', {}));
    expect(await listed()).not.toContain('Diary');
    expect(saidBy(await call('read_note', { path: 'Diary.md' }))).toContain('not_found');
    const owner = { ...caller, door: 'cli' as const, scopes: allScopes };
    expect(saidBy(await service.call('list_notes', {}, owner))).toContain('Diary');
    disk.write('.vaultdoorignore', 'Open.md\n');
    expect(await listed()).toContain('Diary');
    expect(await listed()).not.toContain('Open');
    disk.write('.vaultdoorignore', 'x'.repeat(limits.ignoreFileBytesMax + 1));
    expect(await listed()).toContain('Nothing is served until the owner');
    await close();
  });

  it.each<[string, object]>([
    ['create_note', { name: '.vaultdoorignore' }],
    ['note_upsert', { path: '.vaultdoorignore', content: 'x' }],
    ['rename_note', { old_name: 'Open', new_name: '.vaultdoorignore' }],
    ['append_note', { path: '.vaultdoorignore', text: 'x' }],
    ['delete_note', { name: '.vaultdoorignore' }],
    ['read_note', { path: '.vaultdoorignore' }],
  ])('cannot be reached by %s', async (tool, args) => {
    const { call, files: now, close } = await openVault({ '.vaultdoorignore': 'Diary.md' }, {});
    const before = now();
    expect((await call(tool, args)).ok).toBe(false);
    expect(now()).toEqual(before);
    await close();
  });
});
