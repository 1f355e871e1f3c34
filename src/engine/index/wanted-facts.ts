import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Clock, Scanner } from '../ports/ports.ts';
import type { IndexWait } from './index-readiness.ts';

/** The files whose facts a question needs: these, and all that may link to one of these names. */
export interface FactsAsked {
  readonly paths: readonly VaultPath[];
  /** The last names of the links (`linkSegment`). */
  readonly segments: readonly string[];
}

/** After so many files that were read, the caller is asked whether it still waits. */
const filesAtOnce = 2_000;

/**
 * Those of the files that the index has no facts of, or only facts of an earlier content; reads the
 * files that it has no facts of. Undefined when the time to wait is over before all were read.
 */
export async function lackingAbout(
  store: IndexStore,
  { scanner, clock }: { readonly scanner: Scanner; readonly clock: Clock },
  { paths, segments, waitMs, signal }: FactsAsked & IndexWait,
): Promise<readonly VaultPath[] | undefined> {
  const endMs = clock.nowMs() + waitMs;
  const lacking = await store.lackingFacts();
  const isLacking = new Set(lacking);
  const found = paths.filter((path) => isLacking.has(path));
  if (segments.length === 0) return found;
  // Files whose earlier content named it, too: their new content may not.
  const named = await store.sourcesNaming(segments);
  found.push(...named.filter((path) => isLacking.has(path)));
  for (let at = 0; at < lacking.length; at += filesAtOnce) {
    if (signal?.aborted === true || clock.nowMs() > endMs) return undefined;
    found.push(...(await scanner.naming(lacking.slice(at, at + filesAtOnce), segments)));
  }
  return found;
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
