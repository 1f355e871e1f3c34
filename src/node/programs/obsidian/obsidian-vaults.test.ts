import { describe, expect, it } from 'vitest';
import { obsidianFiles, vaultsIn } from './obsidian-vaults.ts';

describe('obsidianFiles', () => {
  it('has one for each way to install Obsidian', () => {
    expect(obsidianFiles({ platform: 'linux', env: {}, home: '/home/u' })).toEqual([
      '/home/u/.config/obsidian/obsidian.json',
      '/home/u/.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json',
      '/home/u/snap/obsidian/current/.config/obsidian/obsidian.json',
      '/home/u/snap/obsidian/common/.config/obsidian/obsidian.json',
    ]);
    expect(obsidianFiles({ platform: 'darwin', env: {}, home: '/Users/u' })).toEqual([
      '/Users/u/Library/Application Support/obsidian/obsidian.json',
    ]);
    expect(
      obsidianFiles({
        platform: 'win32',
        env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' },
        home: 'C:\\Users\\u',
      }),
    ).toEqual(['C:\\Users\\u\\AppData\\Roaming\\obsidian\\obsidian.json']);
  });
});

describe('vaultsIn', () => {
  it('reads what Obsidian writes', () => {
    const text = '{"vaults":{"a1":{"path":"/v","ts":5,"open":true},"b2":{"path":"C:\\\\w"}}}';
    expect(vaultsIn(text)).toEqual([
      { id: 'a1', path: '/v', openedMs: 5, isOpen: true },
      { id: 'b2', path: 'C:\\w', openedMs: 0, isOpen: false },
    ]);
  });

  it.each([
    '',
    'oops',
    'null',
    '[]',
    '{}',
    '{"vaults":null}',
    '{"vaults":{"a":null,"b":{"path":1}}}',
  ])('finds none in %j', (text) => {
    expect(vaultsIn(text)).toEqual([]);
  });
});
