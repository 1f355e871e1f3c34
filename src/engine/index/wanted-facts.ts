import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { FileSearch } from '../ports/line-search.ts';
import type { Clock, Scanner, ScanWant, Titled } from '../ports/ports.ts';
import type { IndexWait } from './index-readiness.ts';

/** What finding files needs, and how long the caller waits. */
interface Finding extends IndexWait {
  readonly scanner: Scanner;
  readonly clock: Clock;
}

/**
 * Finds the files that a question needs and that the index has no facts, or text, of. Answers `all`
 * when it is as well to wait until the index has everything, and undefined when the time to wait is
 * over before all files were read.
 */
export type FindLacking = (
  store: IndexStore,
  finding: Finding,
) => Promise<readonly VaultPath[] | 'all' | undefined>;

/**
 * Finds the files that a question needs in a vault that was never seen, before even their names are in
 * the index; and how many notes there are. Undefined when that cannot be told, or when there are many.
 */
export type FindAhead = (
  finding: Finding & { readonly search?: FileSearch },
) => Promise<Titled | undefined>;

/** How a call waits for some files. */
export interface SomeWait extends IndexWait {
  readonly ahead?: FindAhead;
}

/** The files whose facts a question needs: these, and all that may link to one of these names. */
interface FactsAsked {
  readonly paths: readonly VaultPath[];
  /** The last names of the links (`linkSegment`). */
  readonly segments: readonly string[];
}

/** After so many files that were read, the caller is asked whether it still waits. */
const filesAtOnce = 2_000;
/**
 * With more files than this, or more than half of those that lack their text, a search waits for the
 * whole full text: reading the files of one word first would take about as long.
 */
const mentioningMax = 4_000;
/** With more files than this, a search waits until the names of all files are in the index. */
const aheadMax = 500;
/** Half of fewer files than this is too few to wait for the others. */
const halfMin = 200;

/** Those of the files that the index has no facts of, or only facts of an earlier content. */
export function lackingAbout({ paths, segments }: FactsAsked): FindLacking {
  return async (store, finding) => {
    const lacking = await store.lacking('facts');
    const isLacking = new Set(lacking);
    const known = paths.filter((path) => isLacking.has(path));
    if (segments.length === 0) return known;
    // Files whose earlier content named it, too: their new content may not.
    const named = await store.sourcesNaming(segments);
    known.push(...named.filter((path) => isLacking.has(path)));
    const naming = await readSome(lacking, finding, (some) =>
      finding.scanner.naming(some, segments),
    );
    return naming && [...known, ...naming];
  };
}

/**
 * The files without full text that may have a word with one of these beginnings, and those whose old
 * text may have had one: until they are read, a search would find them.
 */
export function lackingWords(beginnings: readonly string[]): FindLacking {
  return async (store, finding) => {
    const lacking = await store.lacking('text');
    const mentioning = await readSome(lacking, finding, (some) =>
      finding.scanner.mentioning(some, beginnings),
    );
    const found = mentioning && [...new Set([...(await store.lacking('old text')), ...mentioning])];
    const most = Math.min(mentioningMax, Math.max(lacking.length, halfMin) / 2);
    return found !== undefined && found.length > most ? 'all' : found;
  };
}

/** The files that may have a word with one of these beginnings, found by reading all files at once. */
export function wordsAhead(beginnings: readonly string[]): FindAhead {
  return async ({ scanner, search, waitMs, signal = new AbortController().signal }) => {
    if (search === undefined) return undefined;
    const [titled, written] = await Promise.all([
      scanner.titled(beginnings),
      search.mentioning({ beginnings, signal, deadlineMs: waitMs }),
    ]);
    if (titled === undefined || written === undefined) return undefined;
    const isTitled = new Set(titled.paths);
    const others = written.filter((path) => !isTitled.has(path));
    const found = [...titled.paths, ...(await scanner.mentioning(others, beginnings))];
    return found.length > aheadMax ? undefined : { paths: found, notes: titled.notes };
  };
}

/** Has files read, some at a time; undefined when the caller no longer waits. */
async function readSome(
  paths: readonly VaultPath[],
  { clock, waitMs, signal }: Finding,
  read: (some: readonly VaultPath[]) => Promise<readonly VaultPath[]>,
): Promise<readonly VaultPath[] | undefined> {
  const endMs = clock.nowMs() + waitMs;
  const found: VaultPath[] = [];
  for (let at = 0; at < paths.length; at += filesAtOnce) {
    if (signal?.aborted === true || clock.nowMs() > endMs) return undefined;
    found.push(...(await read(paths.slice(at, at + filesAtOnce))));
  }
  return found;
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
