import { type BigIntStats, closeSync, constants, openSync, realpathSync } from 'node:fs';
import { systemError } from '../system/disk-error.ts';
import type { MaybePromise } from './disk-calls.ts';
import {
  isSameFile,
  isTooLong,
  onlyFolder,
  onlyPath,
  openedPath,
  placeOfOpen,
  shownPlace,
  showsOpened,
} from './opened-paths.ts';
import { openFlags } from './regular-file.ts';

/** The calls to the system that a `PathHandle` needs. */
export interface PathCalls {
  /** The path with all symlinks resolved, in the system's own spelling. */
  realpath(path: string): MaybePromise<string>;
  /** Follows symlinks. */
  stat(path: string): MaybePromise<BigIntStats | undefined>;
  /** Does not follow a symlink; undefined when there is nothing. */
  lstatIfThere(path: string): MaybePromise<BigIntStats | undefined>;
  fstat(file: number): MaybePromise<BigIntStats>;
  /** Opens a file or folder; absent where the system does not show what a process has open. */
  readonly openHandle?: (path: string, flags: number) => MaybePromise<number>;
}

/** What was removed right after it was opened is opened again, at most this many times in all. */
const opensMax = 5;

/**
 * A file or folder that was opened first and looked at then: `real` says where it was at that moment,
 * and `path` leads to exactly this file or folder, even if another program has put a symlink in its
 * place meanwhile. It must be closed.
 *
 * Where the system does not show what a process has open (macOS, Windows), `path` is the real path:
 * a symlink that appears in it later is followed. `isStill` tells it afterwards, in most cases.
 */
export class PathHandle {
  readonly real: string;
  readonly path: string;
  /** The flags for opening `path` to read it; a symlink that has taken its place is not followed. */
  readonly readFlags: number;
  readonly #asked: string;
  #file: number | undefined;

  constructor(asked: string, real: string, file?: number) {
    this.real = real;
    this.path = file === undefined ? real : openedPath(file);
    // The system shows an open file as a symlink.
    this.readFlags = file === undefined ? openFlags : openFlags & ~(constants.O_NOFOLLOW ?? 0);
    this.#asked = asked;
    this.#file = file;
  }

  /**
   * The path of a name in this folder. A name whose real path is too long for the system is given as
   * that path, which the system refuses: it could be created through the handle and never be found.
   */
  at(name: string): string {
    return `${isTooLong(this.real, name) ? this.real : this.path}/${name}`;
  }

  /** The stat of what was opened. */
  async stat(calls: PathCalls): Promise<BigIntStats> {
    if (this.#file !== undefined) return calls.fstat(this.#file);
    return (await calls.stat(this.path)) ?? nothingThere();
  }

  /**
   * Whether a file that was just opened by `path` is the one that `stat` has answered `before`;
   * `statOpen` answers the stat of the opened file. Costs nothing where handles are safe. Elsewhere
   * the path is resolved once more, and the file must still be there.
   */
  async isStill(
    calls: PathCalls,
    before: BigIntStats,
    statOpen: () => MaybePromise<BigIntStats>,
  ): Promise<boolean> {
    if (this.#file !== undefined) return true;
    const opened = await statOpen();
    // The number of a removed file may be given to the next one, which may be of another kind.
    if (!isSameFile(before, opened) || before.isFile() !== opened.isFile()) return false;
    if ((await calls.realpath(this.#asked)) !== this.real) return false;
    return isSameFile(before, await this.stat(calls));
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/**
 * Opens a path, symlinks followed, to look where it leads. Nothing is read and no permission is needed
 * but for the folders on the way. With `folder`, anything but a folder fails with ENOTDIR. Fails with
 * the system's errors.
 */
export async function openHandle(
  calls: PathCalls,
  path: string,
  { folder = false }: { readonly folder?: boolean } = {},
): Promise<PathHandle> {
  if (calls.openHandle === undefined) return new PathHandle(path, await calls.realpath(path));
  for (let opens = 0; opens < opensMax; opens++) {
    const file = await calls.openHandle(path, folder ? onlyFolder : onlyPath);
    const handle = await look(calls, path, file);
    if (handle !== undefined) return handle;
  }
  return nothingThere();
}

/**
 * The same as `openHandle`, synchronously. Without `handles`, as on a system that shows nothing
 * open.
 */
export function openHandleSync(
  path: string,
  { folder = false, handles = showsOpened }: { folder?: boolean; handles?: boolean } = {},
): PathHandle {
  if (!handles) return new PathHandle(path, realpathSync.native(path));
  for (let opens = 0; opens < opensMax; opens++) {
    const handle = lookSync(path, openSync(path, folder ? onlyFolder : onlyPath));
    if (handle !== undefined) return handle;
  }
  return nothingThere();
}

/**
 * The same calls as on a platform that does not show what is open: without handles, except on
 * Linux.
 */
export function callsOn<Calls extends PathCalls>(calls: Calls, platform: NodeJS.Platform): Calls {
  if (platform === 'linux') return calls;
  const { openHandle: _, ...others } = calls;
  return others as Calls;
}

/** Calls back with an open handle, and closes it whatever happens. */
export async function using<H extends { close(): void }, T>(
  opening: Promise<H>,
  call: (handle: H) => MaybePromise<T>,
): Promise<T> {
  const handle = await opening;
  try {
    return await call(handle);
  } finally {
    handle.close();
  }
}

/**
 * The handle of an open file; undefined, and the file is closed, when it was removed meanwhile. The
 * drive is asked only about a name that looks like that of something removed.
 */
async function look(
  calls: PathCalls,
  asked: string,
  file: number,
): Promise<PathHandle | undefined> {
  let isThere = false;
  try {
    const { real, isMarked } = shownPlace(file);
    const there = isMarked ? await calls.lstatIfThere(real) : undefined;
    isThere = !isMarked || (there !== undefined && isSameFile(there, await calls.fstat(file)));
    return isThere ? new PathHandle(asked, real, file) : undefined;
  } finally {
    if (!isThere) closeSync(file);
  }
}

/** The same as `look`, synchronously. */
function lookSync(asked: string, file: number): PathHandle | undefined {
  let real: string | undefined;
  try {
    real = placeOfOpen(file);
  } finally {
    if (real === undefined) closeSync(file);
  }
  return real === undefined ? undefined : new PathHandle(asked, real, file);
}

function nothingThere(): never {
  throw systemError('ENOENT');
}
