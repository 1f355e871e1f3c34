import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { diskError, errnoOf } from './disk-error.ts';
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
  await mkdir(folder, { recursive: true, mode: folderMode });
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

/**
 * Creates or atomically replaces a small file that only its owner may read. `temporary` is the file
 * that is written first and then renamed. Fails with the system's errors, and leaves no temporary
 * file then.
 */
export async function replacePrivateFile(
  path: string,
  text: string | Uint8Array,
  temporary = `${path}-${randomBytes(6).toString('hex')}.tmp`,
): Promise<void> {
  try {
    const file = await open(temporary, 'wx', fileMode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await retryWhileHeld(() => rename(temporary, path), {
      platform: process.platform,
      nowMs: Date.now,
      pause: (ms) => setTimeout(ms),
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true });
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
