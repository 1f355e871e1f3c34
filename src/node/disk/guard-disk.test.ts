import { expect, test } from 'vitest';
import { failingDisk } from '../../../test/support/failing-disk.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { WritableDisk } from '../../engine/ports/ports.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { guardDisk } from './guard-disk.ts';

const a = vaultPath('a.md');
const none = vaultPath('none.md');

/** A disk whose vault goes away just after so many looks for it. */
function leaving(looks: number): { disk: WritableDisk; below: ReturnType<typeof memoryDisk> } {
  const below = memoryDisk({ 'a.md': 'text' });
  let left = looks;
  const check = async (): Promise<void> => {
    left -= 1;
    if (left < 0) throw vaultGone('unmounted');
  };
  return { disk: guardDisk(below, check), below };
}

const calls: readonly (readonly [string, (disk: WritableDisk) => Promise<unknown>])[] = [
  ['read', (disk) => disk.read(a, { bytesMax: 9 })],
  ['stat', (disk) => disk.stat(a)],
  ['list', (disk) => disk.list('')],
  ['kind', (disk) => disk.kind(a)],
  ['entry', (disk) => disk.entry(a)],
  ['entries', (disk) => disk.entries(none)],
  ['stage', (disk) => disk.stage(a, 't', new Uint8Array())],
  ['hasStaged', (disk) => disk.hasStaged(a, 't')],
  ['move', (disk) => disk.move(a, none)],
  ['remove', (disk) => disk.remove(a)],
  ['removeEntry', (disk) => disk.removeEntry(a)],
  ['makeFolder', (disk) => disk.makeFolder(vaultPath('New'))],
  ['removeFolder', (disk) => disk.removeFolder(vaultPath('New'))],
  ['syncFolder', (disk) => disk.syncFolder('')],
];

test.each(calls)('%s does nothing while the vault is away', async (_, call) => {
  const { disk, below } = leaving(0);
  await expect(call(disk)).rejects.toMatchObject({ code: 'vault_not_found' });
  expect(below.paths()).toEqual(['a.md']);
  expect(below.folders()).toEqual([]);
});

test.each<readonly [string, (disk: WritableDisk) => Promise<unknown>]>([
  ['a file that cannot be read', (disk) => disk.read(none, { bytesMax: 9 })],
  ['a file without a stat', (disk) => disk.stat(none)],
  ['a path with nothing', (disk) => disk.kind(none)],
  ['a name that is not there', (disk) => disk.entry(none)],
  ['a folder that is none', (disk) => disk.list(none)],
  ['no temporary file', (disk) => disk.hasStaged(a, 't')],
  ['a temporary file that need not be removed', (disk) => disk.unstage(a, 't')],
  ['a folder that is gone already', (disk) => disk.removeFolder(vaultPath('New'))],
])('%s is not believed when the vault went away meanwhile', async (_, call) => {
  await expect(call(leaving(1).disk)).rejects.toMatchObject({ code: 'vault_not_found' });
});

test('a drive that is cut off is away, though the system still shows its folder', async () => {
  const below = failingDisk(memoryDisk(), { failAt: 1, errno: 'ENOTCONN', when: 'before' });
  const disk = guardDisk(below, async () => {});
  await expect(disk.stat(a)).rejects.toMatchObject({ code: 'vault_not_found' });
  expect(await disk.stat(a)).toBeUndefined();
});

test('what was found is believed after one look', async () => {
  const { disk } = leaving(1);
  expect(await disk.stat(a)).toMatchObject({ size: 4 });
  const { disk: other } = leaving(1);
  expect((await other.read(a, { bytesMax: 9 })).stat.size).toBe(4);
});
