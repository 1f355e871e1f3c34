import { lchownSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  chooseVault,
  chooseVaults,
  serveVariables,
  type VaultChoice,
  type VaultVariables,
  vaultVariables,
} from './choose-vault.ts';

describe('chooseVault', () => {
  it.each<readonly [string | undefined, Record<string, string>, string, string]>([
    ['Notes', {}, 'Notes', '/c/Notes'],
    ['/v/Notes/', {}, 'Notes', '/v/Notes'],
    ['work=/v/Notes', {}, 'work', '/v/Notes'],
    [undefined, { OBSIDIAN_VAULT_PATH: '/a', VAULT_PATH: '' }, 'a', '/a'],
    [undefined, { VAULT_PATH: '/b' }, 'b', '/b'],
    [undefined, { OBSIDIAN_VAULT_PATH: '/v/a', VAULT_PATH: 'b=/v/a/' }, 'a', '/v/a'],
    ['/v', { OBSIDIAN_VAULT_PATH: '/a', VAULT_PATH: '/b' }, 'v', '/v'],
    ['/v', { OBSIDIAN_VAULT_PATH: '/a' }, 'v', '/v'],
    ['~/Notes', {}, 'Notes', join(homedir(), 'Notes')],
    ['work=~/Notes', {}, 'work', join(homedir(), 'Notes')],
    [undefined, { OBSIDIAN_VAULT_PATH: '~/Notes' }, 'Notes', join(homedir(), 'Notes')],
    ['~notes', {}, '~notes', '/c/~notes'],
  ])('%j with %j is "%s" at %s', (flag, env, name, path) => {
    expect(chooseVault(flag, { env, currentFolder: '/c' })).toEqual({ name, path: resolve(path) });
  });

  it.each(['', undefined])('refuses %j where no vault is named', (flag) => {
    expect(() => chooseVault(flag, { env: {}, currentFolder: '/c' })).toThrow(/--vault/);
  });

  it('finds the vault around the current folder, the nearest one first', () => {
    const folder = tempFolder({
      'Notes/.obsidian/app.json': '{}',
      'Notes/a/b/c.md': '',
      'Notes/Inner/.obsidian/app.json': '{}',
      'Notes/Inner/d/e.md': '',
    });
    const chosen = (inside: string): string =>
      chooseVault(undefined, { env: {}, currentFolder: join(folder, inside) }).path;
    expect(chosen('Notes')).toBe(join(folder, 'Notes'));
    expect(chosen('Notes/a/b')).toBe(join(folder, 'Notes'));
    expect(chosen('Notes/Inner/d')).toBe(join(folder, 'Notes/Inner'));
    expect(() => chosen('.')).toThrow('or run this in that folder');
  });

  it.runIf(makesSymlinks)('takes a ".obsidian" that is a link, but not one of another user', () => {
    const folder = tempFolder({
      '.obsidian/app.json': '{}',
      'settings/app.json': '{}',
      'inner/mine/a.md': '',
    });
    const link = join(folder, 'inner/.obsidian');
    symlinkSync(join(folder, 'settings'), link);
    const choose = (inside: string): string =>
      chooseVault(undefined, { env: {}, currentFolder: join(folder, inside) }).path;
    expect(choose('inner')).toBe(join(folder, 'inner'));
    expect(choose('inner/mine')).toBe(join(folder, 'inner'));
    if (process.getuid?.() !== 0) return; // Only root can give a link to another user.
    lchownSync(link, 12_345, 12_345);
    expect(() => choose('inner/mine')).toThrow('--vault');
  });

  it('looks at the variables in the order of the program', () => {
    const env = { OBSIDIAN_VAULT_PATH: 'app=/v', VAULT_PATH: 'server=/v' };
    const nameBy = (variables?: VaultVariables): string =>
      chooseVault(undefined, { env, currentFolder: '/c' }, variables).name;
    expect([nameBy(), nameBy(vaultVariables), nameBy(serveVariables)]).toEqual([
      'app',
      'app',
      'server',
    ]);
  });

  it.runIf(makesSymlinks)(
    'refuses variables that lead to different folders, and takes two ways to one',
    () => {
      const folder = tempFolder({ 'notes/claude/a.md': '' });
      symlinkSync(join(folder, 'notes'), join(folder, 'link'));
      const choose = (one: string, other: string): VaultChoice =>
        chooseVault(
          undefined,
          { env: { OBSIDIAN_VAULT_PATH: one, VAULT_PATH: other }, currentFolder: folder },
          serveVariables,
        );
      expect(choose('notes', 'link')).toEqual({ name: 'link', path: join(folder, 'link') });
      expect(choose('none', './none')).toEqual({ name: 'none', path: join(folder, 'none') });
      expect(() => choose('notes', 'notes/claude')).toThrow(
        `VAULT_PATH ("${join(folder, 'notes/claude')}") and OBSIDIAN_VAULT_PATH ("${join(folder, 'notes')}") lead to different folders; give --vault <folder>, or unset one of them.`,
      );
      expect(() => choose('none', 'other')).toThrow('lead to different folders');
    },
  );
});

describe('chooseVaults', () => {
  it.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    ['none: the environment tells', [], [['e', '/e']]],
    ['one', ['/v/Notes'], [['Notes', '/v/Notes']]],
    [
      'several, some with names',
      ['/v/Notes', 'work=/w/Notes', 'Sub'],
      [
        ['Notes', '/v/Notes'],
        ['work', '/w/Notes'],
        ['Sub', '/c/Sub'],
      ],
    ],
    ['one folder twice', ['/v/Notes', '/v/Notes/', 'other=/v/Notes'], [['Notes', '/v/Notes']]],
    [
      'folders of one name, whatever its case',
      ['/v/Notes', '/w/notes', '/x/w/Notes', '/y/w/Notes'],
      [
        ['Notes', '/v/Notes'],
        ['notes (w)', '/w/notes'],
        ['Notes (w) 2', '/x/w/Notes'],
        ['Notes (w) 3', '/y/w/Notes'],
      ],
    ],
    [
      'a folder called what another vault is called',
      ['Notes=/v/a', '/w/Notes'],
      [
        ['Notes', '/v/a'],
        ['Notes (w)', '/w/Notes'],
      ],
    ],
  ])('%s', (_what, flags, chosen) => {
    const choices = chooseVaults(flags, {
      env: { OBSIDIAN_VAULT_PATH: '/e' },
      currentFolder: '/c',
    });
    expect(choices.map(({ name, path }) => [name, path])).toEqual(
      chosen.map(([name, path]) => [name, resolve(path)]),
    );
  });

  it('refuses one name for two vaults', () => {
    expect(() => chooseVaults(['a=/v', 'A=/w'], { env: {}, currentFolder: '/c' })).toThrow(
      'Two vaults are called "A"; give them different names: --vault <name>=<folder>.',
    );
  });
});
