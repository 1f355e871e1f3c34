import type { Query } from '../engine/search-query.ts';
import type { Connection } from './connection.ts';
import type { IdSet } from './id-set.ts';
import { idsJson, intersect, noIds, subtract, unite } from './id-set.ts';
import type { Groups } from './search-sets.ts';
import { idsMatching } from './search-sets.ts';
import type { Vocabulary } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import { matchOfGroup, phraseOf, plainGroup } from './search-words.ts';

/** How much a word counts in title, aliases, headings, tags and body. */
const weights = '40, 30, 8, 4, 1';
/** FTS5 answers small fractions; whole numbers are shorter to hand on. */
const scale = 1_000_000_000;
/**
 * Files that are weighed one by one; it costs a microsecond for each phrase and file. Of more, which
 * only words have that tell little, those with them in title, aliases, headings or tags go first.
 */
const weighedMax = 12_000;
/** How much a file gains that has the words in its title, and each time that has them in a row. */
const titleGain = 1.5;
const phraseGain = 1.2;

/** A part of a query by which files are ranked. */
export interface RankedWords {
  readonly group: WordGroup;
  /** FTS5's filter of columns. */
  readonly columns: string;
}

/** A query as it ranks: its positive words, and FTS5's expression of them. */
export interface Ranking {
  readonly words: readonly RankedWords[];
  readonly match: string;
}

/** Files with their scores, the better the higher; in the order of their ids. */
export interface Scored {
  readonly ids: IdSet;
  readonly scores: Float64Array;
}

/** Scores, and which of the files have all words in title and aliases. */
export interface Ranked extends Scored {
  readonly titled: IdSet;
}

/**
 * Weighs files by the words of a query: BM25 over the fields, a word's forms and beginnings for half
 * of what the word itself is worth. `isPartial` says that files may lack words: having more of them,
 * and rarer ones, then goes before all else.
 */
export function scoreFiles(
  connection: Connection,
  vocabulary: Vocabulary,
  search: {
    readonly query: Query;
    readonly groups: Groups;
    readonly ids: IdSet;
    readonly isPartial: boolean;
    /** How many files the words alone find, where that is known. */
    readonly matched?: number | undefined;
  },
): Ranked {
  const { ids } = search;
  const scores = new Float64Array(ids.length);
  const ranking = rankingOf(search.query, { groups: search.groups, columns: '' });
  if (ranking === undefined || ids.length === 0) return { ids, scores, titled: noIds };
  const files = vocabulary.files();
  if (search.isPartial) addCoverage(connection, { ids, scores, files, words: ranking.words });
  const phrases = ranking.words.reduce((sum, { group }) => sum + 1 + group.others.length, 0);
  const max = Math.ceil(weighedMax / (1 + phrases / 4));
  const weighed =
    ids.length <= max
      ? ids
      : search.isPartial
        ? best({ ids, scores }, max)
        : withFieldsFirst(connection, ranking.match, ids, max);
  // Where most of what matches is asked for, all of it costs less than choosing.
  const areMost = weighed === ids && ids.length > (search.matched ?? Number.POSITIVE_INFINITY) / 2;
  const own = weigh(connection, ranking.match, areMost ? undefined : weighed);
  if (ranking.words.some(({ group }) => group.others.length > 0)) {
    weakenOthers(connection, vocabulary, { ...own, ranking, files });
  }
  const titled = search.isPartial
    ? noIds
    : intersect(ids, idsMatching(connection, `{title aliases} : ${ranking.match}`));
  if (!search.isPartial) preferTitlesAndRows(connection, { ...own, ranking, titled });
  addScores({ ids, scores }, own);
  return { ids, scores, titled };
}

/** The words of a query that a file may be ranked by, and their expression; undefined without any. */
export function rankingOf(
  query: Query,
  context: { readonly groups: Groups; readonly columns: string },
): Ranking | undefined {
  switch (query.kind) {
    case 'text': {
      const group = context.groups.get(query) ?? plainGroup(query.text);
      if (group === undefined) return undefined;
      const { columns } = context;
      const match = matchOfGroup(group);
      return { words: [{ group, columns }], match: columns ? `(${columns}${match})` : match };
    }
    case 'all':
    case 'any': {
      const parts = query.parts.flatMap((part) => rankingOf(part, context) ?? []);
      if (parts.length === 0) return undefined;
      const matches = parts.map(({ match }) => match);
      return {
        words: parts.flatMap(({ words }) => words),
        match: `(${matches.join(query.kind === 'all' ? ' AND ' : ' OR ')})`,
      };
    }
    case 'case':
      return rankingOf(query.part, context);
    case 'in':
      if (query.place === 'file' || query.place === 'path') return undefined;
      return rankingOf(query.part, { ...context, columns: '{body} : ' });
    default:
      return undefined;
  }
}

/** BM25 of the files that match, or of some of them. */
function weigh(connection: Connection, match: string, only: IdSet | undefined): Scored {
  // Without the limit SQLite would take the inner query into the outer one, where there is no
  // ranking; with a "+" the ids are only compared and not looked up.
  const condition = only === undefined ? '' : 'AND +rowid IN (SELECT value FROM json_each(?))';
  const row = connection.get<{ rows: string | null }>(
    `SELECT group_concat(id || ' ' || score, ' ') AS rows FROM (
       SELECT rowid AS id, CAST(bm25(fulltext, ${weights}) * -${scale} AS INTEGER) AS score
       FROM fulltext WHERE fulltext MATCH ? ${condition} LIMIT -1)`,
    match,
    ...(only === undefined ? [] : [idsJson(only)]),
  );
  const numbers = (row?.rows ?? '').split(' ');
  const count = Math.floor(numbers.length / 2);
  const found = { ids: new Uint32Array(count), scores: new Float64Array(count) };
  for (let at = 0; at < count; at++) {
    found.ids[at] = Number(numbers[2 * at]);
    found.scores[at] = Number(numbers[2 * at + 1]) / scale;
  }
  return found;
}

/**
 * Makes forms and beginnings count less than the words themselves. BM25 has added up, for each
 * phrase, how rare it is times how strongly the file has it; a rare form would make a file better
 * than the word itself. So how rare they are is taken from the whole group, and lessened for others.
 */
function weakenOthers(
  connection: Connection,
  vocabulary: Vocabulary,
  { ids, scores, ranking, files }: Scored & { readonly ranking: Ranking; readonly files: number },
): void {
  const given = new Float64Array(ids.length);
  const due = new Float64Array(ids.length);
  for (const { group, columns } of ranking.words) {
    const own = Math.min(...group.words.map((word) => vocabulary.docs(word)));
    const phrases = [{ match: group.exact, docs: own, weight: 1 }, ...group.others].filter(
      ({ docs }) => docs > 0,
    );
    const rarities = phrases.map(({ docs }) => rarity(docs, files));
    const worth = Math.max(Math.min(...rarities), own > 0 ? rarity(own, files) / 2 : 0);
    // Alone, a phrase need not be looked for together with what it is a part of.
    const rest = ranking.words.length === 1 ? '' : ` AND ${ranking.match}`;
    phrases.forEach(({ match, weight }, at) => {
      const holders =
        phrases.length === 1 ? ids : idsMatching(connection, `${columns}${match}${rest}`);
      eachShared(ids, holders, (place) => {
        given[place] = (given[place] as number) + (rarities[at] as number);
        due[place] = (due[place] as number) + weight * worth;
      });
    });
  }
  for (let at = 0; at < ids.length; at++) {
    if (given[at] !== 0)
      scores[at] = ((scores[at] as number) * (due[at] as number)) / (given[at] as number);
  }
}

/** How much a phrase tells that so many of the files have: as FTS5 reckons it. */
function rarity(docs: number, files: number): number {
  return Math.max(Math.log((files - docs + 0.5) / (docs + 0.5)), 1e-6);
}

/**
 * Files with all words in title and aliases, however long their text, are better than others, and so
 * are those that have them in a row: anywhere, the more so in a heading, most in the title.
 */
function preferTitlesAndRows(
  connection: Connection,
  { ids, scores, ranking, titled }: Ranked & { readonly ranking: Ranking },
): void {
  const raise = (found: IdSet, gain: number): void =>
    eachShared(ids, found, (at) => {
      scores[at] = (scores[at] as number) * gain;
    });
  raise(titled, titleGain);
  if (ranking.words.length < 2) return;
  const phrase = phraseOf(ranking.words.flatMap(({ group }) => group.words));
  const inRow = idsMatching(connection, phrase);
  if (inRow.length === 0) return;
  raise(inRow, phraseGain);
  raise(idsMatching(connection, `{title aliases headings} : ${phrase}`), phraseGain);
  if (titled.length > 0) raise(idsMatching(connection, `{title aliases} : ${phrase}`), phraseGain);
}

/** Adds to each file how much of the query it has, by the rarity of its words. */
function addCoverage(
  connection: Connection,
  { ids, scores, files, words }: Scored & { files: number; words: readonly RankedWords[] },
): void {
  for (const { group, columns } of words) {
    const holders = idsMatching(connection, `${columns}${matchOfGroup(group)}`);
    const worth = 1_000 * Math.max(rarity(holders.length, files), 0.01);
    eachShared(ids, holders, (at) => {
      scores[at] = (scores[at] as number) + worth;
    });
  }
}

function withFieldsFirst(connection: Connection, match: string, ids: IdSet, max: number): IdSet {
  const fields = intersect(
    ids,
    idsMatching(connection, `{title aliases headings tags} : ${match}`),
  );
  if (fields.length >= max) return fields.subarray(0, max);
  return unite(fields, subtract(ids, fields).subarray(0, max - fields.length));
}

/** The ids of the highest scores, ascending; of equal ones the first. */
function best({ ids, scores }: Scored, max: number): IdSet {
  const least = scores.slice().sort()[scores.length - max] ?? 0;
  const above = ids.filter((_, at) => (scores[at] as number) > least);
  const equal = ids.filter((_, at) => scores[at] === least);
  return unite(above, equal.subarray(0, max - above.length));
}

function addScores({ ids, scores }: Scored, own: Scored): void {
  let next = 0;
  eachShared(ids, own.ids, (at) => {
    while ((own.ids[next] as number) < (ids[at] as number)) next++;
    scores[at] = (scores[at] as number) + (own.scores[next] as number);
  });
}

/** Calls with the place in `ids` of each id that is in `others` too. */
function eachShared(ids: IdSet, others: IdSet, call: (at: number) => void): void {
  for (let i = 0, j = 0; i < ids.length && j < others.length; ) {
    const [x, y] = [ids[i] as number, others[j] as number];
    if (x === y) call(i);
    if (x <= y) i++;
    if (y <= x) j++;
  }
}
