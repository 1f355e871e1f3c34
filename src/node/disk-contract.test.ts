import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type MemoryDisk, memoryDisk } from '../../test/support/memory-disk.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { VaultError } from '../base/vault-error.ts';
import { vaultFolder, vaultPath } from '../base/vault-path.ts';
import type { Disk } from '../engine/ports.ts';
import { openNodeDisk } from './node-disk.ts';

type Hands = Pick<MemoryDisk, 'write' | 'replace' | 'remove' | 'rename'>;

/** A real disk with the hands that the one in memory has. */
function realDisk(): Disk & Hands {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  return {
    ...openNodeDisk(root),
    write,
    replace: (path, content) => {
      write(`${path}.tmp`, content);
      renameSync(at(`${path}.tmp`), at(path));
    },
    remove: (path) => rmSync(at(path), { recursive: true }),
    rename: (from, to) => renameSync(at(from), at(to)),
  };
}

// What engine tests learn from the disk in memory must hold on a real one.
describe.each([
  ['in memory', () => memoryDisk()],
  ['of this machine', realDisk],
] as [string, () => Disk & Hands][])('the disk %s', (_, open) => {
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error: unknown) => (error instanceof VaultError ? error.code : error),
    );

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
        disk.remove('a.md');
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
    disk.remove('z');
    expect(await disk.list('')).toEqual([]);
  });
});
