import type { IdSet } from '../tables/id-set.ts';
import { idsJson, intersect, meets, noIds, parseIds } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/** The weights of a word in title, aliases, headings, tags and body. */
const weights = '40, 30, 8, 4, 1';
/**
 * The scores of FTS5 are small fractions. They leave SQLite as whole numbers, whose text is shorter.
 * For a restricted view the score is divided by the rarity again (`weighedAsSeen`), which may be a
 * millionth, so more digits are needed.
 */
const scale = 1e9;
const fineScale = 1e15;

/** Files with their scores, in the order of their ids; a higher score is better. */
export interface Scored {
  readonly ids: IdSet;
  readonly scores: Float64Array;
}

/**
 * Asks FTS5 for one search, and remembers the answers until the search ends: the same words are needed
 * to find files, to correct words and to score files.
 */
export class TextMatches {
  readonly connection: IndexConnection;
  /** The files that the view admits; undefined when it admits all. */
  readonly seen: IdSet | undefined;
  /** The answers by FTS5 expression: without scores, and with them. */
  readonly #known = new Map<string, IdSet>();
  #files: number | undefined;
  readonly #weighed = new Map<string, Scored>();

  constructor(connection: IndexConnection, seen: IdSet | undefined) {
    this.connection = connection;
    this.seen = seen;
  }

  /** All files that an FTS5 expression matches, also those that the view does not admit. */
  ids(match: string): IdSet {
    const known = this.#known.get(match);
    if (known !== undefined) return known;
    const ids = this.#ask(match);
    this.#known.set(match, ids);
    return ids;
  }

  /**
   * Those of the given files that an expression matches. Asking FTS5 for these ids only would be
   * slower, since it starts again for each id.
   */
  among(match: string, files: IdSet): IdSet {
    return files.length === 0 ? noIds : intersect(this.ids(match), files);
  }

  /** How many files have full text, also those that the view does not admit. */
  filesOfAll(): number {
    this.#files ??= this.connection.count('SELECT count(*) AS n FROM fulltext_docsize');
    return this.#files;
  }

  /** How many of the admitted files an expression matches. */
  count(match: string): number {
    const ids = this.ids(match);
    return this.seen === undefined ? ids.length : intersect(ids, this.seen).length;
  }

  /** Whether an expression matches any of the admitted files. */
  finds(match: string): boolean {
    const ids = this.ids(match);
    return this.seen === undefined ? ids.length > 0 : meets(ids, this.seen);
  }

  /** All files that an expression matches, with BM25; cheaper than finding and then scoring them. */
  weighed(match: string): Scored {
    const known = this.#weighed.get(match);
    if (known !== undefined) return known;
    const weighed = this.#weigh('', match);
    this.#weighed.set(match, weighed);
    this.#known.set(match, weighed.ids);
    return weighed;
  }

  /** The same for the given files only. */
  weighedAmong(match: string, files: IdSet): Scored {
    // The "+" makes SQLite compare ids instead of looking each one up in FTS5.
    const isGiven = 'AND +rowid IN (SELECT value FROM json_each(?))';
    return this.#weigh(isGiven, match, idsJson(files));
  }

  #weigh(condition: string, ...values: string[]): Scored {
    const by = this.seen === undefined ? scale : fineScale;
    // The LIMIT keeps SQLite from merging the inner query into the outer one, where `bm25` does not
    // work.
    const row = this.connection.get<{ rows: string | null }>(
      `SELECT group_concat(id || ' ' || score, ' ') AS rows FROM (
         SELECT rowid AS id, CAST(bm25(fulltext, ${weights}) * -${by} AS INTEGER) AS score
         FROM fulltext WHERE fulltext MATCH ? ${condition} LIMIT -1)`,
      ...values,
    );
    const numbers = (row?.rows ?? '').split(' ');
    const count = Math.floor(numbers.length / 2);
    const found = { ids: new Uint32Array(count), scores: new Float64Array(count) };
    for (let at = 0; at < count; at++) {
      found.ids[at] = Number(numbers[2 * at]);
      found.scores[at] = Number(numbers[2 * at + 1]) / by;
    }
    return found;
  }

  #ask(match: string): IdSet {
    const row = this.connection.get<{ ids: string | null }>(
      `SELECT group_concat(rowid) AS ids FROM fulltext WHERE fulltext MATCH ?`,
      match,
    );
    return parseIds(row?.ids);
  }
}
