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

/** Our own temporary name: what a crash leaves of it is known to nobody as a note. */
const temporaryName = '.~vd-pulled.tmp';

const chunkBytes = 1024 * 1024;

export interface PulledFolders {
  /** The vault's real folder. */
  readonly root: string;
  /** What has arrived, at the paths that it has in the vault. */
  readonly incoming: string;
  /** Gets what is replaced, at the same paths. */
  readonly replaced: string;
}

export interface Placed {
  readonly files: number;
  readonly bytes: number;
  /** Paths whose place is taken by a symlink or a folder, or that lead through one; left as it was. */
  readonly refused: readonly string[];
}

/**
 * Puts files that have arrived into the vault, each at once: whoever reads sees the old one or the
 * new one. One that is as new in the vault stays; what is replaced is kept. Deletes nothing, and
 * never follows a symlink. Stops when the signal says so; what is placed stays. No change of ours
 * may run beside it.
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
 * Mends what a run that was cut off has torn, on either side: of two files one of which is the
 * beginning of the other, the longer one is the whole one, whatever their times say. One that has
 * arrived is placed; one of the vault is given the present time, so that it wins from now on.
 */
export async function mendTorn(folders: PulledFolders): Promise<void> {
  for (const path of await filesIn(folders.incoming)) {
    const [arrived, target] = [join(folders.incoming, path), join(folders.root, path)];
    if (!(await makeFolders(folders.root, dirname(path)))) continue;
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

/** Removes what is left of a run that was cut off: what has arrived, and temporary files beside it. */
export async function clearPulled({ root, incoming }: PulledFolders): Promise<void> {
  const left = new Set((await filesIn(incoming)).map((path) => dirname(join(root, path))));
  for (const folder of left) await rm(join(folder, temporaryName), { force: true });
  await rm(incoming, { recursive: true, force: true });
}

/** Places one file; answers its size, or why it was not placed. */
async function place(path: string, folders: PulledFolders): Promise<number | 'kept' | 'refused'> {
  const arrived = join(folders.incoming, path);
  const target = join(folders.root, path);
  if (!(await makeFolders(folders.root, dirname(path)))) return 'refused';
  const [theirs, ours] = [await lstat(arrived), await statOf(target)];
  if (ours !== undefined) {
    if (!ours.isFile()) return 'refused';
    if (ours.mtimeMs >= theirs.mtimeMs) return 'kept';
    if (ours.size === theirs.size && (await haveSameStart(arrived, target, ours.size))) {
      await utimes(target, theirs.atime, theirs.mtime); // Else it would arrive again and again.
      return 'kept';
    }
    await copyWithTime(target, join(folders.replaced, path), ours);
    await resemble(arrived, ours);
  }
  await replace(arrived, target, theirs);
  return theirs.size;
}

async function replace(arrived: string, target: string, theirs: Stats): Promise<void> {
  try {
    await flush(arrived);
    await rename(arrived, target);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    // On another disk: by way of a temporary file beside the target.
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

/** Makes the folders of a path one by one; answers false when one of them is something else. */
async function makeFolders(root: string, folder: string): Promise<boolean> {
  if (folder === '.') return true;
  if (!(await makeFolders(root, dirname(folder)))) return false;
  const here = join(root, folder);
  const stat = await statOf(here);
  if (stat === undefined) await mkdir(here);
  return stat?.isDirectory() ?? true;
}

/** What is there itself, a symlink as a symlink; undefined for nothing. */
async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether two files begin with the same bytes, so many of them. */
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

/** Gives a file the mode and, where the system lets us, the owner of the one that it replaces. */
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

/** The files in a folder at any depth, as paths relative to it; none when it is not there. */
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
