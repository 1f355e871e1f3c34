import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Scanner } from '../ports/ports.ts';

/** The files whose facts a question needs: these, and all that may link to one of these names. */
export interface FactsAsked {
  readonly paths: readonly VaultPath[];
  /** The last names of the links (`linkSegment`). */
  readonly segments: readonly string[];
}

/** Those of the files that the index has no facts of; reads the files that it has no facts of. */
export async function lackingAbout(
  store: IndexStore,
  scanner: Scanner,
  { paths, segments }: FactsAsked,
): Promise<readonly VaultPath[]> {
  const lacking = await store.lackingFacts();
  const naming = segments.length === 0 ? [] : await scanner.naming(lacking, segments);
  const isLacking = new Set(lacking);
  return [...paths.filter((path) => isLacking.has(path)), ...naming];
}

/** A caller who waits for the facts of some files. */
interface Waiter {
  readonly paths: readonly VaultPath[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The files whose facts callers wait for while a vault is read for the first time (see
 * `IndexKeeper.waitForLinks`). They are read before all others.
 */
export class WantedFacts {
  #waiters: Waiter[] = [];

  get isAny(): boolean {
    return this.#waiters.length > 0;
  }

  /** Resolves when the facts of these files have been read. */
  wait(paths: readonly VaultPath[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ paths, resolve, reject });
    });
  }

  /** Reads the files that are wanted now, each once; then those who wait are told. */
  async read(readFacts: (paths: readonly VaultPath[]) => Promise<void>): Promise<void> {
    const waiters = this.#waiters;
    this.#waiters = [];
    try {
      await readFacts(Array.from(new Set(waiters.flatMap(({ paths }) => paths))));
    } catch (error) {
      for (const { reject } of waiters) reject(error);
      throw error;
    }
    for (const { resolve } of waiters) resolve();
  }

  fail(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }
}
