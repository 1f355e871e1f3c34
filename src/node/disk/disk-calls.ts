import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstat,
  fstatSync,
  fsync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  read,
  readSync,
  realpath,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  write,
  writeFile,
  writeFileSync,
  writeSync,
} from 'node:fs';
import * as later from 'node:fs/promises';
import { promisify } from 'node:util';
import { errnoOf } from '../system/disk-error.ts';
import { showsOpened } from './opened-paths.ts';

/** A value, or a promise of it: calls of a `DiskCalls` may be synchronous or not. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * The calls to the system that read and change the files of a vault. They fail with the system's
 * errors, thrown or rejected: with `await` there is no difference.
 */
export interface DiskCalls {
  /** The path with all symlinks resolved, in the system's own spelling. */
  realpath(path: string): MaybePromise<string>;
  /** Follows symlinks. */
  stat(path: string): MaybePromise<BigIntStats>;
  lstat(path: string): MaybePromise<BigIntStats>;
  /** The same as `lstat`, but undefined when there is nothing. */
  lstatIfThere(path: string): MaybePromise<BigIntStats | undefined>;
  fstat(file: number): MaybePromise<BigIntStats>;
  /** Opens anything as a number; absent where the system does not show what is open. */
  readonly openHandle?: (path: string, flags: number) => MaybePromise<number>;
  /** Fails when the file may not be written. */
  checkWritable(path: string): MaybePromise<void>;
  open(path: string, flags: string | number, mode?: number): MaybePromise<DiskFile>;
  link(from: string, to: string): MaybePromise<void>;
  rename(from: string, to: string): MaybePromise<void>;
  unlink(path: string): MaybePromise<void>;
  mkdir(folder: string): MaybePromise<void>;
  rmdir(folder: string): MaybePromise<void>;
}

/** An open file. */
export interface DiskFile {
  stat(): MaybePromise<BigIntStats>;
  /** Reads into `bytes` from a position of the file on; returns how many bytes were read. */
  read(bytes: Uint8Array, position: number): MaybePromise<number>;
  /** Writes all bytes to a file that was just created. */
  write(bytes: Uint8Array): MaybePromise<void>;
  /** Writes bytes at the end, in one call of the system; returns how many were written. */
  append(bytes: Uint8Array): MaybePromise<number>;
  truncate(length: number): MaybePromise<void>;
  chown(uid: number, gid: number): MaybePromise<void>;
  chmod(mode: number): MaybePromise<void>;
  utimes(atime: Date, mtime: Date): MaybePromise<void>;
  sync(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

const openLater = promisify(open);
const fstatLater = promisify(fstat);
const big = { bigint: true } as const;
const bigOrNothing = { bigint: true, throwIfNoEntry: false } as const;

/** Asynchronous calls, for drives that may be slow or never answer: they block no other work. */
export const asyncDisk: DiskCalls = {
  realpath: promisify(realpath.native),
  stat: (path) => later.stat(path, big),
  lstat: (path) => later.lstat(path, big),
  lstatIfThere: (path) =>
    later.lstat(path, big).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
      return undefined;
    }),
  fstat: (file) => fstatLater(file, big),
  ...(showsOpened ? { openHandle: (path, flags) => openLater(path, flags) } : {}),
  checkWritable: (path) => later.access(path, constants.W_OK),
  open: async (path, flags, mode) => new AsyncFile(await later.open(path, flags, mode)),
  link: later.link,
  rename: later.rename,
  unlink: later.unlink,
  mkdir: (folder) => later.mkdir(folder).then(() => {}),
  rmdir: (folder) => later.rmdir(folder),
};

/**
 * Synchronous calls, for disks that always answer quickly: each takes microseconds, while an
 * asynchronous one has to wait for one of the few threads that Node has for files, and a small write
 * makes about fifty calls. Syncing, and reading or writing much, are still asynchronous, because
 * there the disk itself is slow.
 */
export const syncDisk: DiskCalls = {
  realpath: (path) => realpathSync.native(path),
  stat: (path) => statSync(path, big),
  lstat: (path) => lstatSync(path, big),
  lstatIfThere: (path) => lstatSync(path, bigOrNothing),
  fstat: (file) => fstatSync(file, big),
  ...(showsOpened ? { openHandle: (path, flags) => openSync(path, flags) } : {}),
  checkWritable: (path) => accessSync(path, constants.W_OK),
  open: (path, flags, mode) => new SyncFile(openSync(path, flags, mode)),
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  mkdir: (folder) => mkdirSync(folder),
  rmdir: (folder) => rmdirSync(folder),
};

class AsyncFile implements DiskFile {
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

  async append(bytes: Uint8Array): Promise<number> {
    return (await this.#file.write(bytes)).bytesWritten;
  }

  truncate(length: number): Promise<void> {
    return this.#file.truncate(length);
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

/** Up to this size, reading or writing is faster synchronously than with another thread. */
export const syncBytesMax = 128 * 1024;

const readLater = promisify(read);
const writeLater = promisify(writeFile);
const appendLater = promisify(write);
const syncLater = promisify(fsync);

class SyncFile implements DiskFile {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  stat(): BigIntStats {
    return fstatSync(this.#file, big);
  }

  read(bytes: Uint8Array, position: number): MaybePromise<number> {
    if (bytes.length <= syncBytesMax) return readSync(this.#file, bytes, 0, bytes.length, position);
    return readLater(this.#file, bytes, 0, bytes.length, position).then((done) => done.bytesRead);
  }

  write(bytes: Uint8Array): MaybePromise<void> {
    if (bytes.length <= syncBytesMax) return writeFileSync(this.#file, bytes);
    return writeLater(this.#file, bytes);
  }

  append(bytes: Uint8Array): MaybePromise<number> {
    if (bytes.length <= syncBytesMax) return writeSync(this.#file, bytes);
    return appendLater(this.#file, bytes).then((done) => done.bytesWritten);
  }

  truncate(length: number): void {
    ftruncateSync(this.#file, length);
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
