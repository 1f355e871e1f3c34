import { expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { undoChanges } from '../history/undo-changes.ts';
import { renameNamed } from '../move/rename-named.ts';
import { appendNote } from '../write/append-note.ts';
import { listRecent } from './list-recent.ts';

const page = { limit: 10, offset: 0, folder: '' } as const;

it('says who gave each note its present text, and nobody after an edit from outside', async () => {
  const opened = await openWrittenVault({ 'A.md': 'a\n', 'B.md': 'b\n', 'Sub/C.md': 'c\n' });
  const clerk = opened.as({ door: 'mcp-stdio', client: 'clerk/1' });
  await clerk.change(appendNote, { name: 'A', text: 'x' });
  await clerk.change(appendNote, { name: 'B', text: 'x' });
  opened.disk.write('B.md', 'b by an editor\n');
  const { total, items } = await listRecent(opened.vault, page);
  expect(total).toBe(3);
  const by = Object.fromEntries(items.map(({ path, change }) => [path, change?.client]));
  expect(by).toEqual({ 'A.md': 'clerk/1', 'B.md': undefined, 'Sub/C.md': undefined });
  const inside = await listRecent(opened.vault, { ...page, folder: vaultPath('Sub') });
  expect(inside.items.map(({ path }) => path)).toEqual(['Sub/C.md']);
  await opened.close();
});

it('marks notes in which nothing new was written: after a rename, and after an undo', async () => {
  const opened = await openWrittenVault({ 'A.md': 'a\n', 'B.md': '[[A]]\n', 'C.md': 'c\n' });
  await opened.change(appendNote, { name: 'C', text: 'x' });
  await opened.change(renameNamed, { name: 'A', newName: 'A2' });
  const marks = async () => {
    const { items } = await listRecent(opened.vault, page);
    return Object.fromEntries(items.map(({ path, only }) => [path, only]));
  };
  expect(await marks()).toEqual({ 'A2.md': undefined, 'B.md': 'links', 'C.md': undefined });
  await opened.change(undoChanges, { ids: [1] });
  expect(await marks()).toMatchObject({ 'B.md': 'links', 'C.md': 'undo' });
  await opened.close();
});
