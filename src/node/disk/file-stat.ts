import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import type { FileStat } from '../../engine/ports/records.ts';

/**
 * A file of up to this size may be stored inside its inode, without blocks of its own. A larger
 * file without blocks is a placeholder whose content is in the cloud.
 */
const inlineBytesMax = 160n;

/** A stat as the index keeps it. The caller decides `present`; see `makeFileStat`. */
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

/** Whether two stats have equal stamps; cheaper than comparing the stamps. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.ino === after.ino &&
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs
  );
}

/** Whether the stat looks like that of a cloud placeholder: it has a size, but nothing is stored. */
function lacksBlocks(stat: BigIntStats): boolean {
  return stat.blocks === 0n && stat.size > inlineBytesMax;
}

/**
 * The file that an iCloud placeholder stands for: `.Note.md.icloud` is `Note.md`, not downloaded.
 * Undefined for any other name, and for the placeholder of a file whose own name begins with a dot.
 */
export function placeholderFor(name: string): string | undefined {
  if (!name.startsWith('.') || !name.endsWith('.icloud')) return undefined;
  const standsFor = name.slice(1, -'.icloud'.length);
  return standsFor === '' || standsFor.startsWith('.') ? undefined : standsFor;
}

/**
 * The name of the placeholder that iCloud leaves when it removes a file's content from this machine.
 */
export function placeholderOf(name: string): string {
  return `.${name}.icloud`;
}

/** After this many files without blocks, the file system counts as one that reports no blocks. */
const probeFilesMax = 200;

/**
 * Returns a function that turns the stats of one vault's files into `FileStat`s. A file without
 * blocks is not present on this machine, unless the file system reports blocks for no file at all:
 * then every file is present. That is found out once, at the first file without blocks.
 */
export function makeFileStat(
  root: string,
  platform: NodeJS.Platform,
): (stat: BigIntStats) => FileStat {
  // Windows reports no blocks; its placeholders look like any other file.
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
    return []; // Not readable: pass over it.
  }
}
