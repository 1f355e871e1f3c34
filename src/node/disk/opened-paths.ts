import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
} from 'node:fs';

/** The flag O_PATH of Linux, which Node has no name for: opens anything, without reading it. */
export const onlyPath = 0x200000;
/** The same for a folder. Anything else fails with ENOTDIR. */
export const onlyFolder = onlyPath | (constants.O_DIRECTORY ?? 0);

/** What Linux puts behind the path of something that is open and was removed. */
const removedMark = ' (deleted)';

/** The folder in which the system shows what this process has open; undefined where there is none. */
const opened = findOpened();

/** Whether this system shows what a process has open. So far that is Linux, with /proc. */
export const showsOpened = opened !== undefined;

function findOpened(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    // Not /proc/self/fd: following that symlink at every call would double the cost of a look.
    const folder = `/proc/${readlinkSync('/proc/self')}/fd`;
    const root = openSync('/', onlyFolder);
    try {
      return readlinkSync(`${folder}/${root}`) === '/' ? folder : undefined;
    } finally {
      closeSync(root);
    }
  } catch {
    return undefined;
  }
}

/** A path that leads to an open file or folder, wherever that is now. */
export function openedPath(file: number): string {
  return `${opened}/${file}`;
}

/**
 * Where the system says that an open file or folder is. With `isMarked` it was removed, or its own
 * name ends like the mark of what was removed. Asks no drive.
 */
export function shownPlace(file: number): { readonly real: string; readonly isMarked: boolean } {
  const real = readlinkSync(openedPath(file));
  return { real, isMarked: real.endsWith(removedMark) };
}

/** Where an open file or folder is now; undefined when it was removed. Waits for its drive. */
export function placeOfOpen(file: number): string | undefined {
  const { real, isMarked } = shownPlace(file);
  if (!isMarked) return real;
  const there = lstatSync(real, { bigint: true, throwIfNoEntry: false });
  const isThere = there !== undefined && isSameFile(there, fstatSync(file, { bigint: true }));
  return isThere ? real : undefined;
}

/** Linux takes paths of up to this many bytes. */
const pathBytesMax = 4_095;

/** Whether the path of a name in a folder is too long for Linux. */
export function isTooLong(folder: string, name: string): boolean {
  // A character has at most three bytes; nearly all paths are short.
  if ((folder.length + 1 + name.length) * 3 <= pathBytesMax) return false;
  return Buffer.byteLength(folder) + 1 + Buffer.byteLength(name) > pathBytesMax;
}

/** Whether two stats are of the same file or folder. */
export function isSameFile(
  one: Pick<BigIntStats, 'dev' | 'ino'>,
  other: Pick<BigIntStats, 'dev' | 'ino'>,
): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
