import {
  type BigIntStats,
  close,
  closeSync,
  lstatSync,
  open,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  asyncDisk,
  type DiskCalls,
  type MaybePromise,
  syncBytesMax,
  syncDisk,
} from '../disk/disk-calls.ts';
import type { PathCalls } from '../disk/path-handle.ts';
import { errnoOf } from '../system/disk-error.ts';

/**
 * The calls to the system that read a vault's files. They fail with the system's errors, thrown or
 * rejected: with `await` there is no difference.
 */
export interface RawCalls extends PathCalls {
  /** Follows symlinks; undefined when there is nothing. */
  stat(path: string): MaybePromise<BigIntStats | undefined>;
  /** Does not follow a symlink; undefined when there is nothing. */
  lstat(path: string): MaybePromise<BigIntStats | undefined>;
  /** The same for several paths; undefined also for a path that is too long for the system. */
  lstatAll(paths: readonly string[]): MaybePromise<readonly (BigIntStats | undefined)[]>;
  /** The text of a symlink. */
  readlink(path: string): MaybePromise<string>;
  readdir(folder: string): MaybePromise<string[]>;
  open(path: string, flags: number): MaybePromise<number>;
  /** Reads into `bytes` from a position of the file on; returns how many bytes were read. */
  read(file: number, bytes: Uint8Array, position: number): MaybePromise<number>;
  close(file: number): MaybePromise<void>;
}

const big = { bigint: true } as const;
const bigOrNothing = { bigint: true, throwIfNoEntry: false } as const;

const readLater = promisify(read);
const openLater = promisify(open);

/** Asynchronous calls, for drives that may be slow or never answer: they block no other work. */
export const asyncCalls: RawCalls = {
  ...handleCalls(asyncDisk),
  stat: (path) => stat(path, big).catch(undefinedIfGone),
  lstat: asyncDisk.lstatIfThere,
  lstatAll: (paths) =>
    Promise.all(paths.map((path) => lstat(path, big).catch(undefinedIfUnreachable))),
  readlink: (path) => readlink(path),
  readdir: (folder) => readdir(folder),
  open: (path, flags) => openLater(path, flags),
  read: async (file, bytes, position) =>
    (await readLater(file, bytes, 0, bytes.length, position)).bytesRead,
  close: promisify(close),
};

/**
 * Synchronous calls, for disks that always answer quickly: a stat takes 4 µs instead of about 100
 * through Node's threads for files. Only large reads use those threads.
 */
export const syncCalls: RawCalls = {
  ...handleCalls(syncDisk),
  stat: (path) => statSync(path, bigOrNothing),
  lstat: syncDisk.lstatIfThere,
  lstatAll: (paths) => paths.map(lstatUnlessUnreachable),
  readlink: (path) => readlinkSync(path),
  readdir: (folder) => readdirSync(folder),
  open: (path, flags) => openSync(path, flags),
  read: (file, bytes, position) =>
    bytes.length <= syncBytesMax
      ? readSync(file, bytes, 0, bytes.length, position)
      : asyncCalls.read(file, bytes, position),
  close: (file) => closeSync(file),
};

/** The calls that a `PathHandle` needs and that are the same as those of the disk. */
function handleCalls({ realpath, fstat, lstatIfThere, openHandle }: DiskCalls) {
  const handle = openHandle === undefined ? {} : { openHandle };
  return { realpath, fstat, lstatIfThere, ...handle };
}

function lstatUnlessUnreachable(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, bigOrNothing);
  } catch (error) {
    return undefinedIfUnreachable(error);
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
}

function undefinedIfUnreachable(error: unknown): undefined {
  const errno = errnoOf(error);
  if (errno !== 'ENOENT' && errno !== 'ENOTDIR' && errno !== 'ENAMETOOLONG') throw error;
}
