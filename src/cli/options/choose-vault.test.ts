import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseVault, chooseVaults } from './choose-vault.ts';

describe('chooseVault', () => {
  it.each<readonly [string | undefined, Record<string, string>, string, string]>([
    ['Notes', {}, 'Notes', '/c/Notes'],
    ['/v/Notes/', {}, 'Notes', '/v/Notes'],
    ['work=/v/Notes', {}, 'work', '/v/Notes'],
    [undefined, { OBSIDIAN_VAULT_PATH: '/a', VAULT_PATH: '/b' }, 'a', '/a'],
    [undefined, { VAULT_PATH: '/b' }, 'b', '/b'],
    ['/v', { OBSIDIAN_VAULT_PATH: '/a' }, 'v', '/v'],
    ['~/Notes', {}, 'Notes', join(homedir(), 'Notes')],
    ['work=~/Notes', {}, 'work', join(homedir(), 'Notes')],
    [undefined, { OBSIDIAN_VAULT_PATH: '~/Notes' }, 'Notes', join(homedir(), 'Notes')],
    ['~notes', {}, '~notes', '/c/~notes'],
  ])('%j with %j is "%s" at %s', (flag, env, name, path) => {
    expect(chooseVault(flag, env, '/c')).toEqual({ name, path });
  });

  it.each(['', undefined])('refuses %j where no vault is named', (flag) => {
    expect(() => chooseVault(flag, {}, '/c')).toThrow(/--vault/);
  });
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
    const choices = chooseVaults(flags, { OBSIDIAN_VAULT_PATH: '/e' }, '/c');
    expect(choices.map(({ name, path }) => [name, path])).toEqual(chosen);
  });

  it('refuses one name for two vaults', () => {
    expect(() => chooseVaults(['a=/v', 'A=/w'], {}, '/c')).toThrow(
      'Two vaults are called "A"; give them different names: --vault <name>=<folder>.',
    );
  });
});
