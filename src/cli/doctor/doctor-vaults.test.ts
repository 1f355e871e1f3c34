import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { namedVaults } from './doctor-vaults.ts';

it('without --vault, the vault of the server that setup has made comes first, and must be there', () => {
  const shell = { env: {}, currentFolder: tempFolder({}) };
  const parts = { flags: [], served: '/srv/Notes', clients: [], listed: ['/home/you/Diary'] };
  expect(namedVaults(shell, parts)).toMatchObject([
    { path: '/srv/Notes', isChosen: true, from: { shown: 'the server of setup has it' } },
    { path: '/home/you/Diary', isChosen: false },
  ]);
});
