import type { IndexConnection } from '../tables/index-connection.ts';
import type { IdSet } from './id-set.ts';
import { idsJson, intersect, meets, noIds, parseIds } from './id-set.ts';

/** How much a word counts in title, aliases, headings, tags and body. */
const weights = '40, 30, 8, 4, 1';
/**
 * FTS5 answers small fractions; whole numbers are shorter to hand on. Where rarity is taken out again,
 * which may be a millionth, they have to be finer.
 */
const scale = 1e9;
const fineScale = 1e15;

/** Files with their scores, the better the higher; in the order of their ids. */
export interface Scored {
  readonly ids: IdSet;
  readonly scores: Float64Array;
}

/**
 * What FTS5 finds, for one search: what was found for a match is kept until it ends, since the same
 * words are asked for to find files, to correct words and to weigh what was found.
 */
export class TextMatches {
  readonly connection: IndexConnection;
  /** The files that the search may find; undefined when it may find all. */
  readonly seen: IdSet | undefined;
  readonly #known = new Map<string, IdSet>();
  #files: number | undefined;
  readonly #weighed = new Map<string, Scored>();

  constructor(connection: IndexConnection, seen: IdSet | undefined) {
    this.connection = connection;
    this.seen = seen;
  }

  /** All files that a match finds, seen or not. */
  ids(match: string): IdSet {
    const known = this.#known.get(match);
    if (known !== undefined) return known;
    const ids = this.#ask(match);
    this.#known.set(match, ids);
    return ids;
  }

  /**
   * Those of some files that a match finds. Asking for a few of them by their ids would take longer:
   * FTS5 begins anew with each.
   */
  among(match: string, files: IdSet): IdSet {
    return files.length === 0 ? noIds : intersect(this.ids(match), files);
  }

  /** How many files have text, seen or not. */
  filesOfAll(): number {
    this.#files ??= this.connection.count('SELECT count(*) AS n FROM fulltext_docsize');
    return this.#files;
  }

  /** How many files that are seen a match finds. */
  count(match: string): number {
    const ids = this.ids(match);
    return this.seen === undefined ? ids.length : intersect(ids, this.seen).length;
  }

  /** Whether a match finds a file that is seen. */
  finds(match: string): boolean {
    const ids = this.ids(match);
    return this.seen === undefined ? ids.length > 0 : meets(ids, this.seen);
  }

  /** All files that a match finds, with BM25: for less than finding them first and weighing them then. */
  weighed(match: string): Scored {
    const known = this.#weighed.get(match);
    if (known !== undefined) return known;
    const weighed = this.#weigh('', match);
    this.#weighed.set(match, weighed);
    this.#known.set(match, weighed.ids);
    return weighed;
  }

  /** The same for some files. */
  weighedAmong(match: string, files: IdSet): Scored {
    // With a "+" the ids are only compared and not looked up.
    const isOne = 'AND +rowid IN (SELECT value FROM json_each(?))';
    return this.#weigh(isOne, match, idsJson(files));
  }

  #weigh(condition: string, ...values: string[]): Scored {
    const by = this.seen === undefined ? scale : fineScale;
    // Without the limit SQLite would take the inner query into the outer one, where there is no
    // ranking.
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
