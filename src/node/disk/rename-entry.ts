import { type BigIntStats, renameSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { asyncDisk, type DiskCalls } from './disk-calls.ts';
import { isSameFile } from './opened-paths.ts';

/** Makes a call to the system, and repeats it while the file is in use; see `retryWhileHeld`. */
export type Attempt = <T>(call: () => Promise<T>) => Promise<T>;

/** Errors of `link` on file systems without hard links, or where this file cannot have one. */
export const withoutLinks = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
  'EISDIR', // Windows, on a disk formatted as FAT.
  'EIO', // A mount by rclone. If the disk itself fails, the rename fails again.
]);

/**
 * Renames what is at a real path without ever replacing anything at the new path. A file gets its
 * new name (a hard link) before it loses the old one; after a crash in between, repeating the rename
 * completes it, and renaming back undoes it. Symlinks, folders, and files without hard links are
 * renamed after checking that the new path is free. Fails with the system's errors.
 */
export async function renameEntry(
  from: string,
  to: string,
  attempt: Attempt,
  calls: DiskCalls = asyncDisk,
): Promise<void> {
  if (from === to) return;
  const found = await calls.lstat(from);
  // Whether `link` follows a symlink depends on the system.
  if (!found.isFile()) return renameAfterLook(from, to, { found, attempt, calls });
  try {
    await attempt(async () => calls.link(from, to));
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (errno !== 'EEXIST' && !withoutLinks.has(errno)) throw error;
    return renameAfterLook(from, to, { found, attempt, calls });
  }
  try {
    await attempt(async () => calls.unlink(from));
  } catch (error) {
    await unlink(to).catch(() => {}); // The caller needs to see the first error.
    throw error;
  }
}

/**
 * Renames what is at a real path and replaces what is at the new path, as `rename` of POSIX does: a
 * file or symlink replaces another, a folder replaces an empty folder. `look` is called
 * synchronously, immediately before the rename. Fails with the system's errors.
 */
export async function replaceEntry(
  from: string,
  to: string,
  {
    attempt,
    look,
    calls = asyncDisk,
  }: { readonly attempt: Attempt; readonly look: () => void; readonly calls?: DiskCalls },
): Promise<void> {
  if (from === to) return;
  const [found, other] = [await calls.lstat(from), await calls.lstatIfThere(to)];
  // `rename` does nothing when both are names of the same file.
  if (other !== undefined && isSameFile(other, found)) {
    return renameAfterLook(from, to, { found, attempt, calls });
  }
  await attempt(async () => {
    look();
    renameSync(from, to);
  });
}

/** Renames after checking that the new path is free; see `renameEntry`. */
async function renameAfterLook(
  from: string,
  to: string,
  { found, attempt, calls }: { found: BigIntStats; attempt: Attempt; calls: DiskCalls },
): Promise<void> {
  const other = await calls.lstatIfThere(to);
  if (other === undefined) return attempt(async () => calls.rename(from, to));
  if (!isSameFile(other, found)) throw systemError('EEXIST');
  // The same file: either one name in another spelling, or a second name that a crash has left.
  const hasTwoNames = await areTwoNames(from, to, calls);
  return attempt(async () => (hasTwoNames ? calls.unlink(from) : calls.rename(from, to)));
}

/** Whether two paths of one file are two names, and not one name in two spellings. */
async function areTwoNames(a: string, b: string, calls: DiskCalls): Promise<boolean> {
  // One folder may have several paths, such as those of two handles.
  if (!isSameFile(await calls.stat(dirname(a)), await calls.stat(dirname(b)))) return true;
  if (basename(a) === basename(b)) return false;
  const names = await readdir(dirname(a));
  return names.includes(basename(a)) && names.includes(basename(b));
}
