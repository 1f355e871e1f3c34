import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { diskError, errnoOf } from './disk-error.ts';
import { retryWhileHeld } from './retry-while-held.ts';

const fileMode = 0o600;
const folderMode = 0o700;
const othersBits = 0o077;

/**
 * Replaces a small file at once, or makes it; only its owner may read it. Fails with the system's
 * errors. `temporary` is the file that becomes it.
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

/**
 * What a small file says that other processes replace. It is read again when it is another file
 * than at the last look, so a question costs one look at the disk. `parse` is given undefined while
 * there is no file.
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
        // The stamp is older than the text: a file that is replaced in between is read again.
        this.#last = { stamp, value: this.#parse(await readFile(this.#path, 'utf8')) };
      }
      return this.#last.value;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw diskError(this.#path, error);
      return this.#parse(undefined);
    }
  }
}

/** A small text that outlives the program, in a file of its own that only its owner may read. */
export interface KeptText {
  /** Undefined where nothing is kept. Fails with the system's errors. */
  load(): Promise<string | undefined>;
  /** Makes the folder where it must. Fails with the system's errors. */
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
      await mkdir(dirname(file), { recursive: true, mode: folderMode });
      await replacePrivateFile(file, text);
    },
  };
}

/** Makes a folder, and those it needs, for its owner alone; one that is there stays as it is. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
}

/** The same for a folder that nobody else has a use for: it is closed to them if it was open. */
export async function closeOwnFolder(folder: string): Promise<void> {
  await makeOwnFolder(folder);
  const { mode, uid } = await stat(folder);
  const isOurs = uid === process.getuid?.();
  if (isOurs && (mode & othersBits) !== 0) await chmod(folder, folderMode);
}
