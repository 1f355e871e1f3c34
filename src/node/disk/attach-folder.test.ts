import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openAttachFolder } from './attach-folder.ts';

/** Reads a file from a folder for attachments, beside two vaults. */
async function read(folder: string, path: string): Promise<string> {
  const base = tempFolder({ 'vault/Private/secret.pdf': 'x', 'Attach/photo.png': 'y' });
  const vault = join(base, 'vault');
  mkdirSync(join(base, 'other/.obsidian'), { recursive: true });
  writeFileSync(join(base, 'other/note.pdf'), 'z');
  if (makesSymlinks) symlinkSync(vault, join(base, 'link'));
  const attach = openAttachFolder(join(base, folder), vault);
  return Buffer.from(await attach.read(vaultPath(path), { bytesMax: 100 })).toString();
}

it('gives files of its folder', async () => {
  expect(await read('Attach', 'photo.png')).toBe('y');
});

it.each<[string, string, string]>([
  ['the vault itself', 'vault', 'Private/secret.pdf'],
  ['a folder in the vault', 'vault/Private', 'secret.pdf'],
  ['a folder around the vault', '', 'vault/Private/secret.pdf'],
  ...(makesSymlinks
    ? [['a symlink to the vault', 'link', 'Private/secret.pdf'] as [string, string, string]]
    : []),
  ['another vault', 'other', 'note.pdf'],
  ['a folder around another vault', '', 'other/note.pdf'],
])('gives no file of a vault: %s', async (_, folder, path) => {
  await expect(read(folder, path)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('--attach-from'),
  });
});
