import { constants, createReadStream, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { foldName } from '../../../base/vault-path.ts';
import { asyncDisk } from '../../disk/disk-calls.ts';
import { openHandle, type PathHandle, using } from '../../disk/path-handle.ts';
import { diskError, errnoOf } from '../../system/disk-error.ts';

/**
 * Follows the pattern of Vaultdoor's temporary names, so that nothing takes it for a note after a
 * crash.
 */
const temporaryName = '.~vd-pulled.tmp';

const chunkBytes = 1024 * 1024;

export interface PulledFolders {
  /** The vault's real folder. */
  readonly root: string;
  /** The files that rclone has copied, at their paths in the vault. */
  readonly incoming: string;
  /** Receives copies of the files that are replaced, at the same paths. */
  readonly replaced: string;
}

/** What `placePulled` has done. */
interface Placed {
  readonly files: number;
  readonly bytes: number;
  /** Paths that were not placed because a symlink or a folder is in the way. */
  readonly refused: readonly string[];
}

/**
 * Moves the files in `incoming` into the vault, each atomically: readers see the old or the new one. A
 * file that is equally new or newer in the vault stays. Copies of replaced files go to `replaced`.
 * Deletes nothing, and never follows a symlink. Stops when the signal is aborted; what was placed
 * until then stays. The caller must make sure that no change by Vaultdoor runs at the same time.
 */
export async function placePulled(folders: PulledFolders, signal: AbortSignal): Promise<Placed> {
  const refused: string[] = [];
  let files = 0;
  let bytes = 0;
  for (const path of await filesIn(folders.incoming)) {
    if (signal.aborted) break;
    const size = await place(path, folders).catch((error: unknown) => {
      throw diskError(path, error, 'write');
    });
    if (size === 'refused') {
      refused.push(path);
    } else if (size !== 'kept') {
      files += 1;
      bytes += size;
    }
  }
  return { files, bytes, refused };
}

/**
 * Mends the partial files that an interrupted run has left, on either side. If one file is the
 * beginning of the other, the longer one is complete, whatever their times say. If that is the
 * incoming one, it is placed; if it is the one in the vault, it gets the present time, so that it
 * counts as newer from now on.
 */
export async function mendPartialFiles(folders: PulledFolders): Promise<void> {
  for (const path of await filesIn(folders.incoming)) {
    await atTarget(path, folders, async (target) => {
      const arrived = join(folders.incoming, path);
      // `theirs` is the file from the remote, `ours` the one in the vault.
      const [theirs, ours] = [await lstat(arrived), target.stat];
      if (!ours?.isFile() || ours.size === theirs.size) return;
      if (!(await haveSameStart(arrived, target.file, Math.min(ours.size, theirs.size)))) return;
      if (theirs.size < ours.size) {
        await utimes(target.file, ours.atime, new Date());
      } else {
        await copyWithTime(target.file, join(folders.replaced, path), ours);
        await resemble(arrived, ours);
        await replace(arrived, target, theirs);
      }
    });
  }
}

/** Removes what an interrupted run has left: the incoming files, and temporary files in the vault. */
export async function clearPulled({ root, incoming }: PulledFolders): Promise<void> {
  const left = new Set((await filesIn(incoming)).map((path) => dirname(path)));
  for (const folder of left) {
    const held = await holdFolder(root, folder, { make: false });
    if (held === undefined) continue;
    await rm(held.at(temporaryName), { force: true }).finally(() => held.close());
  }
  await rm(incoming, { recursive: true, force: true });
}

/** Places one file; returns its size, or why it was not placed. */
async function place(path: string, folders: PulledFolders): Promise<number | 'kept' | 'refused'> {
  const placed = await atTarget(path, folders, async (target) => {
    const arrived = join(folders.incoming, path);
    const [theirs, ours] = [await lstat(arrived), target.stat];
    if (ours !== undefined) {
      if (!ours.isFile()) return 'refused';
      if (ours.mtimeMs >= theirs.mtimeMs) return 'kept';
      if (ours.size === theirs.size && (await haveSameStart(arrived, target.file, ours.size))) {
        await utimes(target.file, theirs.atime, theirs.mtime); // Otherwise copied every time.
        return 'kept';
      }
      await copyWithTime(target.file, join(folders.replaced, path), ours);
      await resemble(arrived, ours);
    }
    await replace(arrived, target, theirs);
    return theirs.size;
  });
  return placed ?? 'refused';
}

/** The place of a file in the vault. Its paths lead to what was opened, and through no symlink. */
interface Target {
  /** The file that is there now; only for a file with a `stat`. */
  readonly file: string;
  /** Undefined when there is nothing. */
  readonly stat: Stats | undefined;
  /** The name in its folder, for putting a file there. */
  readonly entry: string;
  readonly temporary: string;
}

/**
 * Calls back with the place of a file in the vault, whose folders are created if they are missing.
 * Undefined, without calling back, when a symlink or something else that is no folder is in the way.
 */
async function atTarget<T>(
  path: string,
  { root }: PulledFolders,
  call: (target: Target) => Promise<T>,
): Promise<T | undefined> {
  const folder = await holdFolder(root, dirname(path), { make: true });
  if (folder === undefined) return undefined;
  try {
    const entry = folder.at(basename(path));
    const temporary = folder.at(temporaryName);
    const found = await statOf(entry);
    if (!found?.isFile()) return await call({ file: entry, stat: found, entry, temporary });
    return await using(openHandle(asyncDisk, entry), async (held) => {
      // A symlink has taken its place since.
      if (!isSamePath(held.real, join(folder.real, basename(path)))) return undefined;
      return call({ file: held.path, stat: await stat(held.path), entry, temporary });
    });
  } finally {
    folder.close();
  }
}

/** Moves an arrived file to its place in the vault, over the file that is there. */
async function replace(arrived: string, target: Target, theirs: Stats): Promise<void> {
  try {
    await flush(arrived);
    await rename(arrived, target.entry);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    // The state folder is on another disk: copy to a temporary file beside the target first.
    const { temporary } = target;
    try {
      await copyWithTime(arrived, temporary, theirs);
      await flush(temporary);
      await rename(temporary, target.entry);
    } catch (failure) {
      await unlink(temporary).catch(() => undefined);
      throw failure;
    }
  }
}

/**
 * Opens a folder of the vault by its path relative to the root, name by name; with `make`, missing
 * ones are created. Undefined when it is missing, or when one of the names is no folder.
 */
async function holdFolder(
  root: string,
  folder: string,
  { make }: { readonly make: boolean },
): Promise<PathHandle | undefined> {
  let held = await openHandle(asyncDisk, root, { folder: true });
  for (const name of folder === '.' ? [] : folder.split(sep)) {
    const { real } = held;
    const next = await openInside(held, name, make).finally(() => held.close());
    if (next === undefined) return undefined;
    held = next;
    if (isSamePath(held.real, join(real, name))) continue;
    held.close(); // The name is a symlink.
    return undefined;
  }
  return held;
}

/** Whether two paths are the same, in the spelling of the disk or in another. */
function isSamePath(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/** Opens a folder in another one, symlinks followed; undefined when it is missing or no folder. */
async function openInside(
  folder: PathHandle,
  name: string,
  make: boolean,
): Promise<PathHandle | undefined> {
  const path = folder.at(name);
  try {
    if (make && (await statOf(path)) === undefined) await mkdir(path);
    const held = await openHandle(asyncDisk, path, { folder: true });
    if ((await held.stat(asyncDisk)).isDirectory()) return held;
    held.close();
    return undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The `lstat` of a path; undefined when nothing is there. */
async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the first `bytes` bytes of two files are the same. */
async function haveSameStart(a: string, b: string, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  const streams = [a, b].map((file) =>
    createReadStream(file, { end: bytes - 1, highWaterMark: chunkBytes })[Symbol.asyncIterator](),
  );
  try {
    for (;;) {
      const [one, other] = await Promise.all(streams.map((stream) => stream.next()));
      if (one?.done || other?.done) return one?.done === other?.done;
      if (!Buffer.from(one?.value).equals(Buffer.from(other?.value))) return false;
    }
  } finally {
    for (const stream of streams) await stream.return?.();
  }
}

async function copyWithTime(from: string, to: string, { atime, mtime, mode }: Stats) {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, mode);
  await utimes(to, atime, mtime);
}

/** Gives a file the mode and, if the system allows it, the owner of the file that it replaces. */
async function resemble(file: string, { mode, uid, gid }: Stats): Promise<void> {
  await chmod(file, mode);
  await chown(file, uid, gid).catch(() => undefined); // Only the superuser may.
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The files in a folder at any depth, as paths relative to it; none when it does not exist. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  const files: string[] = [];
  for (const entry of found) {
    if (entry.isFile()) files.push(entry.name);
    if (!entry.isDirectory()) continue;
    for (const path of await filesIn(join(folder, entry.name))) files.push(join(entry.name, path));
  }
  return files;
}
