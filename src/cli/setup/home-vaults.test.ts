import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { homeVaults } from './home-vaults.ts';

it('finds vaults in the home folder and one folder below, and no deeper and no hidden ones', () => {
  const home = tempFolder({
    'Notes/.obsidian/app.json': '{}',
    'Notes/Old/.obsidian/app.json': '{}',
    'Documents/Work/.obsidian/app.json': '{}',
    'Documents/deep/er/.obsidian/app.json': '{}',
    '.hidden/.obsidian/app.json': '{}',
    'Pictures/a.png': '',
  });
  expect(homeVaults(home)).toEqual([
    { name: 'Notes', path: join(home, 'Notes') },
    { name: 'Work', path: join(home, 'Documents', 'Work') },
  ]);
  expect(homeVaults(join(home, 'nowhere'))).toEqual([]);
});
