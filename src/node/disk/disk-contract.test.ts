import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type MemoryDisk, memoryDisk } from '../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type VaultFolder, vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { WritableDisk } from '../../engine/ports/ports.ts';
import { openNodeDisk } from './node-disk.ts';

type Hands = Pick<MemoryDisk, 'write' | 'replace' | 'erase' | 'rename' | 'text' | 'chmod' | 'mode'>;

/** A real disk with the hands that the one in memory has. */
function realDisk(options: Parameters<typeof openNodeDisk>[1] = {}): WritableDisk & Hands {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  return {
    ...openNodeDisk(root, options),
    write,
    replace: (path, content) => {
      write(`${path}.tmp`, content);
      renameSync(at(`${path}.tmp`), at(path));
    },
    erase: (path) => rmSync(at(path), { recursive: true }),
    rename: (from, to) => renameSync(at(from), at(to)),
    text: (path) => readFileSync(at(path), 'utf8'),
    chmod: (path, mode) => chmodSync(at(path), mode),
    mode: (path) => statSync(at(path)).mode & 0o777,
  };
}

// What engine tests learn from the disk in memory must hold on a real one.
describe.each([
  ['in memory', () => memoryDisk()],
  ['of this machine, asked through threads', () => realDisk({ sync: false })],
  ['of this machine', () => realDisk()],
  // Windows is such a machine itself, and syncs files in another way.
  ...(process.platform === 'win32'
    ? []
    : [['of a machine that does not show what is open', () => realDisk({ platform: 'darwin' })]]),
] as [string, () => WritableDisk & Hands][])('the disk %s', (_, open) => {
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error: unknown) => (error instanceof VaultError ? error.code : error),
    );

  test('adds to the end of a file and cuts it, if it is the one that was seen', async () => {
    const disk = open();
    disk.write('f/log.md', 'one');
    const log = vaultPath('f/log.md');
    const seen = await disk.readEnd(log, { from: 1, bytesMax: 9 });
    expect(seen).toEqual({ inode: expect.any(String), size: 3, bytes: expect.any(Uint8Array) });
    expect(new TextDecoder().decode(seen?.bytes)).toBe('ne');
    const { inode = '', size = 0 } = seen ?? {};
    const bytes = new TextEncoder().encode('+two');
    expect(await code(disk.append(log, bytes, { inode: `${inode}0`, size }))).toBe('conflict');
    expect(await code(disk.append(log, bytes, { inode, size: 2 }))).toBe('conflict');
    expect(await code(disk.append(log, bytes, { inode, size }))).toBe('ok');
    expect(disk.text('f/log.md')).toBe('one+two');
    const end = await disk.readEnd(log, { from: 3, bytesMax: 2 });
    expect([end?.inode, end?.size, new TextDecoder().decode(end?.bytes)]).toEqual([inode, 7, '+t']);
    expect((await disk.readEnd(log, { from: 99, bytesMax: 2 }))?.bytes.length).toBe(0);
    expect(await code(disk.cut(log, 3, { inode, size: 3 }))).toBe('conflict');
    expect(await code(disk.cut(log, 7, { inode, size: 7 }))).toBe('ok');
    expect(await code(disk.cut(log, 4, { inode, size: 7 }))).toBe('ok');
    expect(disk.text('f/log.md')).toBe('one+');
    disk.replace('f/log.md', 'one+');
    expect(await code(disk.append(log, bytes, { inode, size: 4 }))).toBe('conflict');
    expect(await code(disk.cut(log, 1, { inode, size: 4 }))).toBe('conflict');
    expect(disk.text('f/log.md')).toBe('one+');
    expect(await disk.readEnd(vaultPath('f'), { from: 0, bytesMax: 1 })).toBeUndefined();
    expect(await disk.readEnd(vaultPath('none'), { from: 0, bytesMax: 1 })).toBeUndefined();
    expect(await disk.readEnd(vaultPath('f/log.md/x'), { from: 0, bytesMax: 1 })).toBeUndefined();
    expect(await code(disk.append(vaultPath('none'), bytes, { inode, size }))).toBe('not_found');
    expect(await code(disk.append(vaultPath('f'), bytes, { inode, size }))).toBe('is_a_folder');
  });

  test('finds nothing in another case', async () => {
    const disk = open();
    disk.write('Folder/A.md', 'text');
    for (const path of ['Folder/a.md', 'folder/A.md', 'folder'].map(vaultPath)) {
      expect(await disk.kind(path)).toBeUndefined();
      expect(await disk.stat(path)).toBeUndefined();
      expect(await disk.list(path)).toBeUndefined();
      expect(await code(disk.read(path, { bytesMax: 9 }))).toBe('not_found');
    }
  });

  test('reads, lists and refuses', async () => {
    const disk = open();
    disk.write('folder/sub/a.md', 'text');
    disk.write('folder/.dot', '');
    const { bytes, version, stat } = await disk.read(vaultPath('folder/sub/a.md'), { bytesMax: 4 });
    expect(new TextDecoder().decode(bytes)).toBe('text');
    expect(version).toBe('982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1');
    expect(await disk.stat(vaultPath('folder/sub/a.md'))).toEqual(stat);
    expect(await disk.stat(vaultPath('folder'))).toBeUndefined();
    expect(await disk.stat(vaultPath('none.md'))).toBeUndefined();
    const read = (path: string, bytesMax = 99) => code(disk.read(vaultPath(path), { bytesMax }));
    expect(await read('folder')).toBe('is_a_folder');
    expect(await read('none.md')).toBe('not_found');
    expect(await read('folder/sub/a.md', 3)).toBe('too_large');
    const listed = await disk.list(vaultFolder('folder'));
    expect([...(listed ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: '.dot', kind: 'file' },
      { name: 'sub', kind: 'folder' },
    ]);
    expect(await disk.list('')).toEqual([{ name: 'folder', kind: 'folder' }]);
    expect(await disk.list(vaultFolder('none'))).toBeUndefined();
    expect(await disk.list(vaultFolder('folder/sub/a.md'))).toBeUndefined();
  });

  test.each<[string, (disk: Hands) => void]>([
    ['a write', (disk) => disk.write('a.md', 'twice')],
    ['a replacement', (disk) => disk.replace('a.md', 'twice')],
    [
      'being removed and written',
      (disk) => {
        disk.erase('a.md');
        disk.write('a.md', 'twice');
      },
    ],
    [
      'a rename to and fro',
      (disk) => {
        disk.rename('a.md', 'b.md');
        disk.rename('b.md', 'a.md');
      },
    ],
  ])('changes the stamp after %s', async (_name, act) => {
    const disk = open();
    disk.write('a.md', 'once');
    const before = await disk.stat(vaultPath('a.md'));
    // A real clock ticks every few milliseconds: two changes within a tick may look like one.
    await new Promise((resolve) => setTimeout(resolve, 20));
    act(disk);
    const after = await disk.stat(vaultPath('a.md'));
    expect(before?.stamp).toBeTypeOf('string');
    expect(after?.stamp).toBeTypeOf('string');
    expect(after?.stamp).not.toBe(before?.stamp);
  });

  test('renames and removes folders with what is in them', async () => {
    const disk = open();
    disk.write('a/b/c.md', 'text');
    disk.rename('a', 'z');
    expect(await disk.stat(vaultPath('a/b/c.md'))).toBeUndefined();
    expect(await disk.stat(vaultPath('z/b/c.md'))).toMatchObject({ size: 4 });
    disk.erase('z');
    expect(await disk.list('')).toEqual([]);
  });

  /** Every file and, with a slash at its end, every folder, dot names too. */
  const tree = async (disk: WritableDisk, folder: VaultFolder = ''): Promise<string[]> => {
    const entries = (await disk.list(folder)) ?? [];
    const paths = entries.map(async ({ name, kind }) => {
      const path = vaultPath(folder === '' ? name : `${folder}/${name}`);
      return kind === 'file' ? [path] : [`${path}/`, ...(await tree(disk, path))];
    });
    return (await Promise.all(paths)).flat().sort();
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const withFiles = () => {
    const disk = open();
    disk.write('a.md', 'old');
    disk.write('F/b.md', 'b');
    disk.write('F/sub/c.md', 'c');
    return disk;
  };
  const all = ['F/', 'F/b.md', 'F/sub/', 'F/sub/c.md', 'a.md'];

  test('tells files and folders apart', async () => {
    const disk = withFiles();
    const kinds = ['a.md', 'F', 'F/sub/c.md', 'none', 'a.md/x'].map((path) =>
      disk.kind(vaultPath(path)),
    );
    expect(await Promise.all(kinds)).toEqual(['file', 'folder', 'file', undefined, undefined]);
  });

  test.each([
    ['a.md', '.~vd-t1.tmp'],
    ['F/b.md', 'F/.~vd-t1.tmp'],
    ['F/new.md', 'F/.~vd-t1.tmp'],
  ])('stages %s beside it and places it there', async (name, temporary) => {
    const disk = withFiles();
    const path = vaultPath(name);
    const isNew = (await disk.kind(path)) === undefined;
    expect(await disk.hasStaged(path, 't1')).toBe(false);
    await disk.stage(path, 't1', bytes('first'), { sync: true });
    await disk.stage(path, 't1', bytes('new'));
    await disk.syncStaged(path, 't1');
    expect(await disk.hasStaged(path, 't1')).toBe(true);
    expect(await tree(disk)).toEqual([...all, temporary].sort());
    const placed = await disk.place(path, 't1', { replace: !isNew });
    expect(placed).toEqual(await disk.stat(path));
    await disk.syncFolder('');
    expect(disk.text(name)).toBe('new');
    expect(await disk.hasStaged(path, 't1')).toBe(false);
    expect(await tree(disk)).toEqual(isNew ? [...all, name].sort() : all);
  });

  test('takes back what it staged', async () => {
    const disk = withFiles();
    await disk.stage(vaultPath('a.md'), 't1', bytes('new'));
    await disk.unstage(vaultPath('a.md'), 't1');
    await disk.unstage(vaultPath('a.md'), 't1');
    await disk.unstage(vaultPath('gone/a.md'), 't1');
    expect(await disk.hasStaged(vaultPath('gone/a.md'), 't1')).toBe(false);
    expect(await tree(disk)).toEqual(all);
    expect(disk.text('a.md')).toBe('old');
  });

  // Windows has no modes.
  const modes = process.platform === 'win32' ? [0o666] : [0o600, 0o640, 0o755, 0o666];
  test.each(modes)('keeps mode %o of a file it replaces', async (mode) => {
    const disk = withFiles();
    disk.chmod('a.md', mode);
    await disk.stage(vaultPath('a.md'), 't1', bytes('new'));
    expect(disk.mode('.~vd-t1.tmp')).toBe(mode);
    await disk.place(vaultPath('a.md'), 't1', { replace: true });
    expect(disk.mode('a.md')).toBe(mode);
  });

  test('never replaces unless asked', async () => {
    const disk = withFiles();
    await disk.stage(vaultPath('a.md'), 't1', bytes('new'));
    expect(await code(disk.place(vaultPath('a.md'), 't1', { replace: false }))).toBe(
      'already_exists',
    );
    expect(disk.text('a.md')).toBe('old');
    expect(await disk.hasStaged(vaultPath('a.md'), 't1')).toBe(true);
  });

  test.each([
    ['a.md', 'z.md', ['F/', 'F/b.md', 'F/sub/', 'F/sub/c.md', 'z.md']],
    ['a.md', 'A.md', ['A.md', 'F/', 'F/b.md', 'F/sub/', 'F/sub/c.md']],
    ['a.md', 'a.md', all],
    ['a.md', 'F/sub/a.md', ['F/', 'F/b.md', 'F/sub/', 'F/sub/a.md', 'F/sub/c.md']],
    ['F', 'G', ['G/', 'G/b.md', 'G/sub/', 'G/sub/c.md', 'a.md']],
    ['F', 'f', ['a.md', 'f/', 'f/b.md', 'f/sub/', 'f/sub/c.md']],
    ['F/sub', 'sub', ['F/', 'F/b.md', 'a.md', 'sub/', 'sub/c.md']],
    ['a.md', 'F/b.md', 'already_exists'],
    ['a.md', 'F', 'already_exists'],
    ['F/sub', 'a.md', 'already_exists'],
    ['F', 'F/sub/F', 'invalid_input'],
    ['none.md', 'z.md', 'not_found'],
    ['a.md', 'none/a.md', 'not_found'],
    ['none/a.md', 'a.md', 'not_found'],
    ['a.md', 'F/b.md/a.md', 'not_found'],
  ])('moves %s to %s', async (from, to, expected) => {
    const disk = withFiles();
    const outcome = await code(disk.move(vaultPath(from), vaultPath(to)));
    expect(await tree(disk)).toEqual(Array.isArray(expected) ? expected : all);
    expect(outcome).toBe(Array.isArray(expected) ? 'ok' : expected);
    if (from === 'a.md' && outcome === 'ok') expect(disk.text(to)).toBe('old');
  });

  test('moves nothing into a folder that is there, though it is empty', async () => {
    const disk = withFiles();
    await disk.makeFolder(vaultPath('G'));
    expect(await code(disk.move(vaultPath('F'), vaultPath('G')))).toBe('already_exists');
    expect(await tree(disk)).toEqual([...all, 'G/'].sort());
  });

  test('says what names are themselves', async () => {
    const disk = withFiles();
    const kinds = ['a.md', 'F', 'F/sub/c.md', 'none', 'a.md/x', 'none/x'].map((path) =>
      disk.entry(vaultPath(path)),
    );
    const [file, folder] = ['file', 'folder'];
    expect(await Promise.all(kinds)).toEqual([file, folder, file, undefined, undefined, undefined]);
    const entries = await disk.entries(vaultPath('F'));
    expect([...(entries ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'b.md', kind: 'file' },
      { name: 'sub', kind: 'folder' },
    ]);
    expect(await disk.entries(vaultPath('a.md'))).toBeUndefined();
    expect(await disk.entries(vaultPath('none'))).toBeUndefined();
  });

  // The daemon alone moves over something of another kind, and it does not run on Windows.
  const ofPosix: [string, string, string][] =
    process.platform === 'win32'
      ? []
      : [
          ['F/sub', 'F', 'already_exists'],
          ['a.md', 'F', 'is_a_folder'],
          ['F/sub', 'a.md', 'not_found'],
        ];
  test.each<[string, string, string | string[]]>([
    ['a.md', 'z.md', ['F/', 'F/b.md', 'F/sub/', 'F/sub/c.md', 'z.md']],
    ['a.md', 'F/b.md', ['F/', 'F/b.md', 'F/sub/', 'F/sub/c.md']],
    ['a.md', 'a.md', all],
    ['F', 'G', ['G/', 'G/b.md', 'G/sub/', 'G/sub/c.md', 'a.md']],
    ...ofPosix,
    ['F', 'F/sub/F', 'invalid_input'],
    ['none.md', 'a.md', 'not_found'],
    ['a.md', 'none/a.md', 'not_found'],
  ])('moves %s over %s', async (from, to, expected) => {
    const disk = withFiles();
    const outcome = await code(disk.move(vaultPath(from), vaultPath(to), { over: true }));
    expect(await tree(disk)).toEqual(Array.isArray(expected) ? expected : all);
    expect(outcome).toBe(Array.isArray(expected) ? 'ok' : expected);
    if (from === 'a.md' && outcome === 'ok') expect(disk.text(to)).toBe('old');
  });

  test.skipIf(process.platform === 'win32')('moves a folder over an empty one', async () => {
    const disk = withFiles();
    await disk.makeFolder(vaultPath('G'));
    await disk.move(vaultPath('F'), vaultPath('G'), { over: true });
    expect(await tree(disk)).toEqual(['G/', 'G/b.md', 'G/sub/', 'G/sub/c.md', 'a.md']);
  });

  test('moves nothing over a file that was changed since it was looked at', async () => {
    const disk = withFiles();
    const stamp = (await disk.stat(vaultPath('F/b.md')))?.stamp ?? '';
    disk.write('F/b.md', 'edited');
    const move = disk.move(vaultPath('a.md'), vaultPath('F/b.md'), { over: true, stamp });
    expect(await code(move)).toBe('conflict');
    expect(disk.text('F/b.md')).toBe('edited');
    const now = (await disk.stat(vaultPath('F/b.md')))?.stamp ?? '';
    await disk.move(vaultPath('a.md'), vaultPath('F/b.md'), { over: true, stamp: now });
    expect(disk.text('F/b.md')).toBe('old');
  });

  test.each<[string, (disk: WritableDisk) => Promise<unknown>, string]>([
    ['a file in a folder that is not there', (disk) => stage(disk, 'none/a.md'), 'not_found'],
    ['a file in a file', (disk) => stage(disk, 'a.md/b.md'), 'not_found'],
    ['a folder as a file', (disk) => stage(disk, 'F'), 'is_a_folder'],
    ['what was not staged', (disk) => disk.syncStaged(vaultPath('a.md'), 'no'), 'not_found'],
    ['nothing', (disk) => disk.place(vaultPath('a.md'), 'no', { replace: true }), 'not_found'],
    ['nothing', (disk) => disk.place(vaultPath('z.md'), 'no', { replace: false }), 'not_found'],
    ['the removal of nothing', (disk) => disk.remove(vaultPath('none.md')), 'not_found'],
    ['the removal of a folder as a file', (disk) => disk.remove(vaultPath('F')), 'is_a_folder'],
    ['the removal of no name', (disk) => disk.removeEntry(vaultPath('none.md')), 'not_found'],
    [
      'the removal of a folder as a name',
      (disk) => disk.removeEntry(vaultPath('F')),
      'is_a_folder',
    ],
    ['a folder that is there', (disk) => disk.makeFolder(vaultPath('F')), 'already_exists'],
    ['a folder named as a file', (disk) => disk.makeFolder(vaultPath('a.md')), 'already_exists'],
    ['a folder in nothing', (disk) => disk.makeFolder(vaultPath('x/y')), 'not_found'],
  ])('refuses %s', async (_name, act, expected) => {
    const disk = withFiles();
    expect(await code(act(disk))).toBe(expected);
    expect(await tree(disk)).toEqual(all);
  });
  const stage = (disk: WritableDisk, path: string) => disk.stage(vaultPath(path), 't', bytes(''));

  test('removes files, and folders only when they are empty', async () => {
    const disk = withFiles();
    const removeFolder = (path: string) => disk.removeFolder(vaultPath(path));
    expect(await removeFolder('F/sub')).toBe(false);
    await disk.removeEntry(vaultPath('F/sub/c.md'));
    expect(await removeFolder('F/sub')).toBe(true);
    expect(await removeFolder('F/sub')).toBe(true);
    expect(await removeFolder('none/sub')).toBe(true);
    expect(await removeFolder('a.md')).toBe(false);
    await disk.makeFolder(vaultPath('F/empty'));
    await disk.remove(vaultPath('a.md'));
    await disk.syncFolder(vaultFolder('F'));
    await disk.syncFolder(vaultFolder('none/there'));
    expect(await tree(disk)).toEqual(['F/', 'F/b.md', 'F/empty/']);
  });
});
