import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openVaultRoot } from '../place/open-vault-root.ts';
import { openScanSource } from '../scan/scan-source.ts';
import { diskError } from '../system/disk-error.ts';
import { openNodeDisk } from './node-disk.ts';

const bytesMax = 1_000_000;

/** A vault beside a folder that is not in it, with symlinks of every kind. */
function vaultWithLinks() {
  const base = tempFolder({
    'vault/note.md': 'note',
    'vault/folder/inner.md': 'inner',
    'vault/.obsidian/app.json': '{}',
    'outside/secret.md': 'secret',
    'vault-2/sibling.md': 'sibling',
  });
  const vault = join(base, 'vault');
  const link = (target: string, path: string) => symlinkSync(target, join(vault, path));
  link('note.md', 'to-note.md');
  link('folder', 'to-folder');
  link('.obsidian/app.json', 'to-settings.md');
  link('.obsidian', 'settings');
  link('../outside/secret.md', 'to-secret.md');
  link('../outside', 'to-outside');
  link('../vault-2', 'to-sibling');
  link('../vault/note.md', 'out-and-back.md');
  link('nowhere.md', 'dangling.md');
  link('loop.md', 'loop.md');
  link('.', 'folder/to-itself');
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(vault, 'pipe.md')]);
  symlinkSync('/dev/zero', join(vault, 'device.md'));
  return { base, vault };
}

const reads: [path: string, expected: string][] = [
  ['note.md', 'note'],
  ['to-note.md', 'note'],
  ['to-folder/inner.md', 'outside_vault'],
  ['out-and-back.md', 'note'],
  ['folder/to-itself/to-itself/inner.md', 'outside_vault'],
  ['.obsidian/app.json', '{}'],
  ['to-settings.md', 'outside_vault'],
  ['settings/app.json', 'outside_vault'],
  ['to-secret.md', 'outside_vault'],
  ['to-outside/secret.md', 'outside_vault'],
  ['to-sibling/sibling.md', 'outside_vault'],
  ['device.md', 'outside_vault'],
  ['dangling.md', 'not_found'],
  ['loop.md', 'not_found'],
  ['absent.md', 'not_found'],
  ['note.md/inner.md', 'not_found'],
  ['NOTE.md', 'not_found'],
  ['folder', 'is_a_folder'],
  ['to-folder', 'is_a_folder'],
  ['pipe.md', process.platform === 'win32' ? 'not_found' : 'forbidden'],
];

describe.runIf(makesSymlinks).each([
  [
    'the disk',
    (vault: string, allowRoots: string[]) => {
      const disk = openNodeDisk(vault, { allowRoots });
      return async (path: string) => (await disk.read(vaultPath(path), { bytesMax })).bytes;
    },
  ],
  [
    'the disk of a machine that does not show what is open',
    (vault: string, allowRoots: string[]) => {
      const disk = openNodeDisk(vault, { allowRoots, platform: 'darwin' });
      return async (path: string) => (await disk.read(vaultPath(path), { bytesMax })).bytes;
    },
  ],
  [
    'the scanner',
    (vault: string, allowRoots: string[]) => {
      const source = openScanSource(vault, { allowRoots });
      return async (path: string) =>
        source.read(vaultPath(path), { bytesMax }).bytes ?? new Uint8Array();
    },
  ],
  [
    'the scanner of a machine that does not show what is open',
    (vault: string, allowRoots: string[]) => {
      const source = openScanSource(vault, { allowRoots, platform: 'darwin' });
      return async (path: string) =>
        source.read(vaultPath(path), { bytesMax }).bytes ?? new Uint8Array();
    },
  ],
])('what %s reads', (_, open) => {
  const outcome = async (read: Promise<Uint8Array>) => {
    try {
      return new TextDecoder().decode(await read);
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      return error;
    }
  };

  test.each(reads)('%s is %s', async (path, expected) => {
    const { base, vault } = vaultWithLinks();
    const result = await outcome(open(vault, [])(path));
    if (typeof result === 'string') return expect(result).toBe(expected);
    expect(result.code).toBe(expected);
    expect(`${result.message} ${JSON.stringify(result.details)}`).not.toContain(base);
    return undefined;
  });

  test.each([
    ['to-outside/secret.md', 'secret'],
    ['to-secret.md', 'secret'],
    ['to-sibling/sibling.md', 'outside_vault'],
  ])('with an allowed root, %s is %s', async (path, expected) => {
    const { base, vault } = vaultWithLinks();
    const result = await outcome(open(vault, [join(base, 'outside'), join(base, 'absent')])(path));
    expect(typeof result === 'string' ? result : result.code).toBe(expected);
  });
});

describe('reading', () => {
  test('a file comes with its version and the stat it was read at', async () => {
    const vault = tempFolder({ 'a.md': 'täxt' });
    utimesSync(join(vault, 'a.md'), 1, 1.5);
    const disk = openNodeDisk(vault);
    const { bytes, version, stat } = await disk.read(vaultPath('a.md'), { bytesMax });
    expect(Buffer.from(bytes).toString()).toBe('täxt');
    expect(version).toBe(createHash('sha256').update('täxt').digest('hex'));
    expect(stat).toMatchObject({ size: 5, mtimeMs: 1_500, present: true });
    expect(stat).toEqual(await disk.stat(vaultPath('a.md')));
    expect(stat).toEqual(openScanSource(vault).read(vaultPath('a.md'), { bytesMax }).stat);
  });

  test('a file over the limit is refused before it is read', async () => {
    const disk = openNodeDisk(tempFolder({ 'a.md': '123456' }));
    await expect(disk.read(vaultPath('a.md'), { bytesMax: 5 })).rejects.toMatchObject({
      code: 'too_large',
      details: { path: 'a.md', size: 6, bytesMax: 5 },
    });
    expect((await disk.read(vaultPath('a.md'), { bytesMax: 6 })).bytes.length).toBe(6);
  });

  test('what is read is whole, whoever writes meanwhile', async () => {
    const vault = tempFolder({ 'a.md': 'a'.repeat(300_000) });
    const disk = openNodeDisk(vault);
    const all = Array.from({ length: 20 }, async (_, i) => {
      const read = disk.read(vaultPath('a.md'), { bytesMax });
      writeFileSync(join(vault, 'a.md'), String.fromCharCode(98 + i).repeat(300_000 + i));
      const { bytes, version } = await read;
      expect(new Set(bytes).size).toBe(1);
      expect(version).toBe(createHash('sha256').update(bytes).digest('hex'));
    });
    await Promise.all(all);
  });

  test('a stamp differs after a change that keeps size and mtime', async () => {
    const vault = tempFolder({ 'a.md': 'one' });
    const disk = openNodeDisk(vault);
    utimesSync(join(vault, 'a.md'), 5, 5);
    const before = await disk.stat(vaultPath('a.md'));
    writeFileSync(join(vault, 'a.md'), 'two');
    utimesSync(join(vault, 'a.md'), 5, 5);
    const after = await disk.stat(vaultPath('a.md'));
    expect(after?.mtimeMs).toBe(before?.mtimeMs);
    expect(after?.stamp).not.toBe(before?.stamp);
  });

  test.runIf(makesSymlinks)('stat knows files only', async () => {
    const { vault } = vaultWithLinks();
    const disk = openNodeDisk(vault);
    for (const path of ['folder', 'to-folder', 'pipe.md', 'dangling.md', 'absent.md']) {
      expect([path, await disk.stat(vaultPath(path))]).toEqual([path, undefined]);
    }
    await expect(disk.stat(vaultPath('to-secret.md'))).rejects.toMatchObject({
      code: 'outside_vault',
    });
  });

  test.runIf(makesSymlinks)(
    'a listing has dot names, leaves out what may not be read, and is undefined for a file',
    async () => {
      const { vault } = vaultWithLinks();
      const disk = openNodeDisk(vault);
      const listed = (await disk.list(''))?.map(({ name, kind }) => `${kind} ${name}`).sort();
      expect(listed).toEqual([
        'file note.md',
        'file out-and-back.md',
        'file to-note.md',
        'folder .obsidian',
        'folder folder',
      ]);
      expect(await disk.list(vaultPath('note.md'))).toBeUndefined();
      expect(await disk.list(vaultPath('absent'))).toBeUndefined();
      await expect(disk.list(vaultPath('to-outside'))).rejects.toMatchObject({
        code: 'outside_vault',
      });
    },
  );
});

describe('files that are not here', () => {
  test('an iCloud placeholder is its file, not present, and cannot be read', async () => {
    const disk = openNodeDisk(tempFolder({ 'sub/.Note.md.icloud': 'bplist' }));
    expect(await disk.stat(vaultPath('sub/Note.md'))).toMatchObject({ present: false });
    expect(await disk.list(vaultPath('sub'))).toContainEqual({ name: 'Note.md', kind: 'file' });
    await expect(disk.read(vaultPath('sub/Note.md'), { bytesMax })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test.each([
    // A Windows that is told to count as Linux still reports no holes.
    ['larger than an inode and without blocks', 161, 'linux', process.platform === 'win32'],
    ['small enough for an inode', 160, 'linux', true],
    ['on Windows, which reports no blocks', 161, 'win32', true],
  ] as const)('a file %s', async (_, size, platform, present) => {
    const vault = tempFolder({ 'full.md': 'text', 'hole.md': '' });
    truncateSync(join(vault, 'hole.md'), size);
    const disk = openNodeDisk(vault, { platform });
    expect(await disk.stat(vaultPath('hole.md'))).toMatchObject({ size, present });
    expect(await disk.stat(vaultPath('full.md'))).toMatchObject({ present: true });
  });

  test.skipIf(process.platform === 'win32')(
    'where no file has blocks, every file is present',
    async () => {
      const vault = tempFolder({ 'hole.md': '', 'sub/hole.md': '' });
      truncateSync(join(vault, 'hole.md'), 5_000);
      truncateSync(join(vault, 'sub/hole.md'), 5_000);
      expect(await openNodeDisk(vault).stat(vaultPath('hole.md'))).toMatchObject({ present: true });
      appendFileSync(join(vault, 'sub/full.md'), 'text');
      expect(await openNodeDisk(vault).stat(vaultPath('hole.md'))).toMatchObject({
        present: false,
      });
    },
  );
});

// Tests may run as root, whom no file mode stops: what the system says is data here.
test.each([
  ['EACCES', 'read', 'forbidden', 'may not be read: check its permissions'],
  ['EPERM', 'read', 'forbidden', 'may not be read: check its permissions'],
  ['ENOENT', 'read', 'not_found', 'does not exist'],
  ['ENOTDIR', 'read', 'not_found', 'does not exist'],
  ['ELOOP', 'read', 'not_found', 'is a symlink that leads nowhere'],
  ['ENAMETOOLONG', 'read', 'not_found', 'does not exist: the name is too long for the disk'],
  ['EISDIR', 'read', 'is_a_folder', 'is a folder'],
  ['EIO', 'read', 'io_failed', 'could not be read: the disk failed (EIO)'],
  ['EMFILE', 'read', 'io_failed', 'could not be read: the disk failed (EMFILE)'],
  ['EACCES', 'write', 'forbidden', 'may not be written'],
  ['EPERM', 'write', 'forbidden', 'may not be written'],
  ['EROFS', 'write', 'forbidden', 'may not be written: the disk is read-only'],
  ['ENOENT', 'write', 'not_found', 'does not exist, or its folder does not'],
  ['EEXIST', 'write', 'already_exists', 'exists already'],
  ['ENOTEMPTY', 'write', 'already_exists', 'exists already'],
  ['EISDIR', 'write', 'is_a_folder', 'is a folder'],
  ['ENAMETOOLONG', 'write', 'invalid_input', 'is too long for the disk; choose a shorter name'],
  ['ENOSPC', 'write', 'io_failed', 'could not be written: the disk is full; make room'],
  ['EDQUOT', 'write', 'io_failed', 'could not be written: the disk is full; make room'],
  ['EBUSY', 'write', 'io_failed', 'could not be written: another program has it open'],
  ['EIO', 'write', 'io_failed', 'could not be written: the disk failed (EIO)'],
] as const)('%s of the system, asked to %s, is %s', (errno, doing, code, says) => {
  const error = Object.assign(new Error(`${errno}: open '/home/ann/a.md'`), { code: errno });
  const result = diskError('a.md', error, doing);
  expect(result).toMatchObject({ code, details: { path: 'a.md', errno } });
  expect(result.message.startsWith(`"a.md" ${says}`)).toBe(true);
  expect(result.message).not.toContain('/home/ann');
});

test('a failure of the whole vault does not name a file without a name', () => {
  const error = Object.assign(new Error('EACCES'), { code: 'EACCES' });
  expect(diskError('', error).message).toBe(
    "The vault's folder may not be read: check its permissions.",
  );
});

test.runIf(makesSymlinks)('a vault folder has to be a folder', () => {
  const base = tempFolder({ 'file.md': '', 'vault/a.md': '' });
  symlinkSync('vault', join(base, 'link'));
  expect(openVaultRoot(join(base, 'link'))).toBe(join(base, 'vault'));
  const refused = (name: string) => {
    try {
      return openVaultRoot(join(base, name));
    } catch (error) {
      return error;
    }
  };
  expect(refused('absent')).toMatchObject({
    code: 'vault_not_found',
    message: `The vault "${join(base, 'absent')}" cannot be opened: it does not exist.`,
  });
  expect(refused('file.md')).toMatchObject({
    code: 'vault_not_found',
    message: `The vault "${join(base, 'file.md')}" cannot be opened: it is not a folder.`,
  });
});

test('a small file is read between large ones, not behind all of them', async () => {
  const root = tempFolder({
    'Small.md': 'small',
    'Large.md': 'x'.repeat(limits.largeReadBytes + 1),
  });
  const disk = openNodeDisk(root);
  const done: string[] = [];
  const read = async (name: string): Promise<void> => {
    await disk.read(vaultPath(name), { bytesMax: 1_000_000 });
    done.push(name);
  };
  const large = Array.from({ length: 20 }, () => read('Large.md'));
  await Promise.all([...large, read('Small.md')]);
  expect(done).toHaveLength(21);
  expect(done.indexOf('Small.md')).toBeLessThan(5);
});
