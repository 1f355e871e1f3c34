import type { MemoryDisk } from '../support/memory-disk.ts';

/** Every file with its text, and every folder: an empty one that we made would be litter. */
export function snapshot(disk: MemoryDisk): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...disk.folders().map((path) => [`${path}/`, '']),
    ...disk.paths().map((path) => [path, disk.text(path)]),
  ]);
}
