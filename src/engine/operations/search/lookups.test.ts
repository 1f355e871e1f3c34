import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { newNotePath } from '../../new-notes/new-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { completeHeadings, completeNames, completePaths, completeTags } from '../list/complete.ts';
import { listNoteNames } from '../list/list-files.ts';
import { noteLinks } from '../read/note-links.ts';
import { searchNames, searchTagged } from './search-names.ts';
import { searchNotes } from './search-notes.ts';

const page = { limit: 50, offset: 0 };
let opened: MemoryVault;

beforeAll(async () => {
  opened = await openWrittenVault({
    '.obsidian/app.json': '{"userIgnoreFilters":["Archive/"]}',
    'Home.md': [
      '---',
      'aliases: [Start, Way/In]',
      'tags: [Garden]',
      '---',
      'Intro [[Log]] #home',
      '# First',
      'apples [[Ghost]] ![[Secret/Plan#x]]',
      '```',
      '# apples #garden/no',
      '```',
      '## Second',
      '#garden/roses [[Project plan|p]] [[Ghost#y]]',
    ].join('\n'),
    'A/Log.md': '# Log\n## Day\nx\n## Day\n[[Home]]',
    'B/log.md': 'apples',
    'B/Project plan.md': '[[Home]]\n[[Home#First]] #HOME',
    'Board.canvas': '{}',
    'Board.canvas.md': '',
    'Secret/Plan.md': '---\naliases: [Hush hush]\n---\n#garden/hidden [[Home]]',
    'Archive/Old log.md': '#garden apples',
    'pic.png': '',
  });
});
afterAll(() => opened.close());

const seenBy = (scopes: Partial<Scopes>): BoundVault =>
  opened.as({ scopes: { ...allScopes, ...scopes } });
const everyone = (): BoundVault => seenBy({});
const without = (): BoundVault => seenBy({ hide: ['Secret'] });

describe('a search by name', () => {
  type Row = readonly [
    query: string,
    match: 'exact' | 'partial',
    folder: VaultFolder,
    hits: object[],
  ];
  const hit = (path: string, title: string, ...aliases: string[]) => ({
    path,
    title,
    ...(aliases.length > 0 ? { aliases } : {}),
    lines: [],
  });
  const rows: readonly Row[] = [
    ['LOG', 'exact', '', [hit('A/Log.md', 'Log'), hit('B/log.md', 'log')]],
    ['log', 'exact', vaultPath('B'), [hit('B/log.md', 'log')]],
    ['start', 'exact', '', [hit('Home.md', 'Home', 'Start')]],
    ['hush', 'partial', '', []],
    ['pla', 'partial', '', [hit('B/Project plan.md', 'Project plan')]],
    ['old', 'partial', '', []],
  ];
  it.each(rows)('for %j, %s, in %j', async (query, match, folder, hits) => {
    const found = await searchNames(without(), { query, match, folder, ...page });
    expect(found).toEqual({ total: hits.length, hits });
  });

  it.each([
    [' ', '', 'invalid_input'],
    ['x'.repeat(1_001), '', 'too_large'],
    ['x', 'Nowhere', 'not_found'],
  ])('is refused for %j in %j', async (query, folder, code) => {
    const request = { query, match: 'partial', folder: folder as VaultFolder, ...page } as const;
    expect((await failureOf(searchNames(everyone(), request))).code).toBe(code);
  });
});

describe('a search by tag', () => {
  const lines = [
    { line: 3, text: 'tags: [Garden]' },
    { line: 12, text: '#garden/roses [[Project plan|p]] [[Ghost#y]]', heading: 'Second' },
  ];
  it.each([['garden'], ['#GARDEN'], [' garden/ ']])('finds %j with what is nested', async (tag) => {
    const found = await searchTagged(without(), { tag, folder: '', ...page });
    expect(found).toEqual({
      total: 1,
      hits: [{ path: 'Home.md', title: 'Home', lines }],
    });
  });

  it('looks in one folder only, and refuses no tag at all', async () => {
    const inB = await searchTagged(without(), { tag: 'home', folder: vaultPath('B'), ...page });
    expect(inB.hits).toEqual([
      {
        path: 'B/Project plan.md',
        title: 'Project plan',
        lines: [{ line: 2, text: '[[Home#First]] #HOME' }],
      },
    ]);
    const none = searchTagged(without(), { tag: '#', folder: '', ...page });
    expect((await failureOf(none)).code).toBe('invalid_input');
  });

  it('refuses a tag that nobody could mean, instead of repeating it', async () => {
    const tag = 'x'.repeat(limits.queryCharsMax + 1);
    const long = searchTagged(without(), { tag, folder: '', ...page });
    expect((await failureOf(long)).code).toBe('too_large');
  });
});

describe('a search by content', () => {
  it('shows titles, and the headings of lines that are no code', async () => {
    const { hits } = await searchNotes(without(), { query: 'apples', folder: '', ...page });
    const home = hits.find(({ path }) => path === 'Home.md');
    expect(home).toMatchObject({
      title: 'Home',
      lines: [
        { line: 7, heading: 'First' },
        { line: 9, heading: 'First' },
      ],
    });
    expect(hits.map(({ path }) => path).sort()).toEqual(['B/log.md', 'Home.md']);
  });
});

describe('the names of notes', () => {
  it('are without paths but where others have the same', async () => {
    const list = await listNoteNames(without(), { folder: '', sort: 'name', ...page });
    expect(list).toMatchObject({
      total: 5,
      names: ['Board.canvas.md', 'Home', 'A/Log.md', 'B/log.md', 'Project plan'],
    });
    const inA = await listNoteNames(seenBy({ folders: [vaultPath('A')] }), {
      folder: '',
      sort: 'name',
      ...page,
    });
    expect(inA).toMatchObject({ total: 1, names: ['Log'] });
  });

  it('lead back to their notes', async () => {
    const { names } = await listNoteNames(everyone(), { folder: '', sort: 'modified', ...page });
    const found = await Promise.all(names.map((name) => findNote(everyone(), name)));
    expect(new Set(found).size).toBe(names.length);
  });
});

describe('the links of a note', () => {
  it('lead out, in, or nowhere, with lines from 1', async () => {
    expect(await noteLinks(without(), { name: 'Home', direction: 'both', ...page })).toEqual({
      path: 'Home.md',
      incoming: {
        total: 3,
        items: [
          { path: 'A/Log.md', line: 5, text: '[[Home]]', heading: 'Day' },
          { path: 'B/Project plan.md', line: 1, text: '[[Home]]' },
          { path: 'B/Project plan.md', line: 2, text: '[[Home#First]]' },
        ],
      },
      outgoing: {
        total: 2,
        items: [
          { path: 'A/Log.md', line: 5, text: '[[Log]]' },
          { path: 'B/Project plan.md', line: 12, text: '[[Project plan|p]]', heading: 'Second' },
        ],
      },
      unresolved: {
        total: 3,
        items: [
          { path: 'Ghost', line: 7, text: '[[Ghost]]', heading: 'First' },
          { path: 'Secret/Plan', line: 7, text: '![[Secret/Plan#x]]', heading: 'First' },
          { path: 'Ghost', line: 12, text: '[[Ghost#y]]', heading: 'Second' },
        ],
      },
    });
  });

  it('show hidden notes to those who see them', async () => {
    const { incoming, outgoing } = await noteLinks(everyone(), {
      name: 'Home',
      direction: 'both',
      ...page,
    });
    expect(incoming?.items).toContainEqual({
      path: 'Secret/Plan.md',
      line: 4,
      text: '[[Home]]',
    });
    expect(outgoing?.items).toMatchObject([{}, { path: 'Secret/Plan.md', line: 7 }, {}]);
  });

  it.each([
    ['in', ['path', 'incoming']],
    ['out', ['path', 'outgoing', 'unresolved']],
  ] as const)('come in the direction %s alone, in pages', async (direction, keys) => {
    const links = await noteLinks(without(), { name: 'Home', direction, limit: 1, offset: 1 });
    expect(Object.keys(links)).toEqual(keys);
    const [first = { items: [] }] = [links.incoming, links.outgoing].filter(Boolean);
    expect(first.items).toHaveLength(1);
  });
});

describe('completion', () => {
  type Complete = typeof completePaths;
  const rows: readonly [string, Complete, prefix: string, values: string[]][] = [
    ['paths', completePaths, 'b/', ['B/Project plan.md', 'B/log.md']],
    ['paths by name', completePaths, 'proj', ['B/Project plan.md']],
    ['paths of nothing hidden', completePaths, 'secret', []],
    ['names', completeNames, 'lo', ['A/Log.md', 'B/log.md']],
    ['names by a word', completeNames, 'pla', ['Project plan']],
    ['names of nothing hidden', completeNames, 'hush', []],
    ['tags', completeTags, 'gar', ['Garden', 'garden/roses']],
    ['tags with their sign', completeTags, '#ros', ['#garden/roses']],
    ['tags without excluded and hidden notes', completeTags, 'hid', []],
  ];
  it.each(rows)('offers %s', async (_, complete, prefix, values) => {
    expect(await complete(without(), prefix, 10)).toEqual({ values, total: values.length });
  });

  it('offers the latest notes before anything is typed', async () => {
    const names = await completeNames(without(), '', 3);
    expect([names.total, names.values.length]).toEqual([5, 3]);
    expect((await completePaths(without(), ' ', 10)).values).toContain('B/log.md');
  });

  const headings: readonly [name: NoteName, prefix: string, values: string[]][] = [
    ['Home', '', ['First', 'Second']],
    ['Home', 'sec', ['Second']],
    ['A/Log', '', ['Log', 'Log > Day']],
    ['Nowhere', '', []],
    ['Log', '', []],
    ['../x', '', []],
    ['pic.png', '', []],
    ['Secret/Plan', '', []],
  ];
  it.each(headings)(
    'offers the headings of %j that begin with %j',
    async (name, prefix, values) => {
      expect(await completeHeadings(without(), name, prefix, 10)).toEqual({
        values,
        total: values.length,
      });
    },
  );
});

describe('a new note', () => {
  const rows: readonly [settings: object, name: string, path: string][] = [
    [{}, 'New', 'New'],
    [{ newFileLocation: 'root', newFileFolderPath: 'Inbox' }, 'New', 'New'],
    [{ newFileLocation: 'current', newFileFolderPath: 'Inbox' }, 'New', 'New'],
    [{ newFileLocation: 'folder', newFileFolderPath: 'Inbox/New' }, 'New', 'Inbox/New/New'],
    [{ newFileLocation: 'folder', newFileFolderPath: '/Inbox/' }, 'New', 'Inbox/New'],
    [{ newFileLocation: 'folder', newFileFolderPath: '/' }, 'New', 'New'],
    [{ newFileLocation: 'folder', newFileFolderPath: '../out' }, 'New', 'New'],
    [{ newFileLocation: 'folder', newFileFolderPath: 'Inbox' }, 'A/New', 'A/New'],
  ];
  it.each(rows)('with the settings %j, %j goes to %j', async (settings, name, path) => {
    const other = await openWrittenVault({ '.obsidian/app.json': JSON.stringify(settings) });
    try {
      expect(await newNotePath(other.vault, name)).toBe(path);
    } finally {
      await other.close();
    }
  });
});
