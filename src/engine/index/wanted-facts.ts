import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Scanner, ScanWant } from '../ports/ports.ts';

/** Finds the files without facts, or text, that a question needs; undefined when they are too many. */
export type FindLacking = (
  store: IndexStore,
  scanner: Scanner,
) => Promise<readonly VaultPath[] | undefined>;

/** The files whose facts a question needs: these, and all that may link to one of these names. */
interface FactsAsked {
  readonly paths: readonly VaultPath[];
  /** The last names of the links (`linkSegment`). */
  readonly segments: readonly string[];
}

/** Those of the files that the index has no facts of; reads the files that it has no facts of. */
export function lackingAbout({ paths, segments }: FactsAsked): FindLacking {
  return async (store, scanner) => {
    const lacking = await store.lacking('facts');
    const naming = segments.length === 0 ? [] : await scanner.naming(lacking, segments);
    const isLacking = new Set(lacking);
    return [...paths.filter((path) => isLacking.has(path)), ...naming];
  };
}

/**
 * With more files than this, a search waits for the whole full text: reading the files of one word
 * first would take about as long.
 */
const mentioningMax = 4_000;

/**
 * The files without full text that may have a word with one of these beginnings; undefined when they
 * are too many.
 */
export function lackingWords(beginnings: readonly string[]): FindLacking {
  return async (store, scanner) => {
    const paths = await scanner.mentioning(await store.lacking('text'), beginnings);
    return paths.length > mentioningMax ? undefined : paths;
  };
}

/** A caller who waits until some files are read. */
interface Waiter {
  readonly want: ScanWant;
  readonly paths: readonly VaultPath[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The files that callers wait for while a vault is read for the first time (see
 * `IndexKeeper.waitForSome`). They are read before all others.
 */
export class WantedFacts {
  #waiters: Waiter[] = [];

  get isAny(): boolean {
    return this.#waiters.length > 0;
  }

  /** Resolves when these files have been read: their facts, and with `text` their full text. */
  wait(paths: readonly VaultPath[], want: ScanWant): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ paths, want, resolve, reject });
    });
  }

  /** Reads the files that are wanted now, for one caller after the other. */
  async read(
    readFiles: (paths: readonly VaultPath[], want: readonly ScanWant[]) => Promise<void>,
  ): Promise<void> {
    for (let next = this.#waiters.shift(); next !== undefined; next = this.#waiters.shift()) {
      const { paths, want, resolve, reject } = next;
      try {
        await readFiles(paths, want === 'text' ? ['facts', 'text'] : ['facts']);
      } catch (error) {
        reject(error);
        throw error;
      }
      resolve();
    }
  }

  fail(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }
}
