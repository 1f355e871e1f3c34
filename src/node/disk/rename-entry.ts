import { type BigIntStats, renameSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { type DiskCalls, waitingDisk } from './disk-calls.ts';

/** Makes a call to the system, again where a file may be held; see `retryWhileHeld`. */
export type Attempt = <T>(call: () => Promise<T>) => Promise<T>;

/** What systems and disks answer that have no second name for a file, or not for this one. */
const withoutLinks = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
  'EISDIR', // Windows, on a disk formatted as FAT.
  'EIO', // A mount by rclone. If it is the disk itself that fails, the rename will say so again.
]);

/**
 * Gives what is at one real path another, and never replaces what is there: a file gets its new
 * name before it loses the old one. If a crash came between, doing it again finishes it, and so
 * does doing the opposite. Symlinks and folders, and files where there are no hard links, are
 * renamed after a look. Fails with the system's errors.
 */
export async function renameEntry(
  from: string,
  to: string,
  attempt: Attempt,
  calls: DiskCalls = waitingDisk,
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
    await unlink(to).catch(() => {}); // What failed first is what the caller has to know.
    throw error;
  }
}

/**
 * Gives what is at one real path another, in place of what is there, as `rename` of POSIX does: a
 * file or symlink replaces one, a folder an empty one. `look` is called just before, with nothing but
 * the system in between. Fails with the system's errors.
 */
export async function replaceEntry(
  from: string,
  to: string,
  {
    attempt,
    look,
    calls = waitingDisk,
  }: { readonly attempt: Attempt; readonly look: () => void; readonly calls?: DiskCalls },
): Promise<void> {
  if (from === to) return;
  const [found, other] = [await calls.lstat(from), await calls.lstatIfThere(to)];
  // Of two names of one file the system would leave both.
  const isOne = other !== undefined && other.dev === found.dev && other.ino === found.ino;
  if (isOne) return renameAfterLook(from, to, { found, attempt, calls });
  await attempt(async () => {
    look();
    renameSync(from, to);
  });
}

async function renameAfterLook(
  from: string,
  to: string,
  { found, attempt, calls }: { found: BigIntStats; attempt: Attempt; calls: DiskCalls },
): Promise<void> {
  const other = await calls.lstatIfThere(to);
  if (other === undefined) return attempt(async () => calls.rename(from, to));
  if (other.dev !== found.dev || other.ino !== found.ino) throw systemError('EEXIST');
  // The same file: another spelling of its one name, or a second name that a crash left.
  const two = await areTwoNames(from, to);
  return attempt(async () => (two ? calls.unlink(from) : calls.rename(from, to)));
}

async function areTwoNames(a: string, b: string): Promise<boolean> {
  if (dirname(a) !== dirname(b)) return true;
  const names = await readdir(dirname(a));
  return names.includes(basename(a)) && names.includes(basename(b));
}
