import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import type { FileStat } from '../../engine/ports/records.ts';

/**
 * A file of up to this size may be stored inside its inode and then has no blocks of its own;
 * a larger one without blocks has its content elsewhere (a cloud placeholder).
 */
const inlineBytesMax = 160n;

/** A stat as the index keeps it; `present` is decided by the caller, who knows the disk. */
export function fileStat(stat: BigIntStats, present: boolean): FileStat {
  return {
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeMs),
    birthMs: Number(stat.birthtimeMs),
    stamp: stampOf(stat),
    present,
  };
}

/**
 * Inode, size, mtime and ctime in nanoseconds; equal stamps mean an unchanged file. Short,
 * because the index keeps one for every file: base 32, and no ctime where it equals mtime.
 */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const ctime = ctimeNs === mtimeNs ? '' : ctimeNs.toString(32);
  return `${ino.toString(32)}:${size.toString(32)}:${mtimeNs.toString(32)}:${ctime}`;
}

/** Whether the stamps of two stats are equal, without making them. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.ino === after.ino &&
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs
  );
}

/** Whether the stat looks like that of a placeholder: a size, and nothing stored. */
export function lacksBlocks(stat: BigIntStats): boolean {
  return stat.blocks === 0n && stat.size > inlineBytesMax;
}

/**
 * The name an iCloud placeholder stands for: `.Note.md.icloud` is `Note.md`, not downloaded.
 * Undefined for any other name, and when the name it stands for would be hidden.
 */
export function placeholderFor(name: string): string | undefined {
  if (!name.startsWith('.') || !name.endsWith('.icloud')) return undefined;
  const standsFor = name.slice(1, -'.icloud'.length);
  return standsFor === '' || standsFor.startsWith('.') ? undefined : standsFor;
}

/** The placeholder that iCloud leaves for a file name when it takes the content away. */
export function placeholderOf(name: string): string {
  return `.${name}.icloud`;
}

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
