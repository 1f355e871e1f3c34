import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes, type Caller, type Scopes } from '../../../base/caller.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { readNote } from '../read/read-note.ts';
import { searchNotes } from '../search/search-notes.ts';
import { describeVault } from '../vault/describe-vault.ts';
import { listFiles } from './list-files.ts';
import { listOrphans, listUnresolved } from './list-graph.ts';
import { listBacklinks, listLinks } from './list-links.ts';
import { readProperties } from './list-properties.ts';
import { listTagged, listTags } from './list-tags.ts';

const disk = memoryDisk({
  '.obsidian/app.json': '{"userIgnoreFilters":["Archive/"]}',
  'Home.md': '---\naliases: [Start]\n---\n[[Log]] [[Ghost]] [[Old]] #home',
  'A/Log.md': 'apples and pears',
  'B/Log.md': 'apples [[Home]]',
  'B/Sub/Deep note.md': '#home/sub [[Secret/Plan]]',
  'Secret/Plan.md': '#hush apples [[Home]]',
  'Archive/Old.md': '#old apples [[Home]]',
  'Broken.md': '---\na: [\n---\n',
  'Report.pdf': '%PDF',
  'Case.md': '',
  'case.md': '',
});
const page = { limit: 50, offset: 0 };
let opened: IndexedVault;

beforeAll(async () => {
  opened = await indexMemoryVault(disk);
});
afterAll(() => opened.close());

function bound(scopes: Partial<Scopes> = {}): BoundVault {
  const caller: Caller = {
    door: 'cli',
    scopes: { ...allScopes, ...scopes },
    signal: new AbortController().signal,
    deadlineMs: 5_000,
  };
  return opened.vault.bind(caller);
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return error instanceof VaultError ? error.code : error;
  }
}

describe('findNote', () => {
  const rows: readonly [string, string][] = [
    ['Home', 'Home.md'],
    ['Home.md', 'Home.md'],
    ['home', 'Home.md'],
    ['A/Log', 'A/Log.md'],
    ['a/log.MD', 'A/Log.md'],
    ['Deep note', 'B/Sub/Deep note.md'],
    ['sub/deep note', 'B/Sub/Deep note.md'],
    ['Report.pdf', 'Report.pdf'],
    ['Case', 'Case.md'],
    ['CASE', 'ambiguous'],
    ['Log', 'ambiguous'],
    ['Start', 'not_found'],
    ['eep note', 'not_found'],
    ['.obsidian/app.json', 'not_found'],
    ['../x', 'outside_vault'],
  ];
  it.each(rows)('takes %j to be %s', async (name, expected) => {
    expect(await outcome(findNote(bound(), name))).toBe(expected);
  });

  it('mentions candidates and aliases when it fails', async () => {
    await expect(findNote(bound(), 'Log')).rejects.toMatchObject({
      details: { candidates: ['A/Log.md', 'B/Log.md'] },
    });
    await expect(findNote(bound(), 'Start')).rejects.toThrow('alias of "Home.md"');
  });
});

describe('reading operations', () => {
  it('list files without the excluded ones', async () => {
    const request = { ...page, folder: '', kinds: ['note'], sort: 'path' } as const;
    const files = await listFiles(bound(), request);
    expect(files.items.map((file) => file.path)).not.toContain('Archive/Old.md');
    expect(files.total).toBe(8);
    expect(await outcome(listFiles(bound(), { ...request, folder: vaultPath('Nope') }))).toBe(
      'not_found',
    );
    expect(await outcome(listFiles(bound(), { ...request, folder: vaultPath('Home.md') }))).toBe(
      'not_a_folder',
    );
  });

  it('count tags without the excluded files, and find nested ones', async () => {
    expect((await listTags(bound())).map((row) => row.tag)).toEqual([
      '#home',
      '#home/sub',
      '#hush',
    ]);
    const tagged = await listTagged(bound(), { tag: '#HOME', ...page });
    expect(tagged.items.map((file) => file.path)).toEqual(['B/Sub/Deep note.md', 'Home.md']);
  });

  it('resolve links to and from excluded files all the same', async () => {
    const { items } = await listBacklinks(bound(), { name: 'Home', ...page });
    expect(items.map((link) => link.source)).toEqual([
      'Archive/Old.md',
      'B/Log.md',
      'Secret/Plan.md',
    ]);
  });

  it('search the files as they are, ranked, with lines', async () => {
    const found = await searchNotes(bound(), { query: 'apples -pears', folder: '', ...page });
    expect(found.hits.map((hit) => hit.path).sort()).toEqual(['B/Log.md', 'Secret/Plan.md']);
    expect(found.hits.find((hit) => hit.path === 'B/Log.md')?.lines).toEqual([
      { line: 1, text: 'apples [[Home]]' },
    ]);
    expect(await outcome(searchNotes(bound(), { query: '-x', folder: '', ...page }))).toBe(
      'invalid_input',
    );
    const within = await searchNotes(bound(), { query: 'apples', folder: vaultPath('A'), ...page });
    expect(within.hits.map((hit) => hit.path)).toEqual(['A/Log.md']);
  });

  it('refuse to read properties that are not valid rather than answer none', async () => {
    expect(await outcome(readProperties(bound(), { name: 'Broken' }))).toBe('invalid_input');
    expect(await readProperties(bound(), { name: 'Home' })).toMatchObject({
      path: 'Home.md',
      properties: { aliases: ['Start'] },
    });
  });

  it('list unresolved links and orphans', async () => {
    expect((await listUnresolved(bound(), page)).items).toEqual([
      { link: 'Ghost', count: 1, sources: ['Home.md'] },
    ]);
    expect((await listOrphans(bound(), page)).items).toContain('Broken.md');
    expect((await listOrphans(bound(), page)).items).not.toContain('Home.md');
  });
});

describe('a caller limited to folders', () => {
  const limited = () => bound({ folders: [vaultPath('B')] });

  it('sees nothing outside them, not even counts', async () => {
    expect(await outcome(readNote(limited(), { name: 'Home' }))).toBe('not_found');
    expect(await outcome(findNote(limited(), 'Log'))).toBe('B/Log.md');
    expect((await listTags(limited())).map((row) => row.tag)).toEqual(['#home/sub']);
    expect((await describeVault(limited())).files.note).toBe(2);
    const found = await searchNotes(limited(), { query: 'apples', folder: '', ...page });
    expect([found.total, found.hits.map((hit) => hit.path)]).toEqual([1, ['B/Log.md']]);
    const { links } = await listLinks(limited(), { name: 'B/Log' });
    expect(links.map((link) => [link.path, link.target])).toEqual([['Home', undefined]]);
    expect(
      await outcome(
        listFiles(limited(), { ...page, folder: vaultPath('A'), kinds: ['note'], sort: 'path' }),
      ),
    ).toBe('not_found');
  });

  it('sees nothing hidden', async () => {
    const without = bound({ hide: ['Secret'] });
    expect(await outcome(readNote(without, { name: 'Secret/Plan' }))).toBe('not_found');
    expect((await listTags(without)).map((row) => row.tag)).not.toContain('#hush');
    const { items } = await listBacklinks(without, { name: 'Home', ...page });
    expect(items.map((link) => link.source)).not.toContain('Secret/Plan.md');
  });
});
