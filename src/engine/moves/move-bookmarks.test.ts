import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { undoChanges } from '../operations/history/undo-changes.ts';
import { deleteFile } from '../operations/move/delete-file.ts';
import { moveFile } from '../operations/move/move-file.ts';
import { renameFile } from '../operations/move/rename-file.ts';

const file = '.obsidian/bookmarks.json';
const bookmarks = `{\r
  "items": [\r
    {"type":"file","ctime":1,"path":"A/Old.md","subpath":"#h"},\r
    { "type": "group", "title": "A/Old.md", "items": [\r
      { "type": "file", "ctime": 2, "path": "A\\/Old.md", "title": "Old" },\r
      { "type": "folder", "ctime": 3, "path": "A" }\r
    ] },\r
    { "type": "folder", "ctime": 4, "path": "AB" },\r
    { "type": "search", "query": "A/Old.md" }\r
  ]\r
}`;
const notes = { 'A/Old.md': '', 'AB/x.md': '', 'n.md': '[[Old]]' };

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

async function vaultWith(list = bookmarks): Promise<MemoryVault> {
  opened = await openWrittenVault({ ...notes, '.obsidian/app.json': '{}', [file]: list });
  return opened;
}

describe('bookmarks', () => {
  it('of a renamed file follow, and come back with an undo', async () => {
    const vault = await vaultWith();
    await vault.change(renameFile, { name: 'A/Old.md', newName: 'Café "1"'.replaceAll('"', "'") });
    expect(vault.text(file)).toBe(
      bookmarks
        .replace('"path":"A/Old.md"', `"path":"A/Café '1'.md"`)
        .replace('"A\\/Old.md"', `"A/Café '1'.md"`),
    );
    await vault.change(undoChanges, { last: 1 });
    expect(vault.files()).toEqual({ ...notes, '.obsidian/app.json': '{}', [file]: bookmarks });
  });

  it('of a moved folder follow, with those of the files in it', async () => {
    const vault = await vaultWith();
    await vault.change(renameFile, { name: 'A', newName: 'New' });
    expect(vault.text(file)).toBe(
      bookmarks
        .replace('"path":"A/Old.md"', '"path":"New/Old.md"')
        .replace('"A\\/Old.md"', '"New/Old.md"')
        .replace('"path": "A"', '"path": "New"'),
    );
    await vault.change(undoChanges, { last: 1 });
    expect(vault.text(file)).toBe(bookmarks);
  });

  it('also follow a move that leaves links as they are', async () => {
    const vault = await vaultWith();
    await vault.change(moveFile, { name: 'A/Old.md', to: 'Old.md', links: 'keep' });
    expect(vault.text(file)).toContain('"path":"Old.md"');
  });

  it('are not touched by other moves and by a delete', async () => {
    const vault = await vaultWith();
    const { files } = await vault.change(renameFile, { name: 'AB/x.md', newName: 'y' });
    expect(files.map(({ path }) => path)).not.toContain(file);
    await vault.change(deleteFile, { name: 'A/Old.md' });
    expect(vault.text(file)).toBe(bookmarks);
  });

  it.each(['{"items":[', '[]', 'x'])('that are %s do not stop a rename', async (list) => {
    const vault = await vaultWith(list);
    const { warnings } = await vault.change(renameFile, { name: 'A/Old.md', newName: 'New' });
    expect(warnings).toEqual([expect.stringContaining('bookmarks are not updated')]);
    expect(vault.text(file)).toBe(list);
    expect(vault.text('n.md')).toBe('[[New]]');
  });

  it.each([{ hide: ['AB'] }, { folders: [vaultPath('A')] }])(
    'stay for one who sees only %j, who can undo the move',
    async (scopes) => {
      const vault = await vaultWith();
      const seen = vault.as({ scopes: { ...allScopes, ...scopes } });
      await seen.change(renameFile, { name: 'A/Old.md', newName: 'Old' });
      await seen.change(moveFile, { name: 'A/Old.md', to: 'A/s/Old.md' });
      expect(vault.text(file)).toBe(bookmarks);
      await seen.change(undoChanges, { last: 1 });
      expect(vault.files()).toEqual({ ...notes, '.obsidian/app.json': '{}', [file]: bookmarks });
    },
  );
});
