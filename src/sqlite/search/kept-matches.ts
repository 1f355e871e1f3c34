import type { IdSet } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/** Files with their scores, in the order of their ids; a higher score is better. */
export interface Scored {
  readonly ids: IdSet;
  readonly scores: Float64Array;
}

/** With more numbers than this (2 MB), the answers of a search are not kept for the next one. */
const numbersMax = 500_000;

/** What an entry takes besides its numbers, counted as numbers of four bytes: its text and its place. */
const sizeOf = (text: string): number => 32 + text.length / 2;

/**
 * What FTS5 has answered since the index was last written to. The next page of a search, or a search
 * that shares words with an earlier one, does not ask for the same again.
 */
export class KeptMatches {
  readonly #ids = new Map<string, IdSet>();
  readonly #scored = new Map<string, Scored>();
  readonly #docs = new Map<string, number>();
  #numbers = 0;
  #writes = -1;

  /** Runs a search, in its transaction. If there were writes, everything is forgotten first. */
  during<T>(connection: IndexConnection, search: () => T): T {
    connection.count('SELECT EXISTS (SELECT 1 FROM meta) AS n'); // From here on nothing changes.
    const writes = connection.written();
    if (writes !== this.#writes) this.#clear();
    this.#writes = writes;
    try {
      return search();
    } finally {
      if (this.#numbers > numbersMax) this.#clear();
    }
  }

  /** The files that an expression matches. */
  ids(match: string, ask: () => IdSet): IdSet {
    const known = this.#ids.get(match);
    if (known !== undefined) return known;
    const ids = ask();
    this.#numbers += ids.length + sizeOf(match);
    this.#ids.set(match, ids);
    return ids;
  }

  /** Whether the files that an expression matches are known. */
  has(match: string): boolean {
    return this.#ids.has(match);
  }

  /** Scored files. The caller must not change the scores. */
  scored(key: string, ask: () => Scored): Scored {
    const known = this.#scored.get(key);
    if (known !== undefined) return known;
    const scored = ask();
    this.#numbers += 3 * scored.ids.length + sizeOf(key);
    this.#scored.set(key, scored);
    return scored;
  }

  /** How many files have a word. */
  docs(word: string, ask: () => number): number {
    const known = this.#docs.get(word);
    if (known !== undefined) return known;
    const docs = ask();
    this.#numbers += sizeOf(word);
    this.#docs.set(word, docs);
    return docs;
  }

  #clear(): void {
    this.#ids.clear();
    this.#scored.clear();
    this.#docs.clear();
    this.#numbers = 0;
  }
}
