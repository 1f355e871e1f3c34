import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Semaphore } from '../../base/semaphore.ts';
import { diskError } from '../system/disk-error.ts';
import { closePrivateFolder, replacePrivateFile, WatchedFile } from '../system/private-files.ts';

interface PageFileParts<T> {
  readonly file: string;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <R>(folder: string, work: () => Promise<R>) => Promise<R>;
  /** Fails when the text is damaged; then every call fails, and the file is left as it is. */
  readonly parse: (text: string) => T;
  readonly textOf: (page: T) => string;
}

/** A small file that several processes read and change, one change after the other. */
export class PageFile<T> {
  readonly #parts: PageFileParts<T>;
  readonly #watched: WatchedFile<T | undefined>;
  /** In this process one after the other, so that at most one of them tries for the lock. */
  readonly #turns = new Semaphore(1);

  constructor(parts: PageFileParts<T>) {
    this.#parts = parts;
    this.#watched = new WatchedFile(parts.file, (text) =>
      text === undefined ? undefined : parts.parse(text),
    );
  }

  /** What is in the file; undefined when there is none. */
  read(): Promise<T | undefined> {
    return this.#watched.read();
  }

  /** Writes what `decide` wants to keep, if anything. Resolves when it is durable. */
  change<R>(
    decide: (found: T | undefined) => { readonly keep?: T; readonly answer: R },
  ): Promise<R> {
    const { file, alone } = this.#parts;
    const folder = dirname(file);
    return this.#turns.run(async () => {
      await closePrivateFolder(folder).catch((error: unknown) => this.#fail(error));
      return alone(folder, async () => {
        const { keep, answer } = decide(await this.read());
        if (keep !== undefined) {
          await this.#write(keep).catch((error: unknown) => this.#fail(error));
        }
        return answer;
      });
    });
  }

  async #write(page: T): Promise<void> {
    const { file, textOf } = this.#parts;
    await replacePrivateFile(file, textOf(page));
    if (process.platform === 'win32') return; // Windows cannot open folders, and need not.
    const folder = await open(dirname(file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  #fail(error: unknown): never {
    throw diskError(this.#parts.file, error, 'write');
  }
}
