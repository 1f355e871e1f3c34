import { afterEach, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { undoChanges } from '../history/undo-changes.ts';
import { deleteFile } from '../move/delete-file.ts';
import { renameFile } from '../move/rename-file.ts';
import { listBrokenLinks } from './list-broken-links.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

async function vaultWith(files: Readonly<Record<string, string>>): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

const page = { folder: '', limit: 100, offset: 0 } as const;

it('lists each link with its line, and names that are similar', async () => {
  const { vault } = await vaultWith({
    'a.md': '---\nup: "[[Gadren plan]]"\n---\n\n[[Gadren plan|x]] [[Garden plan]] [[#here]]\n',
    'Sub/b.md': '![[gone.png]] [x](Nowhere%20at%20all.md#y) [[Old/Garden plan]]\n[[ab]]\n',
    'Garden plan.md': '---\naliases: [Nowhere at al]\n---\n',
    'goon.md': '',
  });
  const { total, items } = await listBrokenLinks(vault, page);
  expect(total).toBe(6);
  expect(items).toEqual([
    { link: 'Gadren plan', source: 'a.md', line: 1, likely: ['Garden plan'] },
    { link: 'Gadren plan', source: 'a.md', line: 4, likely: ['Garden plan'] },
    { link: 'Nowhere at all', source: 'Sub/b.md', line: 0, likely: ['Garden plan'] },
    { link: 'Old/Garden plan', source: 'Sub/b.md', line: 0, likely: ['Garden plan'] },
    { link: 'ab', source: 'Sub/b.md', line: 1, likely: [] },
    { link: 'gone.png', source: 'Sub/b.md', line: 0, likely: [] },
  ]);
  for (let offset = 0; offset < total; offset++) {
    const one = await listBrokenLinks(vault, { ...page, limit: 1, offset });
    expect(one).toEqual({ total, items: [items[offset]] });
  }
  const inSub = await listBrokenLinks(vault, { ...page, folder: vaultPath('sub') });
  expect(inSub.items).toEqual(items.slice(2));
});

it('knows notes that were renamed or deleted, unless that was undone', async () => {
  const files = { 'First.md': 'x', 'Second.md': '', 'Third.md': '', 'n.md': '' };
  const vault = await vaultWith(files);
  const keep = { links: 'keep' } as const;
  await vault.change(renameFile, { name: 'First', newName: 'Quite another', ...keep });
  await vault.change(renameFile, { name: 'Quite another', newName: 'Last of all', ...keep });
  const { change: deleted } = await vault.change(deleteFile, { name: 'Second' });
  const { change } = await vault.change(deleteFile, { name: 'Third' });
  vault.disk.write('n.md', '[[First]] [[Second]] [[Third]] [[Quite another]]');
  await vault.keeper.reconcile();
  const answer = async () => {
    const { items } = await listBrokenLinks(vault.vault, page);
    return items.map(({ link, likely, deleted }) => ({ link, likely, deleted }));
  };
  expect(await answer()).toEqual([
    { link: 'First', likely: ['Last of all'], deleted: undefined },
    { link: 'Quite another', likely: ['Last of all'], deleted: undefined },
    { link: 'Second', likely: [], deleted },
    { link: 'Third', likely: [], deleted: change },
  ]);
  await vault.change(undoChanges, { ids: [change] } as never);
  expect((await answer()).map(({ link }) => link)).toEqual(['First', 'Quite another', 'Second']);
});

it('a link to a file that the caller may not see is broken, and nothing of the file is told', async () => {
  const vault = await vaultWith({ 'a.md': '[[zq]] [[zqq]]', 'Secret/zq.md': '', 'b.md': '' });
  const scopes = { ...vault.vault.caller.scopes, hide: ['Secret/**'] };
  const { items } = await listBrokenLinks(vault.as({ scopes }), page);
  expect(items.map(({ link, likely }) => [link, likely])).toEqual([
    ['zq', []],
    ['zqq', []],
  ]);
});
