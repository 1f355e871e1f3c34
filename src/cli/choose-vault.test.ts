import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseVault } from './choose-vault.ts';

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
