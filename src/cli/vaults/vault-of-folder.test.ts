import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultOfFolder } from './vault-of-folder.ts';

it.each<[string, string | undefined]>([
  ['Work', 'Work'],
  ['Work/Projects', 'Work'],
  ['Work/Inner', 'Inner'],
  ['Work/Inner/Deep', 'Inner'],
  ...(makesSymlinks ? [['link', 'Work'] as [string, string]] : []),
  ['.', undefined],
  ['Workshop', undefined],
  ['Nowhere', undefined],
])('%s belongs to %s', async (folder, vault) => {
  const root = tempFolder({
    'Work/Projects/A.md': '',
    'Work/Inner/Deep/A.md': '',
    'Workshop/A.md': '',
  });
  symlinkSync(join(root, 'Work'), join(root, 'link'));
  const find = vaultOfFolder([
    { name: 'Work', path: join(root, 'Work') },
    { name: 'Inner', path: join(root, 'Work', 'Inner') },
    { name: 'Away', path: join(root, 'Away') },
  ]);
  expect(await find(join(root, folder))).toBe(vault);
});
