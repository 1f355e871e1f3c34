import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  read,
  readSync,
  realpath,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import * as later from 'node:fs/promises';
import { promisify } from 'node:util';
import { errnoOf } from '../system/disk-error.ts';

/** At once, or later. */
export type Answer<T> = T | Promise<T>;

/**
 * What is asked of the system to read and change the files of a vault. Failures are the system's,
 * thrown or rejected: whoever awaits sees no difference.
 */
export interface DiskCalls {
  /** The path of what is there without symlinks, as the system spells it. */
  realpath(path: string): Answer<string>;
  /** Follows symlinks. */
  stat(path: string): Answer<BigIntStats>;
  lstat(path: string): Answer<BigIntStats>;
  /** The same; undefined for nothing, which is no failure here. */
  lstatIfThere(path: string): Answer<BigIntStats | undefined>;
  /** Whether nothing is at a path, not even a symlink; only where it costs less than a failure. */
  readonly isNothing?: (path: string) => boolean;
  /** Fails unless what is there may be written. */
  checkWritable(path: string): Answer<void>;
  open(path: string, flags: string | number, mode?: number): Answer<DiskFile>;
  link(from: string, to: string): Answer<void>;
  rename(from: string, to: string): Answer<void>;
  unlink(path: string): Answer<void>;
  mkdir(folder: string): Answer<void>;
  rmdir(folder: string): Answer<void>;
}

/** An open file. */
export interface DiskFile {
  stat(): Answer<BigIntStats>;
  /** Fills the bytes with those from a position of the file on, and answers how many there were. */
  read(bytes: Uint8Array, position: number): Answer<number>;
  /** Writes all of the bytes to a file that was just made. */
  write(bytes: Uint8Array): Answer<void>;
  chown(uid: number, gid: number): Answer<void>;
  chmod(mode: number): Answer<void>;
  utimes(atime: Date, mtime: Date): Answer<void>;
  sync(): Answer<void>;
  close(): Answer<void>;
}

const big = { bigint: true } as const;
const bigOrNothing = { bigint: true, throwIfNoEntry: false } as const;

/** Calls that may take their time, or never come back, without anyone else having to wait. */
export const waitingDisk: DiskCalls = {
  realpath: promisify(realpath.native),
  stat: (path) => later.stat(path, big),
  lstat: (path) => later.lstat(path, big),
  lstatIfThere: (path) =>
    later.lstat(path, big).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
      return undefined;
    }),
  checkWritable: (path) => later.access(path, constants.W_OK),
  open: async (path, flags, mode) => new WaitingFile(await later.open(path, flags, mode)),
  link: later.link,
  rename: later.rename,
  unlink: later.unlink,
  mkdir: (folder) => later.mkdir(folder).then(() => {}),
  rmdir: (folder) => later.rmdir(folder),
};

/**
 * Calls for disks that answer at once: each takes microseconds in place of a turn of one of the few
 * threads that Node has for files, and a small write makes some fifty. What the disk itself has to
 * be waited for is left to the threads: to sync, and to read or write much.
 */
export const promptDisk: DiskCalls = {
  realpath: (path) => realpathSync.native(path),
  stat: (path) => statSync(path, big),
  lstat: (path) => lstatSync(path, big),
  lstatIfThere: (path) => lstatSync(path, bigOrNothing),
  isNothing: (path) => lstatSync(path, bigOrNothing) === undefined,
  checkWritable: (path) => accessSync(path, constants.W_OK),
  open: (path, flags, mode) => new PromptFile(openSync(path, flags, mode)),
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  mkdir: (folder) => mkdirSync(folder),
  rmdir: (folder) => rmdirSync(folder),
};

class WaitingFile implements DiskFile {
  readonly #file: later.FileHandle;

  constructor(file: later.FileHandle) {
    this.#file = file;
  }

  stat(): Promise<BigIntStats> {
    return this.#file.stat(big);
  }

  async read(bytes: Uint8Array, position: number): Promise<number> {
    return (await this.#file.read(bytes, 0, bytes.length, position)).bytesRead;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#file.writeFile(bytes);
  }

  chown(uid: number, gid: number): Promise<void> {
    return this.#file.chown(uid, gid);
  }

  chmod(mode: number): Promise<void> {
    return this.#file.chmod(mode);
  }

  utimes(atime: Date, mtime: Date): Promise<void> {
    return this.#file.utimes(atime, mtime);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** As much as is read or written without leaving the thread: it takes less time than a turn of another. */
export const atOnceBytes = 128 * 1024;

const readLater = promisify(read);
const writeLater = promisify(writeFile);
const syncLater = promisify(fsync);

class PromptFile implements DiskFile {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  stat(): BigIntStats {
    return fstatSync(this.#file, big);
  }

  read(bytes: Uint8Array, position: number): Answer<number> {
    if (bytes.length <= atOnceBytes) return readSync(this.#file, bytes, 0, bytes.length, position);
    return readLater(this.#file, bytes, 0, bytes.length, position).then((done) => done.bytesRead);
  }

  write(bytes: Uint8Array): Answer<void> {
    if (bytes.length <= atOnceBytes) return writeFileSync(this.#file, bytes);
    return writeLater(this.#file, bytes);
  }

  chown(uid: number, gid: number): void {
    fchownSync(this.#file, uid, gid);
  }

  chmod(mode: number): void {
    fchmodSync(this.#file, mode);
  }

  utimes(atime: Date, mtime: Date): void {
    futimesSync(this.#file, atime, mtime);
  }

  sync(): Promise<void> {
    return syncLater(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}
