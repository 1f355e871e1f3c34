import { describe, expect, it } from 'vitest';
import { mayBeRemovedBy, stablePath } from './stable-path.ts';

describe('stablePath', () => {
  const cellar = '/opt/homebrew/Cellar/node/24.9.0_1/bin/node';
  const stable = '/opt/homebrew/opt/node/bin/node';
  it('is the one that Homebrew keeps, if it leads to the same file', () => {
    expect(stablePath(cellar, () => cellar)).toBe(stable);
    expect(stablePath(cellar, (path) => (path === stable ? '/newer' : path))).toBe(cellar);
    expect(stablePath(cellar, (path) => (path === stable ? undefined : path))).toBe(cellar);
  });

  it('is any other path itself', () => {
    expect(stablePath('/usr/bin/node', (path) => path)).toBe('/usr/bin/node');
  });
});

describe('mayBeRemovedBy', () => {
  it.each([
    ['/home/u/.nvm/versions/node/v20.1.0/bin/node', 'nvm'],
    ['C:\\Users\\u\\AppData\\Roaming\\nvm\\v20.1.0\\node.exe', 'nvm'],
    ['/home/u/.local/share/fnm/node-versions/v20.1.0/installation/bin/node', 'fnm'],
    ['/home/u/.volta/tools/image/node/20.1.0/bin/node', 'Volta'],
    ['/home/u/.local/share/mise/installs/node/20/bin/node', 'mise'],
    ['/home/u/.npm/_npx/1a2b/node_modules/vaultdoor/dist/vaultdoor.js', "npx's cache"],
    ['/opt/homebrew/Cellar/node/24.9.0/bin/node', 'Homebrew'],
    ['/usr/bin/node', undefined],
    ['C:\\Program Files\\nodejs\\node.exe', undefined],
    ['/opt/homebrew/opt/node/bin/node', undefined],
  ])('of %s is %s', (path, owner) => {
    expect(mayBeRemovedBy(path)).toBe(owner);
  });
});
