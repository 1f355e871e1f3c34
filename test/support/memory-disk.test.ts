import { expect, test } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { type MemoryDisk, memoryDisk } from './memory-disk.ts';

// What the disk in memory shares with a real one is in src/node/disk/disk-contract.test.ts.

const p = vaultPath;
const none = new Uint8Array();

test.each<[string, (disk: MemoryDisk) => Promise<unknown>]>([
  ['a file is staged in', (disk) => disk.stage(p('F/new.md'), 't', none)],
  ['a file is removed from', (disk) => disk.remove(p('F/a.md'))],
  ['a file is moved out of', (disk) => disk.move(p('F/a.md'), p('z.md'))],
  ['a file is moved into', (disk) => disk.move(p('b.md'), p('F/b.md'))],
  ['a folder is made in', (disk) => disk.makeFolder(p('F/sub'))],
  ['a folder is removed from', (disk) => disk.removeFolder(p('F/empty'))],
])('nothing happens when %s a read-only folder', async (_name, act) => {
  const disk = memoryDisk({ 'F/a.md': 'a', 'b.md': 'b' });
  await disk.makeFolder(p('F/empty'));
  disk.lockFolder('F');
  const error: unknown = await act(disk).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(VaultError);
  expect(error).toMatchObject({ code: 'forbidden', details: { errno: 'EACCES' } });
  expect([disk.paths(), disk.folders()]).toEqual([
    ['F/a.md', 'b.md'],
    ['F', 'F/empty'],
  ]);
  disk.unlockFolder('F');
  await act(disk);
});

test('a file that may not be written is not staged for', async () => {
  const disk = memoryDisk({ 'a.md': 'a' });
  disk.chmod('a.md', 0o444);
  await expect(disk.stage(p('a.md'), 't', none)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a file that may not be read is not', async () => {
  const disk = memoryDisk({ 'a.md': 'a' });
  disk.lock('a.md', true);
  await expect(disk.read(p('a.md'), { bytesMax: 9 })).rejects.toMatchObject({ code: 'forbidden' });
});

test('a person who renames a folder onto another puts its files there', () => {
  const disk = memoryDisk({ 'F/a.md': 'new', 'F/sub/c.md': 'c', 'G/a.md': 'old', 'G/b.md': 'b' });
  disk.rename('F', 'G');
  expect(disk.paths()).toEqual(['G/a.md', 'G/b.md', 'G/sub/c.md']);
  expect(disk.text('G/a.md')).toBe('new');
  expect(disk.folders()).toEqual(['G', 'G/sub']);
});

test('calls are counted, each by its name', async () => {
  const disk = memoryDisk({ 'a.md': 'a' });
  await disk.stage(p('a.md'), 't', none);
  await disk.place(p('a.md'), 't', { replace: true });
  await disk.remove(p('none.md')).catch(() => {});
  expect(disk.calls).toMatchObject({ stage: 1, place: 1, remove: 1, read: 0, move: 0 });
  disk.resetCalls();
  expect(disk.calls).toMatchObject({ stage: 0, place: 0, remove: 0 });
});
