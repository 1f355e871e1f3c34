import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { namedVaults, type SeenVault } from './doctor-vaults.ts';
import { examineVaults } from './examine-vaults.ts';
import type { VaultLook } from './look-at-vault.ts';

const gone: VaultLook = { fault: 'missing', message: '' };
const there: VaultLook = { real: '/new', drive: {} } as VaultLook;

/** The findings about vaults in Obsidian's list, of which those below "/old" do not exist any more. */
function examined(...listed: readonly string[]) {
  const shell = { env: {}, currentFolder: tempFolder({}) };
  const named = namedVaults(shell, { flags: [], clients: [], listed });
  const seen = named.map((vault): SeenVault => {
    const look = vault.path.startsWith('/old') ? gone : there;
    return { ...vault, look };
  });
  return examineVaults(seen).filter(({ check }) => check === 'vault');
}

it("does not warn for ever of a vault that was moved: Obsidian's list keeps its old path", () => {
  const [finding, ...more] = examined('/old/Notes', '/new/Notes');
  expect(finding).toMatchObject({ state: 'ok', isAbsent: true });
  expect(finding?.says.shown).toContain('does not exist any more. Nothing uses it');
  expect(more).toEqual([]);
});

it('warns where no vault is left', () => {
  expect(examined('/old/Notes').map(({ state }) => state)).toEqual(['warning']);
});
