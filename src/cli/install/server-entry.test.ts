import { describe, expect, it } from 'vitest';
import { freeName, isDrive, isSameSpelling, serverOf } from './server-entry.ts';

describe('serverOf', () => {
  it.each<readonly [string, unknown, boolean]>([
    ['our script', { command: '/n/node', args: ['/x/dist/vaultdoor.js', 'stdio'] }, true],
    [
      'our script on Windows',
      { command: 'node', args: ['C:\\v\\vaultdoor.js', 'stdio', '-x'] },
      true,
    ],
    ['npx', { command: 'npx', args: ['-y', 'vaultdoor@1.2.0', 'stdio'] }, true],
    ['the program by itself', { command: 'vaultdoor', args: ['stdio'] }, true],
    ['another command of ours', { command: 'vaultdoor', args: ['bridge'] }, false],
    ['a program of a longer name', { command: 'my-vaultdoor', args: ['stdio'] }, false],
    ['a folder of our name', { command: '/vaultdoor/x', args: ['stdio'] }, false],
    ['a server elsewhere', { url: 'https://example.org/vaultdoor' }, false],
    [
      'flags of node',
      { command: 'node', args: ['--no-warnings', '/x/vaultdoor.js', 'stdio'] },
      true,
    ],
    ['a container', { command: 'docker', args: ['run', '-i', 'vaultdoor', 'stdio'] }, false],
    ['a shell', { command: 'env', args: ['A=b', 'vaultdoor', 'stdio'] }, false],
    ['one vault', { command: 'vaultdoor', args: ['stdio', '--vault', '/a'] }, true],
    ['vaults', { command: 'vaultdoor', args: ['stdio', '--vault=/a', '--vault', '/b'] }, false],
    ['vaults as words', { command: 'vaultdoor', args: ['stdio', '--', '/a', '/b'] }, false],
    ['nothing', null, false],
    ['arguments that are no list', { command: 'vaultdoor', args: 'stdio' }, false],
  ])('knows %s', (_, value, isOurs) => {
    expect(serverOf('x', value).isOurs).toBe(isOurs);
  });

  it('finds the vault and the flags', () => {
    const value = {
      command: 'vaultdoor',
      args: ['stdio', '--read-only'],
      env: { OBSIDIAN_VAULT_PATH: '/v' },
    };
    expect(serverOf('x', value)).toEqual({
      name: 'x',
      isOurs: true,
      starts: ['vaultdoor'],
      flags: ['--read-only'],
      words: ['stdio', '--read-only', '/v'],
      envVault: '/v',
      vault: '/v',
    });
    expect(serverOf('x', { ...value, args: ['stdio', '--vault=/w', '--read-only'] })).toEqual({
      name: 'x',
      isOurs: true,
      starts: ['vaultdoor'],
      flags: ['--read-only'],
      words: ['stdio', '--vault=/w', '--read-only', '/v'],
      envVault: '/v',
      vault: '/w',
    });
  });
});

describe('freeName', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['Work', [], 'vaultdoor'],
    ['Work Notes', ['vaultdoor'], 'vaultdoor-work-notes'],
    ['Über-Ideen!', ['vaultdoor'], 'vaultdoor-uber-ideen'],
    ['Заметки', ['vaultdoor'], 'vaultdoor-2'],
    ['Work', ['vaultdoor', 'vaultdoor-work', 'vaultdoor-work-2'], 'vaultdoor-work-3'],
    ['a'.repeat(80), ['vaultdoor'], `vaultdoor-${'a'.repeat(24)}`],
  ])('for %s beside %j', (vault, taken, name) => {
    expect(freeName(vault, taken)).toBe(name);
  });
});

describe('isSameSpelling', () => {
  it.each<readonly [string, string, NodeJS.Platform, boolean]>([
    ['/v/', '/v', 'linux', true],
    ['/v', '/V', 'linux', false],
    ['/v', '/V', 'darwin', true],
    ['C:\\Notes', 'c:/notes/', 'win32', true],
    ['C:\\Notes', 'C:\\Notes2', 'win32', false],
  ])('%s and %s on %s: %s', (a, b, platform, same) => {
    expect(isSameSpelling(a, b, platform)).toBe(same);
  });
});

it.each<readonly [string, NodeJS.Platform, boolean]>([
  ['/Volumes/WorkDrive', 'darwin', true],
  ['/volumes/WorkDrive', 'darwin', true],
  ['/Volumes/WorkDrive/Notes', 'darwin', false],
  ['/Users/u/Volumes/Notes', 'darwin', false],
  ['/mnt/notes', 'linux', true],
  ['/mnt/drive/notes', 'linux', false],
  ['/media/stick', 'linux', true],
  ['/media/u/stick', 'linux', true],
  ['/media/u/stick/Notes', 'linux', false],
  ['/run/media/u/stick', 'linux', true],
  ['/home/u/Notes', 'linux', false],
  ['E:\\Notes', 'win32', true],
  ['\\\\nas\\share\\Notes', 'win32', true],
  ['C:\\Users\\u\\Notes', 'win32', false],
])('%s may be a drive on %s: %s', (path, platform, expected) => {
  expect(isDrive(path, platform)).toBe(expected);
});
