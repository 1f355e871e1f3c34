import type { BigIntStats } from 'node:fs';
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
