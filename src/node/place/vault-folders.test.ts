import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import { findOuterLocks, refuseUnmounted, useStateFolder, vaultFolders } from './vault-folders.ts';

const id = '2c63e5c7686dc129'; // sha256('/home/ann/Notes')

describe('where state and cache are', () => {
  const rows: [string, NodeJS.Platform, Record<string, string>, string, string][] = [
    [
      'Linux without variables',
      'linux',
      { HOME: '/home/ann' },
      `/home/ann/.local/state/vaultdoor/${id}`,
      `/home/ann/.cache/vaultdoor/${id}`,
    ],
    [
      'Linux with XDG variables',
      'linux',
      { HOME: '/home/ann', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/c' },
      `/s/vaultdoor/${id}`,
      `/c/vaultdoor/${id}`,
    ],
    [
      'Linux with XDG variables that are not absolute',
      'linux',
      { HOME: '/home/ann', XDG_STATE_HOME: 's', XDG_CACHE_HOME: '' },
      `/home/ann/.local/state/vaultdoor/${id}`,
      `/home/ann/.cache/vaultdoor/${id}`,
    ],
    [
      'macOS',
      'darwin',
      { HOME: '/Users/ann', XDG_STATE_HOME: '/s' },
      `/Users/ann/Library/Application Support/vaultdoor/${id}`,
      `/Users/ann/Library/Caches/vaultdoor/${id}`,
    ],
    [
      'Windows, where AppData is private to packaged apps',
      'win32',
      { USERPROFILE: 'C:\\Users\\Ann', LOCALAPPDATA: 'C:\\Users\\Ann\\AppData\\Local' },
      `C:\\Users\\Ann\\.vaultdoor\\state\\${id}`,
      `C:\\Users\\Ann\\.vaultdoor\\cache\\${id}`,
    ],
  ];
  test.each(rows)('%s', (_, platform, env, state, cache) => {
    expect(vaultFolders('/home/ann/Notes', env, platform)).toEqual({ id, state, cache });
  });
});

describe('using the folders', () => {
  function setUp() {
    const base = tempFolder({ 'Notes/a.md': 'a' });
    const env = {
      HOME: base,
      XDG_STATE_HOME: join(base, 'state'),
      XDG_CACHE_HOME: join(base, 'cache'),
    };
    const use = async (name: string) => {
      const path = join(base, name);
      const folders = vaultFolders(path, env, 'linux');
      return { path, folders, ...(await useStateFolder(path, folders)) };
    };
    return { base, use };
  }

  test('the state folder is made for its owner only and records the vault', async () => {
    const { use } = setUp();
    const { path, folders, adoptedFrom } = await use('Notes');
    expect(adoptedFrom).toBeUndefined();
    if (process.platform !== 'win32') expect(statSync(folders.state).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folders.state, 'vault.json'), 'utf8'))).toMatchObject({
      path,
    });
  });

  test.skipIf(process.platform === 'win32')(
    'folders that others could open are closed',
    async () => {
      const { use } = setUp();
      const { folders } = await use('Notes');
      const all = join(folders.state, '..');
      for (const folder of [folders.state, all]) chmodSync(folder, 0o755);
      await use('Notes');
      for (const folder of [folders.state, all]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    },
  );

  test('the state of a vault that was moved is adopted, and its cache thrown away', async () => {
    const { base, use } = setUp();
    const before = await use('Notes');
    writeFiles(before.folders.state, { 'state.db': 'history' });
    writeFiles(before.folders.cache, { 'index.db': 'index' });
    renameSync(before.path, join(base, 'Moved'));
    const after = await use('Moved');
    expect(after.adoptedFrom).toBe(before.path);
    expect(readFileSync(join(after.folders.state, 'state.db'), 'utf8')).toBe('history');
    expect(existsSync(before.folders.state)).toBe(false);
    expect(existsSync(before.folders.cache)).toBe(false);
    // From now on it is this vault's own: nothing is adopted twice.
    expect((await use('Moved')).adoptedFrom).toBeUndefined();
  });

  test('another vault at the old path does not keep the state from moving along', async () => {
    const { base, use } = setUp();
    const before = await use('Notes');
    renameSync(before.path, join(base, 'Moved'));
    mkdirSync(before.path);
    expect((await use('Moved')).adoptedFrom).toBe(before.path);
    expect((await use('Notes')).adoptedFrom).toBeUndefined();
  });

  test('a vault that is still where it was keeps its state', async () => {
    const { base, use } = setUp();
    const first = await use('Notes');
    mkdirSync(join(base, 'Other'));
    expect((await use('Other')).adoptedFrom).toBeUndefined();
    expect(existsSync(first.folders.state)).toBe(true);
  });

  test('a new vault does not inherit from a deleted one, though it may get its inode', async () => {
    const { base, use } = setUp();
    const before = await use('Notes');
    rmSync(before.path, { recursive: true });
    mkdirSync(join(base, 'New'));
    expect((await use('New')).adoptedFrom).toBeUndefined();
  });

  describe('an empty folder', () => {
    const recorded = async (record: object, inVault: Record<string, string> = {}) => {
      const { base, use } = setUp();
      const { path, folders } = await use('Notes');
      const file = join(folders.state, 'vault.json');
      const text = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...record });
      writeFiles(folders.state, { 'vault.json': text });
      rmSync(path, { recursive: true });
      mkdirSync(path);
      writeFiles(path, inVault);
      return { base, use, path, folders, text, file };
    };
    const mounted = { mount: '/mnt/drive', fileSystem: 1 };

    test('where a drive was mounted is refused, and the record stays', async () => {
      const { use, path, folders, text, file } = await recorded(mounted);
      expect(() => refuseUnmounted(path, folders)).toThrow(
        expect.objectContaining({
          code: 'vault_not_found',
          message: expect.stringMatching(/mounted at "\/mnt\/drive" is not\. Mount the drive/),
        }),
      );
      await expect(use('Notes')).rejects.toMatchObject({ code: 'vault_not_found' });
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    test('where none was is a vault', async () => {
      const { path, folders } = await recorded({ mount: undefined });
      expect(() => refuseUnmounted(path, folders)).not.toThrow();
    });

    test('is no longer one with a file in it, and is recorded anew', async () => {
      const { use, path, folders, file } = await recorded(mounted, { '.obsidian/app.json': '{}' });
      refuseUnmounted(path, folders);
      await use('Notes');
      expect(readFileSync(file, 'utf8')).not.toContain('/mnt/drive');
    });
  });

  test('a mount without a time of birth is not taken for one that was moved', async () => {
    const { base, use } = setUp();
    const { folders, path } = await use('Notes');
    const file = join(folders.state, 'vault.json');
    const record = JSON.parse(readFileSync(file, 'utf8'));
    writeFiles(folders.state, { 'vault.json': JSON.stringify({ ...record, bornNs: '0' }) });
    renameSync(path, join(base, 'Moved'));
    expect((await use('Moved')).adoptedFrom).toBeUndefined();
    expect(existsSync(folders.state)).toBe(true);
  });

  test('a record that cannot be read is written anew', async () => {
    const { use } = setUp();
    const { folders, path } = await use('Notes');
    writeFiles(folders.state, { 'vault.json': '{"path":' });
    await use('Notes');
    expect(JSON.parse(readFileSync(join(folders.state, 'vault.json'), 'utf8'))).toMatchObject({
      path,
    });
  });
});

test('the lock files of the vaults around one are those whose state is known', () => {
  const env = { XDG_STATE_HOME: tempFolder(), XDG_CACHE_HOME: tempFolder() };
  const stateOf = (path: string) => vaultFolders(path, env, 'linux').state;
  for (const known of ['/v', '/v/a', '/v/a/b', '/v/other'])
    mkdirSync(stateOf(known), { recursive: true });
  const around = (path: string) => findOuterLocks(path, env, 'linux')();
  const lock = (path: string) => posix.join(stateOf(path), 'lock.db');
  expect(around('/v/a/b')).toEqual([lock('/v/a'), lock('/v')]);
  expect(around('/v/a/new/deep')).toEqual([lock('/v/a'), lock('/v')]);
  expect(around('/v')).toEqual([]);
  expect(around('/')).toEqual([]);
});
