import { afterEach, expect, it } from 'vitest';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { renameTag } from './rename-tag.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

it('renames a tag throughout the vault and touches no other note', async () => {
  const vault = await openWrittenVault({
    'a.md': '---\ntags: [old, x]\n---\n#Old and #old/child, #older\n',
    'b.md': '#other #x/old\n',
    'c.md': '---\ntags:\n  - "#OLD/deep" # why\n---\n',
    'd.canvas': '{"nodes":[{"type":"text","text":"#old"}]}',
  });
  opened = vault;
  const answer = await vault.change(renameTag, { tag: '#old', newTag: 'new/one' });
  expect(answer).toMatchObject({ notes: 2, count: 4 });
  expect(answer.files.map(({ path }) => path)).toEqual(['a.md', 'c.md']);
  expect(vault.files()).toEqual({
    'a.md': '---\ntags: [new/one, x]\n---\n#new/one and #new/one/child, #older\n',
    'b.md': '#other #x/old\n',
    'c.md': '---\ntags:\n  - "#new/one/deep" # why\n---\n',
    'd.canvas': '{"nodes":[{"type":"text","text":"#old"}]}',
  });
  expect(await vault.indexFaults()).toEqual([]);
});

it.each([
  ['gone', 'x', 'not_found'],
  ['old', 'a b', 'invalid_input'],
  ['old', '1984', 'invalid_input'],
  ['old', 'a//b', 'invalid_input'],
  ['old', 'a/', 'invalid_input'],
  ['', 'x', 'invalid_input'],
])('"%s" does not become "%s": %s', async (tag, newTag, code) => {
  const vault = await openWrittenVault({ 'a.md': '#old' });
  opened = vault;
  await expect(vault.change(renameTag, { tag, newTag })).rejects.toMatchObject({ code });
  expect(vault.text('a.md')).toBe('#old');
});

it('refuses while a note cannot be read, unless forced', async () => {
  const disk = memoryDisk({ 'a.md': '#old' });
  disk.write('cloud.md', '', { present: false });
  const vault = await openWrittenVault(disk);
  opened = vault;
  const request = { tag: 'old', newTag: 'new' };
  await expect(vault.change(renameTag, request)).rejects.toMatchObject({ code: 'unavailable' });
  expect((await vault.change(renameTag, { ...request, force: true })).warnings).toHaveLength(1);
  expect(vault.text('a.md')).toBe('#new');
});
