import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { checkVaultQuickly } from './check-vault-quickly.ts';
import { checkVault } from './vault-places.ts';

const own = { XDG_CACHE_HOME: '/elsewhere/cache', XDG_STATE_HOME: '/elsewhere/state' };

function fails(check: typeof checkVault, path: string, env: Record<string, string>): boolean {
  try {
    check({ name: 'v', path }, env);
    return false;
  } catch {
    return true;
  }
}

describe('the quick look at a vault', () => {
  it('takes one that has something in it', () => {
    expect(fails(checkVaultQuickly, tempFolder({ 'A.md': '' }), own)).toBe(false);
    expect(fails(checkVaultQuickly, tempFolder({ '.obsidian/app.json': '{}' }), own)).toBe(false);
  });

  it('refuses whatever the long one does', () => {
    const vault = tempFolder({ 'A.md': '' });
    mkdirSync(`${vault}/sub`);
    const rows: [string, Record<string, string>][] = [
      ['/nonexistent', own],
      [`${vault}/A.md`, own],
      [tempFolder({ 'Notes/.obsidian/x': '' }), own],
      [tempFolder({ 'Documents/Notes/.obsidian/x': '' }), {}],
      [vault, { ...own, XDG_STATE_HOME: vault, USERPROFILE: vault }],
      [vault, { ...own, XDG_CACHE_HOME: `${vault}/sub/.cache`, USERPROFILE: `${vault}/sub` }],
    ];
    for (const [path, env] of rows) {
      expect([path, fails(checkVault, path, env)]).toEqual([path, true]);
      expect([path, fails(checkVaultQuickly, path, env)]).toEqual([path, true]);
    }
  });

  it('leaves an empty folder to the long one', () => {
    const empty = tempFolder();
    expect(fails(checkVaultQuickly, empty, own)).toBe(true);
    expect(fails(checkVault, empty, own)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves a folder that may not be read to the long one',
    () => {
      const closed = tempFolder({ 'A.md': '' });
      chmodSync(closed, 0);
      const isRoot = process.getuid?.() === 0;
      expect(fails(checkVaultQuickly, closed, own)).toBe(!isRoot);
      chmodSync(closed, 0o700);
    },
  );
});
