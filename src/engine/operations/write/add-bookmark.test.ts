import { describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { showChange } from '../history/show-change.ts';
import { undoChanges } from '../history/undo-changes.ts';
import { listBookmarks } from '../list/list-bookmarks.ts';
import { addBookmark } from './add-bookmark.ts';
import { appendNote } from './append-note.ts';

type AddBookmarkRequest = Parameters<typeof addBookmark>[1];

const file = '.obsidian/bookmarks.json';
const pretty = (items: readonly object[]): string => JSON.stringify({ items }, null, 2);
const kept = [
  { type: 'file', ctime: 1, path: 'Secret/Plan.md' },
  {
    type: 'group',
    ctime: 2,
    items: [{ type: 'file', ctime: 3, path: 'Sub/Note.md', subpath: '#A' }],
    title: 'G',
  },
  { type: 'search', ctime: 4, query: 'plan' },
  { type: 'folder', ctime: 5, path: 'Sub' },
];
const files = {
  '.obsidian/app.json': '{}',
  'Sub/Note.md': '# A',
  'Secret/Plan.md': '',
  'picture.png': '',
};

async function withVault<T>(
  more: Readonly<Record<string, string>>,
  use: (opened: MemoryVault) => Promise<T>,
): Promise<T> {
  const opened = await openWrittenVault({ ...files, ...more });
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

describe('addBookmark', () => {
  it.each<readonly [AddBookmarkRequest, object]>([
    [{ path: 'note' }, { type: 'file', path: 'Sub/Note.md' }],
    [
      { path: 'Sub/Note.md', subpath: '^b', title: ' T ' },
      { type: 'file', path: 'Sub/Note.md', subpath: '#^b', title: 'T' },
    ],
    [{ path: 'picture.png' }, { type: 'file', path: 'picture.png' }],
    [{ path: 'Secret' }, { type: 'folder', path: 'Secret' }],
    [{ search: 'tag:#x' }, { type: 'search', query: 'tag:#x' }],
    [
      { url: 'https://x.y/z', title: '' },
      { type: 'url', url: 'https://x.y/z' },
    ],
  ])('%j', async (request, bookmark) => {
    await withVault({ [file]: pretty(kept) }, async (opened) => {
      const answer = await opened.change(addBookmark, request);
      expect(answer).toMatchObject({ added: true, bookmark });
      const { items } = JSON.parse(opened.text(file));
      expect(items.slice(0, -1)).toEqual(kept);
      const { ctime, ...last } = items.at(-1);
      expect(last).toEqual(bookmark);
      expect(ctime).toBeGreaterThan(1_600_000_000_000);
      expect((await listBookmarks(opened.vault)).bookmarks.at(-1)).toEqual({
        ...bookmark,
        groups: [],
      });
    });
  });

  it('makes the file where there is none, and undo takes it away again', async () => {
    await withVault({}, async (opened) => {
      const { change = 0 } = await opened.change(addBookmark, { path: 'Sub' });
      expect(opened.text(file)).toMatch(/^\{\n {2}"items": \[\n {4}\{\n {6}"type": "folder",/);
      expect((await showChange(opened.vault, { id: change })).diff).toContain(`b/${file}`);
      await opened.change(undoChanges, { names: [change] });
      expect(opened.files()).toEqual(files);
    });
  });

  it('is undone to the very bytes that were there', async () => {
    const odd = '{"items":[ {"type":"x"} ],\r\n"more":[1,2]}';
    await withVault({ [file]: odd }, async (opened) => {
      const { change = 0 } = await opened.change(addBookmark, { search: 'x' });
      expect(opened.text(file)).not.toBe(odd);
      await opened.change(undoChanges, { names: [change] });
      expect(opened.text(file)).toBe(odd);
    });
  });

  it('does not add what is there already, in whatever group', async () => {
    await withVault({ [file]: pretty(kept) }, async (opened) => {
      const request = { path: 'Sub/Note', subpath: 'A', title: 'other' };
      const { added, bookmark, change } = await opened.change(addBookmark, request);
      expect([added, change, opened.text(file)]).toEqual([false, undefined, pretty(kept)]);
      const known = { type: 'file', path: 'Sub/Note.md', subpath: '#A', groups: ['G'] };
      expect(bookmark).toEqual(known);
      expect(await opened.change(addBookmark, { path: 'Sub/Note' })).toMatchObject({ added: true });
    });
  });

  it('shows what it would do in a dry run', async () => {
    await withVault({ [file]: pretty([]) }, async (opened) => {
      const { diff } = await opened.change(addBookmark, { path: 'Sub', dryRun: true });
      expect(diff).toContain('+      "path": "Sub"');
      expect(opened.text(file)).toBe(pretty([]));
    });
  });

  it.each<readonly [AddBookmarkRequest, Readonly<Record<string, string>>, string]>([
    [{}, {}, 'invalid_input'],
    [{ path: 'Note', url: 'https://x.y' }, {}, 'invalid_input'],
    [{ search: 'x', subpath: '#a' }, {}, 'invalid_input'],
    [{ path: 'Sub', subpath: '#a' }, {}, 'invalid_input'],
    [{ url: 'javascript:alert(1)' }, {}, 'invalid_input'],
    [{ url: 'file:///etc/passwd' }, {}, 'invalid_input'],
    [{ path: 'Nowhere' }, {}, 'not_found'],
    [{ path: '.obsidian' }, {}, 'not_found'],
    [{ path: '.obsidian/app.json' }, {}, 'not_found'],
    [{ path: '../x' }, {}, 'outside_vault'],
    [{ path: 'Note' }, { [file]: '{"items":[' }, 'invalid_input'],
  ])('refuses %j beside %j', async (request, more, code) => {
    await withVault(more, async (opened) => {
      await expect(opened.change(addBookmark, request)).rejects.toMatchObject({ code });
      expect(opened.files()).toEqual({ ...files, ...more });
    });
  });

  it('makes no .obsidian in a folder that the app has never opened', async () => {
    const opened = await openWrittenVault({ 'Note.md': '' });
    const asked = opened.change(addBookmark, { path: 'Note' });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_input' });
    expect(opened.files()).toEqual({ 'Note.md': '' });
    await opened.close();
  });

  it.each<readonly [Partial<Scopes>, string, string]>([
    [{ hide: ['Secret'] }, 'Plan', 'not_found'],
    [{ hide: ['Secret'] }, 'Secret', 'not_found'],
    [{ folders: [vaultPath('Sub')] }, 'Note', 'forbidden'],
  ])('for one who sees %j refuses %s', async (scopes, path, code) => {
    await withVault({}, async (opened) => {
      const vault = opened.as({ scopes: { ...allScopes, ...scopes } });
      await expect(vault.change(addBookmark, { path })).rejects.toMatchObject({ code });
    });
  });

  it('opens no other way to the file', async () => {
    await withVault({ [file]: pretty([]) }, async (opened) => {
      for (const name of [file, { path: file }]) {
        const asked = opened.change(appendNote, { name, text: 'x' });
        await expect(asked).rejects.toMatchObject({ code: 'not_found' });
      }
    });
  });
});

describe('listBookmarks', () => {
  const titles = async (opened: MemoryVault, scopes: Partial<Scopes>) => {
    const vault = opened.as({ scopes: { ...allScopes, ...scopes } });
    return (await listBookmarks(vault)).bookmarks.map(({ path, query, groups }) =>
      [...groups, path ?? query].join(' > '),
    );
  };

  it.each<readonly [Partial<Scopes>, string[]]>([
    [{}, ['Secret/Plan.md', 'G > Sub/Note.md', 'plan', 'Sub']],
    [{ hide: ['Secret'] }, ['Sub/Note.md', 'Sub']],
    [{ hide: ['Sub/**'] }, ['Secret/Plan.md']],
    [{ folders: [vaultPath('Sub')] }, ['Sub/Note.md', 'Sub']],
    [{ folders: [] }, []],
  ])('shows what is seen with %j', async (scopes, expected) => {
    await withVault({ [file]: pretty(kept) }, async (opened) => {
      expect(await titles(opened, scopes)).toEqual(expected);
    });
  });

  it('answers a hidden search as if it were not there, and adds it once more', async () => {
    await withVault({ [file]: pretty(kept) }, async (opened) => {
      const vault = opened.as({ scopes: { ...allScopes, hide: ['Secret'] } });
      const { added, bookmark } = await vault.change(addBookmark, { search: 'plan' });
      expect({ added, bookmark }).toEqual({
        added: true,
        bookmark: { type: 'search', query: 'plan', groups: [] },
      });
    });
  });

  it('is empty where there is no file, and refused where it is broken', async () => {
    await withVault({}, async (opened) => expect(await titles(opened, {})).toEqual([]));
    await withVault({ [file]: 'x' }, async (opened) => {
      await expect(listBookmarks(opened.vault)).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
});
