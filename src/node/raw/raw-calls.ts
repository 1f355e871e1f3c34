import {
  type BigIntStats,
  close,
  closeSync,
  fstat,
  fstatSync,
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
import { type Answer, atOnceBytes, promptDisk, waitingDisk } from '../disk/disk-calls.ts';
import { openFlags } from '../disk/regular-file.ts';
import { errnoOf } from '../system/disk-error.ts';

/**
 * What is asked of the system to read a vault. Failures are the system's, thrown or rejected:
 * whoever awaits sees no difference.
 */
export interface RawCalls {
  /** The path without symlinks. */
  realpath(path: string): Answer<string>;
  /** Follows symlinks; undefined for nothing. */
  stat(path: string): Answer<BigIntStats | undefined>;
  /** The name itself; undefined for nothing. */
  lstat(path: string): Answer<BigIntStats | undefined>;
  /** The same for several; undefined also for what has a path that is too long for the system. */
  lstatAll(paths: readonly string[]): Answer<readonly (BigIntStats | undefined)[]>;
  /** What a symlink says. */
  readlink(path: string): Answer<string>;
  readdir(folder: string): Answer<string[]>;
  /** Opens for reading: neither through a symlink nor waiting for a pipe. */
  open(path: string): Answer<number>;
  fstat(file: number): Answer<BigIntStats>;
  /** Fills the bytes from a position on, and answers how many there were. */
  read(file: number, bytes: Uint8Array, position: number): Answer<number>;
  close(file: number): Answer<void>;
}

const big = { bigint: true } as const;
const bigOrNothing = { bigint: true, throwIfNoEntry: false } as const;

const readLater = promisify(read);

/** Calls that may take their time, or never come back, without anyone else having to wait. */
export const waitingCalls: RawCalls = {
  realpath: waitingDisk.realpath,
  stat: (path) => stat(path, big).catch(undefinedIfGone),
  lstat: waitingDisk.lstatIfThere,
  lstatAll: (paths) =>
    Promise.all(paths.map((path) => lstat(path, big).catch(undefinedIfUnreachable))),
  readlink: (path) => readlink(path),
  readdir: (folder) => readdir(folder),
  open: (path) => promisify(open)(path, openFlags),
  fstat: (file) => promisify(fstat)(file, big),
  read: async (file, bytes, position) =>
    (await readLater(file, bytes, 0, bytes.length, position)).bytesRead,
  close: promisify(close),
};

/**
 * Calls for disks that answer at once: a stat takes 4 µs in place of some 100 through the threads
 * that Node has for files. Only much content is read by those.
 */
export const promptCalls: RawCalls = {
  realpath: promptDisk.realpath,
  stat: (path) => statSync(path, bigOrNothing),
  lstat: promptDisk.lstatIfThere,
  lstatAll: (paths) => paths.map(lstatUnlessUnreachable),
  readlink: (path) => readlinkSync(path),
  readdir: (folder) => readdirSync(folder),
  open: (path) => openSync(path, openFlags),
  fstat: (file) => fstatSync(file, big),
  read: (file, bytes, position) =>
    bytes.length <= atOnceBytes
      ? readSync(file, bytes, 0, bytes.length, position)
      : waitingCalls.read(file, bytes, position),
  close: (file) => closeSync(file),
};

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
