import { describe, expect, it } from 'vitest';
import { type ClientId, clientPlaces, type Machine, projectPlace } from './client-places.ts';

const linux: Machine = {
  platform: 'linux',
  env: {},
  home: '/home/u',
  currentFolder: '/p',
  packageNames: [],
};
const mac: Machine = { ...linux, platform: 'darwin', home: '/Users/u' };
const windows: Machine = {
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' },
  home: 'C:\\Users\\u',
  currentFolder: 'C:\\p',
  packageNames: [],
};
const packaged = { ...windows, packageNames: ['Microsoft.X', 'Claude_pzs8sxrjxfjjc', 'ClaudeX'] };

describe('clientPlaces', () => {
  const rows: readonly (readonly [ClientId, string, Machine, readonly string[]])[] = [
    ['claude-desktop', 'Linux', linux, ['/home/u/.config/Claude/claude_desktop_config.json']],
    [
      'claude-desktop',
      'macOS',
      mac,
      ['/Users/u/Library/Application Support/Claude/claude_desktop_config.json'],
    ],
    [
      'claude-desktop',
      'Windows',
      windows,
      ['C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ],
    [
      'claude-desktop',
      'Windows as a package',
      packaged,
      [
        'C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
        'C:\\Users\\u\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      ],
    ],
    ['claude-code', 'Linux', linux, ['/home/u/.claude.json']],
    ['claude-code', 'Windows', windows, ['C:\\Users\\u\\.claude.json']],
    [
      'claude-code',
      'a folder of its own',
      { ...linux, env: { CLAUDE_CONFIG_DIR: '/c' } },
      ['/c/.claude.json'],
    ],
    ['cursor', 'macOS', mac, ['/Users/u/.cursor/mcp.json']],
    ['cursor', 'Windows', windows, ['C:\\Users\\u\\.cursor\\mcp.json']],
    ['vscode', 'Linux', linux, ['/home/u/.config/Code/User/mcp.json']],
    [
      'vscode',
      'Linux with XDG',
      { ...linux, env: { XDG_CONFIG_HOME: '/x' } },
      ['/x/Code/User/mcp.json'],
    ],
    ['vscode', 'macOS', mac, ['/Users/u/Library/Application Support/Code/User/mcp.json']],
    ['vscode', 'Windows', windows, ['C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json']],
    [
      'vscode',
      'Windows without variables',
      { ...windows, env: {} },
      ['C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ],
  ];
  it.each(rows)('finds %s on %s', (client, _, machine, files) => {
    expect(clientPlaces(client, machine).map(({ file }) => file)).toEqual(files);
  });
});

describe('projectPlace', () => {
  it.each<readonly [ClientId, Machine, string | undefined]>([
    ['claude-code', linux, '/p/.mcp.json'],
    ['cursor', windows, 'C:\\p\\.cursor\\mcp.json'],
    ['vscode', mac, '/p/.vscode/mcp.json'],
    ['claude-desktop', linux, undefined],
  ])('of %s is in the current folder', (client, machine, file) => {
    expect(projectPlace(client, machine)?.file).toBe(file);
  });
});
