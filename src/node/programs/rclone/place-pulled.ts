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
  unlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
    const [arrived, target] = [join(folders.incoming, path), join(folders.root, path)];
    if (!(await makeFolders(folders.root, dirname(path)))) continue;
    // `theirs` is the file from the remote, `ours` the one in the vault.
    const [theirs, ours] = [await lstat(arrived), await statOf(target)];
    if (!ours?.isFile() || ours.size === theirs.size) continue;
    if (!(await haveSameStart(arrived, target, Math.min(ours.size, theirs.size)))) continue;
    if (theirs.size < ours.size) {
      await utimes(target, ours.atime, new Date());
    } else {
      await copyWithTime(target, join(folders.replaced, path), ours);
      await resemble(arrived, ours);
      await replace(arrived, target, theirs);
    }
  }
}

/** Removes what an interrupted run has left: the incoming files, and temporary files in the vault. */
export async function clearPulled({ root, incoming }: PulledFolders): Promise<void> {
  const left = new Set((await filesIn(incoming)).map((path) => dirname(join(root, path))));
  for (const folder of left) await rm(join(folder, temporaryName), { force: true });
  await rm(incoming, { recursive: true, force: true });
}

/** Places one file; returns its size, or why it was not placed. */
async function place(path: string, folders: PulledFolders): Promise<number | 'kept' | 'refused'> {
  const arrived = join(folders.incoming, path);
  const target = join(folders.root, path);
  if (!(await makeFolders(folders.root, dirname(path)))) return 'refused';
  const [theirs, ours] = [await lstat(arrived), await statOf(target)];
  if (ours !== undefined) {
    if (!ours.isFile()) return 'refused';
    if (ours.mtimeMs >= theirs.mtimeMs) return 'kept';
    if (ours.size === theirs.size && (await haveSameStart(arrived, target, ours.size))) {
      await utimes(target, theirs.atime, theirs.mtime); // Otherwise it would be copied every time.
      return 'kept';
    }
    await copyWithTime(target, join(folders.replaced, path), ours);
    await resemble(arrived, ours);
  }
  await replace(arrived, target, theirs);
  return theirs.size;
}

/** Moves an arrived file to its place in the vault, over the file that is there. */
async function replace(arrived: string, target: string, theirs: Stats): Promise<void> {
  try {
    await flush(arrived);
    await rename(arrived, target);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    // The state folder is on another disk: copy to a temporary file beside the target first.
    const temporary = join(dirname(target), temporaryName);
    try {
      await copyWithTime(arrived, temporary, theirs);
      await flush(temporary);
      await rename(temporary, target);
    } catch (failure) {
      await unlink(temporary).catch(() => undefined);
      throw failure;
    }
  }
}

/** Creates the folders of a path one by one; returns false when one of them is not a folder. */
async function makeFolders(root: string, folder: string): Promise<boolean> {
  if (folder === '.') return true;
  if (!(await makeFolders(root, dirname(folder)))) return false;
  const here = join(root, folder);
  const stat = await statOf(here);
  if (stat === undefined) await mkdir(here);
  return stat?.isDirectory() ?? true;
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
