import type { IdSet } from '../tables/id-set.ts';
import { idsJson, intersect, meets, noIds, parseIds, unite } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { KeptMatches, Scored } from './kept-matches.ts';

/** The weights of a word in title, aliases, headings, tags and body. */
const weights = '40, 30, 8, 4, 1';
/**
 * Scores and strengths leave SQLite as whole numbers, whose text is shorter than that of fractions. The
 * scores of FTS5 are small.
 */
const scoreScale = 1e9;
const strengthScale = 1e6;

/** Is true up to an id, and for given ids. The "+" makes SQLite compare ids instead of looking each one up. */
const isGiven = 'AND (+rowid <= ? OR +rowid IN (SELECT value FROM json_each(?)))';

/**
 * Asks FTS5 for one search, each question once: the same words are needed to find files, to correct
 * words and to score files.
 */
export class TextMatches {
  readonly connection: IndexConnection;
  /** The files that the view admits; undefined when it admits all. */
  readonly seen: IdSet | undefined;
  readonly #kept: KeptMatches;
  #files: number | undefined;

  constructor(connection: IndexConnection, seen: IdSet | undefined, kept: KeptMatches) {
    this.connection = connection;
    this.seen = seen;
    this.#kept = kept;
  }

  /** All files that an FTS5 expression matches, also those that the view does not admit. */
  ids(match: string): IdSet {
    return this.#kept.ids(match, () => this.#ask(match));
  }

  /** The same for an expression that finds what any of these phrases finds, which are asked for later. */
  idsOfAny(match: string, phrases: readonly string[]): IdSet {
    if (this.#kept.has(match)) return this.ids(match);
    return phrases.map((phrase) => this.ids(phrase)).reduce(unite);
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
    const weighed = this.#kept.scored(match, () => this.#weigh('', match));
    this.#kept.ids(match, () => weighed.ids);
    return { ids: weighed.ids, scores: weighed.scores.slice() };
  }

  /**
   * The same for the given files only. If these are all files that match up to an id, and others after
   * it, `upTo` is that id: then fewer ids have to be compared.
   */
  weighedAmong(match: string, files: IdSet, upTo = 0): Scored {
    const others = files.subarray(files.findLastIndex((id) => id <= upTo) + 1);
    // FTS5 ends its search after this id.
    if (others.length === 0) return this.#weigh('AND rowid <= ?', match, upTo);
    return this.#weigh(isGiven, match, upTo, idsJson(others));
  }

  /**
   * Those of the given files that have a phrase, with BM25 divided by the rarity of the phrase: a number
   * from 0 to 2.2.
   */
  strengths(match: string, files: IdSet, rarity: number): Scored {
    return this.#select(strengthScale, rarity, isGiven, match, 0, idsJson(files));
  }

  #weigh(condition: string, ...values: (string | number)[]): Scored {
    return this.#select(scoreScale, 1, condition, ...values);
  }

  #select(
    scale: number,
    rarity: number,
    condition: string,
    ...values: (string | number)[]
  ): Scored {
    // The LIMIT keeps SQLite from merging the inner query into the outer one, where `bm25` does not
    // work.
    const row = this.connection.get<{ rows: string | null }>(
      `SELECT group_concat(id || ' ' || score, ' ') AS rows FROM (
         SELECT rowid AS id, CAST(bm25(fulltext, ${weights}) * ? AS INTEGER) AS score
         FROM fulltext WHERE fulltext MATCH ? ${condition} LIMIT -1)`,
      -scale / rarity,
      ...values,
    );
    return parseScored(row?.rows ?? '', scale);
  }

  #ask(match: string): IdSet {
    const row = this.connection.get<{ ids: string | null }>(
      `SELECT group_concat(rowid) AS ids FROM fulltext WHERE fulltext MATCH ?`,
      match,
    );
    return parseIds(row?.ids);
  }
}

/** Parses ids and scores, all separated by spaces. */
function parseScored(text: string, by: number): Scored {
  let spaces = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) spaces++;
  const count = (spaces + 1) >> 1;
  const ids = new Uint32Array(count);
  const scores = new Float64Array(count);
  let at = 0;
  for (let next = 0; next < count; next++) {
    let id = 0;
    for (let code = text.charCodeAt(at); code !== space; code = text.charCodeAt(++at)) {
      id = id * 10 + code - zero;
    }
    const end = text.indexOf(' ', at + 1);
    ids[next] = id;
    scores[next] = Number(text.slice(at + 1, end === -1 ? text.length : end)) / by;
    at = end + 1;
  }
  return { ids, scores };
}

const space = 32;
const zero = 48;
