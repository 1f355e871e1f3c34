import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { listNoteNames } from '../operations/list/list-files.ts';
import { listTasks } from '../operations/list/list-tasks.ts';
import { moveFolder } from '../operations/move/move-folder.ts';
import { searchNotes } from '../operations/search/search-notes.ts';
import { findFolder } from './find-folder.ts';

let opened: MemoryVault;
beforeAll(async () => {
  opened = await openWrittenVault({
    'Projects/Cafe\u0301/Plan.md': '- [ ] word',
    'twice/a.md': '',
    'Twice/b.md': '',
    'TWICE/deep/c.md': '',
    'Secret/x.md': '',
    'note.md': '',
  });
});
afterAll(() => opened.close());

it.each([
  ['', ''],
  ['/', ''],
  ['Projects', 'Projects'],
  ['projects/', 'Projects'],
  ['PROJECTS/caf\u00c9', 'Projects/Cafe\u0301'],
  ['twice', 'twice'],
  ['Twice', 'Twice'],
  ['twice/Deep', 'TWICE/deep'],
  ['tWice', 'ambiguous'],
  ['secret', 'not_found'],
  ['Nowhere', 'not_found'],
  ['note.md', 'not_a_folder'],
  ['.obsidian', 'not_found'],
])('%j is the folder %j', async (asked, expected) => {
  const vault = opened.as({ scopes: { ...allScopes, hide: ['Secret'] } });
  const found = findFolder(vault, vaultFolder(asked)).catch(({ code }: { code: string }) => code);
  expect(await found).toBe(expected);
});

it('is the same for every operation that takes a folder', async () => {
  const { vault } = opened;
  const page = { folder: vaultFolder('projects/CAF\u00c9'), limit: 5, offset: 0 };
  expect(await listNoteNames(vault, { ...page, sort: 'name' })).toMatchObject({ names: ['Plan'] });
  expect(await listTasks(vault, page)).toMatchObject({ total: 1 });
  expect(await listTasks(vault, { ...page, name: 'Plan' })).toMatchObject({ total: 1 });
  expect(await searchNotes(vault, { ...page, query: 'word' })).toMatchObject({ total: 1 });
  const moved = opened.change(moveFolder, { folder: 'projects', to: 'Work', dryRun: true });
  expect(await moved).toMatchObject({ from: 'Projects', path: 'Work', moved: 1 });
  const hidden = opened.as({ scopes: { ...allScopes, hide: ['Secret'] } });
  await expect(hidden.change(moveFolder, { folder: 'secret', to: 'x' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.not.stringContaining('Secret'),
  });
});
