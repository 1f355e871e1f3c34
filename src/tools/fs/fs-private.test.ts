import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FsVault, openFsVault } from '../../../test/support/fs-vault.ts';
import { allScopes, type Caller } from '../../base/caller.ts';
import { vaultPath } from '../../base/vault-path.ts';

// What an owner hides is hidden from the raw file tools as well, although they read the disk.

async function openVault(files: Readonly<Record<string, string>>): Promise<FsVault> {
  const vault = await openFsVault();
  onTestFinished(() => vault.close());
  mkdirSync(join(vault.root, 'Diary'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(vault.root, path), text);
  symlinkSync('Diary/d.md', join(vault.root, 'to-diary.txt'));
  await vault.keeper.refresh(['Diary/d.md', 'Diary/open.md'].map(vaultPath));
  return vault;
}

const hidden: readonly (readonly [method: string, params: object, expected: unknown])[] = [
  ['fs.stat', { path: 'Diary/d.md' }, null],
  ['fs.stat', { path: 'to-diary.txt' }, null],
  ['fs.exists', { path: 'Diary/d.md' }, { exists: false }],
  ['fs.readText', { path: 'Diary/d.md' }, '!not_found'],
  ['fs.readText', { path: 'to-diary.txt' }, '!not_found'],
  ['fs.readBinaryRange', { path: 'Diary/d.md', offset: 0, length: 3 }, '!not_found'],
  ['fs.hash', { path: 'Diary/d.md' }, '!not_found'],
  ['fs.remove', { path: 'Diary/d.md' }, '!not_found'],
  ['fs.append', { path: 'Diary/d.md', content: 'x' }, '!forbidden'],
  ['fs.write', { path: 'Diary/d.md', content: 'x' }, '!forbidden'],
  ['fs.copy', { srcPath: 'Diary/d.md', destPath: 'x.md' }, '!not_found'],
  ['fs.rename', { oldPath: 'Diary/d.md', newPath: 'x.md' }, '!not_found'],
  ['fs.rename', { oldPath: 'Diary', newPath: 'Other' }, '!forbidden'],
  ['fs.rmdir', { path: 'Diary', recursive: true }, '!forbidden'],
];

async function named(vault: FsVault, caller: Partial<Caller>): Promise<string> {
  const listed = await vault.call('fs.list', { path: 'Diary' }, caller);
  const walked = await vault.call('fs.walk', { recursive: true }, caller);
  const found = await vault.call('fs.search', { query: 'quagga' }, caller);
  return JSON.stringify([listed, walked, found]);
}

describe('notes with a mark', () => {
  const caller = { scopes: { ...allScopes, hideTags: ['private'] } };
  const files = { 'Diary/d.md': 'the quagga #private\n', 'Diary/open.md': 'open\n' };

  it('are not there for a caller with marks', async () => {
    const vault = await openVault(files);
    const before = vault.tree();
    for (const [method, params, expected] of hidden) {
      expect(await vault.call(method, params, caller), method).toEqual(expected);
    }
    expect(await named(vault, caller)).not.toMatch(/\bd\.md|quagga/);
    expect(await named(vault, caller)).toContain('open.md');
    expect(vault.tree()).toEqual(before);
    expect(await named(vault, {})).toMatch(/"d\.md".*Diary\/d\.md.*quagga/);
  });

  it('are judged by their own bytes while the index knows an older text', async () => {
    const vault = await openVault(files);
    writeFileSync(join(vault.root, 'Diary/open.md'), 'the quagga #private\n');
    const path = 'Diary/open.md';
    expect(await vault.call('fs.readText', { path }, caller)).toBe('!not_found');
    expect(await vault.call('fs.hash', { path }, caller)).toBe('!not_found');
    expect(await vault.call('fs.remove', { path }, caller)).toBe('!forbidden');
    expect(await vault.call('fs.write', { path, content: 'x' }, caller)).toBe('!forbidden');
  });

  it.each<[string, object]>([
    ['fs.write', { path: 'Diary/new.md', content: '#private' }],
    ['fs.write', { path: 'Diary/open.md', content: '#private' }],
    ['fs.append', { path: 'Diary/open.md', content: '#private' }],
    ['fs.rename', { oldPath: 'Diary/plain.txt', newPath: 'Diary/new.md' }],
    ['fs.copy', { srcPath: 'Diary/plain.txt', destPath: 'Diary/new.md' }],
  ])('are not made by %s %j', async (method, params) => {
    const vault = await openVault({ ...files, 'Diary/plain.txt': '#private' });
    const before = vault.tree();
    expect(await vault.call(method, params, caller)).toBe('!forbidden');
    expect(vault.tree()).toEqual(before);
  });
});

describe('files in a .vaultdoorignore', () => {
  const files = {
    '.vaultdoorignore': 'd.md\n',
    'Diary/d.md': 'the quagga\n',
    'Diary/open.md': 'open\n',
  };

  it('are not there for the remote door', async () => {
    const vault = await openVault(files);
    const before = vault.tree();
    for (const [method, params, expected] of hidden) {
      expect(await vault.call(method, params), method).toEqual(expected);
    }
    expect(await named(vault, {})).not.toMatch(/\bd\.md|quagga|vaultdoorignore/);
    expect(await named(vault, { door: 'cli' })).toMatch(/d\.md.*quagga/);
    expect(vault.tree()).toEqual(before);
  });

  it.each<[string, object, string]>([
    ['fs.write', { path: '.vaultdoorignore', content: '' }, '!forbidden'],
    ['fs.write', { path: '.VaultDoorIgnore', content: '' }, '!forbidden'],
    ['fs.append', { path: '.vaultdoorignore', content: 'x' }, '!forbidden'],
    ['fs.readText', { path: '.vaultdoorignore' }, '!not_found'],
    ['fs.remove', { path: '.vaultdoorignore' }, '!not_found'],
    ['fs.rename', { oldPath: '.vaultdoorignore', newPath: 'x' }, '!not_found'],
    ['fs.rename', { oldPath: 'zero.md', newPath: '.vaultdoorignore' }, '!forbidden'],
    ['fs.copy', { srcPath: 'zero.md', destPath: '.vaultdoorignore' }, '!forbidden'],
  ])('stay there: the list itself cannot be reached by %s %j', async (method, params, expected) => {
    const vault = await openVault(files);
    const before = vault.tree();
    expect(await vault.call(method, params)).toBe(expected);
    expect(vault.tree()).toEqual(before);
  });

  it('cannot be put into a list that is not there', async () => {
    const vault = await openVault({});
    const params = { path: '.vaultdoorignore', content: 'Notes' };
    expect(await vault.call('fs.write', params)).toBe('!forbidden');
  });
});
