import { randomBytes } from 'node:crypto';
import { readFileSync, type StatsBase, statSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { diskError, errnoOf, systemError } from './disk-error.ts';
import { retryWhileHeld } from './retry-while-held.ts';

const fileMode = 0o600;
const folderMode = 0o700;
/** The bits of a mode that give rights to others than the owner. */
const othersBits = 0o077;

/**
 * Creates a folder, and its missing parents, that only its owner may open. An existing folder keeps
 * its permissions.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await makeFolders(folder, folderMode);
}

/**
 * Creates a folder and its missing parents. Fails with the system's errors. The recursive mkdir of
 * Node never ends where a folder exists and nothing can be made in it, such as /proc: each failure
 * there says that the parent is missing.
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  if (await madeFolder(folder, mode)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolders(parent, mode);
  if (!(await madeFolder(folder, mode))) throw systemError('ENOENT');
}

/** False when the parent is missing. */
async function madeFolder(folder: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return true;
    if (errnoOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

/**
 * Creates a folder as `makePrivateFolder` does. An existing folder of this user that others may open
 * is closed to them.
 */
export async function closePrivateFolder(folder: string): Promise<void> {
  await makePrivateFolder(folder);
  const { mode, uid } = await stat(folder);
  const isOurs = uid === process.getuid?.();
  if (isOurs && (mode & othersBits) !== 0) await chmod(folder, folderMode);
}

/** What tells a file from every other on this machine, whatever its name. */
interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Creates or atomically replaces a small file that only its owner may read, and answers which file it
 * is. `temporary` is the file that is written first and then renamed. Fails with `already_exists`
 * when a symlink, a device or anything else but a regular file is at the path, and otherwise with the
 * system's errors; leaves no temporary file then.
 */
export async function replacePrivateFile(
  path: string,
  text: string | Uint8Array,
  temporary = `${path}-${randomBytes(6).toString('hex')}.tmp`,
): Promise<FileIdentity> {
  try {
    const file = await open(temporary, 'wx', fileMode);
    let identity: FileIdentity;
    try {
      await file.writeFile(text);
      await file.sync();
      identity = await file.stat({ bigint: true });
    } finally {
      await file.close();
    }
    await retryWhileHeld(
      async () => {
        await refuseToReplace(path);
        await rename(temporary, path);
      },
      { platform: process.platform, nowMs: Date.now, pause: (ms) => setTimeout(ms) },
    );
    return identity;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Fails when something other than a regular file is at the path: we have not put it there. */
async function refuseToReplace(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
  if (found === undefined || found.isFile()) return;
  throw new VaultError(
    'already_exists',
    `"${path}" exists and is not a regular file; it was left as it is. Move it away.`,
  );
}

/**
 * The text of a file with a token or a key that the user has named with this option. Fails when it cannot be read, is too large to be one, or is not a regular
 * file: a pipe may block for ever, and a device may never end.
 */
export function readSecretFile(path: string, option: string): string {
  try {
    const found = statSync(path);
    refuseToRead(path, found);
    if (found.size > limits.secretFileBytesMax) {
      throw new VaultError('too_large', `"${path}" is too large for a token or a key.`);
    }
    return readFileSync(path).toString('utf8');
  } catch (error) {
    const { code, message, details } = diskError(path, error);
    throw new VaultError(code, `${option}: ${message}`, { cause: error, details });
  }
}

/** Fails for a folder, a pipe, a device or a socket. */
function refuseToRead(path: string, found: StatsBase<number> | StatsBase<bigint>): void {
  if (found.isFile()) return;
  if (found.isDirectory()) throw systemError('EISDIR');
  throw new VaultError('forbidden', `"${path}" is not a regular file, so it is not read.`);
}

/** A small text that is kept in a private file between runs of the program. */
interface KeptText {
  /** Undefined when nothing was saved yet. Fails with the system's errors. */
  load(): Promise<string | undefined>;
  /** Creates the folder of the file if needed. Fails with the system's errors. */
  save(text: string): Promise<void>;
}

/** The text that is kept in this file. */
export function keptText(file: string): KeptText {
  return {
    async load() {
      try {
        refuseToRead(file, await stat(file));
        return await readFile(file, 'utf8');
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(text) {
      await makePrivateFolder(dirname(file));
      await replacePrivateFile(file, text);
    },
  };
}

/**
 * The parsed content of a small file that other processes may replace. Each `read` costs one stat;
 * the file is read and parsed again only when the stat has changed. `parse` gets undefined when there
 * is no file.
 */
export class WatchedFile<T> {
  readonly #path: string;
  readonly #parse: (text: string | undefined) => T;
  #last: { readonly stamp: string; readonly value: T } | undefined;

  constructor(path: string, parse: (text: string | undefined) => T) {
    this.#path = path;
    this.#parse = parse;
  }

  async read(): Promise<T> {
    try {
      const found = await stat(this.#path, { bigint: true });
      refuseToRead(this.#path, found);
      const { dev, ino, size, mtimeNs, ctimeNs } = found;
      const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
      if (stamp !== this.#last?.stamp) {
        // Stat first, then read: if the file is replaced in between, the next call reads it again.
        this.#last = { stamp, value: this.#parse(await readFile(this.#path, 'utf8')) };
      }
      return this.#last.value;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw diskError(this.#path, error);
      return this.#parse(undefined);
    }
  }
}
