import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import type { FileStat } from '../../engine/ports/records.ts';
import { fileStat, lacksBlocks } from './file-stat.ts';

/** How many files are looked at before a file system counts as one that reports no blocks. */
const probeFilesMax = 200;

/**
 * Makes the function that turns stats of one vault into `FileStat`s. A file without blocks is
 * not present, unless the file system reports blocks for no file at all: then the number means
 * nothing and every file is present. Whether it does is looked up once, at the first such file.
 */
export function makeFileStat(
  root: string,
  platform: NodeJS.Platform,
): (stat: BigIntStats) => FileStat {
  // Windows tells nothing about blocks; its placeholders look like any other file.
  let reportsBlocks = platform === 'win32' ? false : undefined;
  return (stat) => {
    if (!lacksBlocks(stat)) return fileStat(stat, true);
    reportsBlocks ??= someFileHasBlocks(root);
    return fileStat(stat, !reportsBlocks);
  };
}

function someFileHasBlocks(root: string): boolean {
  const folders = [root];
  let left = probeFilesMax;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      if (hasBlocks(path)) return true;
      left -= 1;
      if (left === 0) break;
    }
  }
  return false;
}

function hasBlocks(file: string): boolean {
  try {
    return statSync(file).blocks > 0;
  } catch {
    return false;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not readable: it tells nothing.
  }
}
