import type { Query } from '../../engine/ports/search-query.ts';
import type { IdSet } from '../tables/id-set.ts';
import { intersect, noIds, subtract, unite } from '../tables/id-set.ts';
import type { Scored } from './kept-matches.ts';
import type { Groups } from './search-sets.ts';
import type { Words } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import { matchOfGroup, phraseOf, plainGroup } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/**
 * At most this many files get a score; it costs a microsecond for each phrase and file. If there are
 * more, which happens only for common words, files with the words in title, aliases, headings or
 * tags come first.
 */
const weighedMax = 12_000;
/** The factors for files with all words in the title, and with the words next to each other. */
const titleGain = 1.5;
const phraseGain = 1.2;

/** The words of one part of a query, by which files are ranked. */
interface RankedWords {
  readonly group: WordGroup;
  /** FTS5's filter of columns, such as `{body} : `; empty for all columns. */
  readonly columns: string;
}

/** The words of a query by which files are scored, and the FTS5 expression for them. */
export interface Ranking {
  readonly words: readonly RankedWords[];
  readonly match: string;
  /** Whether a file must have each of the words. */
  readonly needsAll: boolean;
}

/** Scored files, and which of them have all words in title and aliases. */
export interface Ranked extends Scored {
  readonly titled: IdSet;
}

/**
 * Scores files by the words of a query: BM25 over the columns, where the alternatives of a word (see
 * `WordGroup`) count at most half as much as the word itself. The rarity of words is counted in the
 * files that the view admits. With `isPartial`, files may lack words; then more words, and rarer ones,
 * come first.
 */
export function scoreFiles(
  matches: TextMatches,
  vocabulary: Words,
  search: {
    readonly query: Query;
    readonly groups: Groups;
    readonly ids: IdSet;
    readonly isPartial: boolean;
    /** How many files FTS5 finds for the words alone, where that is known. */
    readonly matched?: number | undefined;
  },
): Ranked {
  const { ids } = search;
  const scores = new Float64Array(ids.length);
  const ranking = rankingOf(search.query, { groups: search.groups, columns: '' });
  if (ranking === undefined || ids.length === 0) return { ids, scores, titled: noIds };
  const files = vocabulary.files();
  if (search.isPartial) addCoverage(matches, { ids, scores, files, words: ranking.words });
  const max = weighedMaxOf(ranking);
  // The files that get a score; the others keep 0, or what `addCoverage` gave them.
  const { weighed, upTo } =
    ids.length <= max
      ? { weighed: ids, upTo: 0 }
      : search.isPartial
        ? { weighed: best({ ids, scores }, max), upTo: 0 }
        : withFieldsFirst(matches, ranking.match, ids, max);
  // If more than half of all matches are wanted, scoring all of them is cheaper than selecting some.
  const areMost = weighed === ids && ids.length > (search.matched ?? Number.POSITIVE_INFINITY) / 2;
  const own =
    matches.seen === undefined
      ? areMost
        ? matches.weighed(ranking.match)
        : matches.weighedAmong(ranking.match, weighed, search.matched === undefined ? 0 : upTo)
      : weighedAsSeen(matches, { ranking, ids: weighed, files });
  if (ranking.words.some(({ group }) => group.others.length > 0)) {
    weakenOthers(matches, vocabulary, { ...own, ranking, files });
  }
  const titled = search.isPartial ? noIds : filesTitled(matches, ranking, ids);
  if (!search.isPartial) preferTitlesAndRows(matches, { ...own, ranking, titled });
  addScores({ ids, scores }, own);
  return { ids, scores, titled };
}

/** How many files are scored at most for a ranking; the more phrases, the fewer files. */
export function weighedMaxOf({ words }: Ranking): number {
  const phrases = words.reduce((sum, { group }) => sum + 1 + group.others.length, 0);
  return Math.ceil(weighedMax / (1 + phrases / 4));
}

/**
 * The words of a query that can score files, and their FTS5 expression; undefined if there are none.
 */
export function rankingOf(
  query: Query,
  context: { readonly groups: Groups; readonly columns: string },
): Ranking | undefined {
  switch (query.kind) {
    case 'text': {
      const group = context.groups.get(query) ?? plainGroup(query.text);
      if (group === undefined) return undefined;
      const { columns } = context;
      return { words: [{ group, columns }], match: matchOf({ group, columns }), needsAll: true };
    }
    case 'all':
    case 'any': {
      const parts = query.parts.flatMap((part) => rankingOf(part, context) ?? []);
      if (parts.length === 0) return undefined;
      const matches = parts.map(({ match }) => match);
      return {
        words: parts.flatMap(({ words }) => words),
        match: `(${matches.join(query.kind === 'all' ? ' AND ' : ' OR ')})`,
        needsAll: query.kind === 'all' && parts.every(({ needsAll }) => needsAll),
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

function matchOf({ group, columns }: RankedWords): string {
  const match = matchOfGroup(group);
  return columns ? `(${columns}${match})` : match;
}

/** Those of the files that have all words in title and aliases. */
function filesTitled(matches: TextMatches, { words, match, needsAll }: Ranking, ids: IdSet): IdSet {
  const inTitle = (part: string): IdSet => matches.among(`{title aliases} : ${part}`, ids);
  if (needsAll && words.length > 1) {
    // The rarest word is in no title of these files, mostly, and is found faster than all words.
    const docs = ({ group }: RankedWords): number => group.docs ?? Number.POSITIVE_INFINITY;
    const rarest = words.reduce((a, b) => (docs(b) < docs(a) ? b : a));
    if (inTitle(matchOf(rarest)).length === 0) return noIds;
  }
  return inTitle(match);
}

/**
 * BM25 as if only the files existed that the view admits. For each phrase, the score of FTS5 is
 * divided by the phrase's rarity in all files, and multiplied by its rarity in the admitted ones.
 * Only the average length of files is still that of all files, which FTS5 does not report; it may
 * change the order of files with nearly equal scores.
 */
function weighedAsSeen(
  matches: TextMatches,
  { ranking, ids, files }: { readonly ranking: Ranking; readonly ids: IdSet; files: number },
): Scored {
  const scores = new Float64Array(ids.length);
  for (const { group, columns } of ranking.words) {
    for (const phrase of [group.exact, ...group.others.map((other) => other.match)]) {
      const match = `${columns}${phrase}`;
      const ofAll = rarity(matches.ids(match).length, matches.filesOfAll());
      const seen = rarity(matches.count(match), files);
      const own = matches.weighedAmong(match, ids);
      // Rounded, so that equal scores stay equal after the division.
      const strengths = own.scores.map((score) => Math.round((score / ofAll) * 1e6) / 1e6);
      addScores({ ids, scores }, { ids: own.ids, scores: strengths.map((one) => one * seen) });
    }
  }
  return { ids, scores };
}

/**
 * Makes the alternatives of a word count less than the word itself. BM25 is a sum over phrases of
 * rarity times frequency, so a rare form would give a higher score than the word itself. Therefore all
 * phrases of a group get the same rarity (`worth`), and alternatives a lower weight: a score is
 * multiplied by what its phrases should have given (`due`) over what they gave (`given`).
 */
function weakenOthers(
  matches: TextMatches,
  vocabulary: Words,
  { ids, scores, ranking, files }: Scored & { readonly ranking: Ranking; readonly files: number },
): void {
  const given = new Float64Array(ids.length);
  const due = new Float64Array(ids.length);
  for (const { group, columns } of ranking.words) {
    const own = group.docs ?? Math.min(...group.words.map((word) => vocabulary.docs(word)));
    const phrases = [{ match: group.exact, docs: own, weight: 1 }, ...group.others].filter(
      ({ docs }) => docs > 0,
    );
    const rarities = phrases.map(({ docs }) => rarity(docs, files));
    const worth = Math.max(Math.min(...rarities), own > 0 ? rarity(own, files) / 2 : 0);
    // With one word only, the phrase alone finds the same files.
    const rest = ranking.words.length === 1 ? '' : ` AND ${ranking.match}`;
    phrases.forEach(({ match, weight }, at) => {
      const found = phrases.length === 1 ? ids : matches.among(`${columns}${match}${rest}`, ids);
      eachShared(ids, found, (place) => {
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

/**
 * The rarity (IDF) of a phrase that is in `docs` of all files; the same formula as in FTS5. `docs` may
 * be more than all files: for a beginning it counts a file once for each word with that beginning.
 */
function rarity(docs: number, files: number): number {
  return Math.max(Math.log((Math.max(files - docs, 0) + 0.5) / (docs + 0.5)), 1e-6);
}

/**
 * Raises the scores of files with all words in title and aliases, and of files with the words next to
 * each other: a little anywhere, more in a heading, most in the title.
 */
function preferTitlesAndRows(
  matches: TextMatches,
  { ids, scores, ranking, titled }: Ranked & { readonly ranking: Ranking },
): void {
  const raise = (found: IdSet, gain: number): void =>
    eachShared(ids, found, (at) => {
      scores[at] = (scores[at] as number) * gain;
    });
  raise(titled, titleGain);
  if (ranking.words.length < 2) return;
  const phrase = phraseOf(ranking.words.flatMap(({ group }) => group.words));
  const inRow = matches.among(phrase, ids);
  if (inRow.length === 0) return;
  raise(inRow, phraseGain);
  raise(matches.among(`{title aliases headings} : ${phrase}`, inRow), phraseGain);
  raise(matches.among(`{title aliases} : ${phrase}`, intersect(inRow, titled)), phraseGain);
}

/** Adds to each score how many words of the query the file has, weighted by their rarity. */
function addCoverage(
  matches: TextMatches,
  { ids, scores, files, words }: Scored & { files: number; words: readonly RankedWords[] },
): void {
  for (const { group, columns } of words) {
    const match = `${columns}${matchOfGroup(group)}`;
    const worth = 1_000 * Math.max(rarity(matches.count(match), files), 0.01);
    eachShared(ids, matches.ids(match), (at) => {
      scores[at] = (scores[at] as number) + worth;
    });
  }
}

/**
 * At most `max` of the files: first those with the words in title, aliases, headings or tags, then
 * those with the lowest ids. All files up to the id `upTo` are among them.
 */
function withFieldsFirst(
  matches: TextMatches,
  match: string,
  ids: IdSet,
  max: number,
): { readonly weighed: IdSet; readonly upTo: number } {
  const fields = matches.among(`{title aliases headings tags} : ${match}`, ids);
  if (fields.length >= max) return { weighed: fields.subarray(0, max), upTo: 0 };
  const others = subtract(ids, fields).subarray(0, max - fields.length);
  return { weighed: unite(fields, others), upTo: others.at(-1) ?? 0 };
}

/** The ids with the highest scores, in ascending order; of equal scores the lower ids. */
function best({ ids, scores }: Scored, max: number): IdSet {
  const least = scores.slice().sort()[scores.length - max] ?? 0;
  const above = ids.filter((_, at) => (scores[at] as number) > least);
  const equal = ids.filter((_, at) => scores[at] === least);
  return unite(above, equal.subarray(0, max - above.length));
}

/** Adds the scores of `own`, whose ids are among `ids`. */
function addScores({ ids, scores }: Scored, own: Scored): void {
  let next = 0;
  eachShared(ids, own.ids, (at) => {
    while ((own.ids[next] as number) < (ids[at] as number)) next++;
    scores[at] = (scores[at] as number) + (own.scores[next] as number);
  });
}

/** Calls `call` with the position in `ids` of each id that is also in `others`. */
function eachShared(ids: IdSet, others: IdSet, call: (at: number) => void): void {
  for (let i = 0, j = 0; i < ids.length && j < others.length; ) {
    const [x, y] = [ids[i] as number, others[j] as number];
    if (x === y) call(i);
    if (x <= y) i++;
    if (y <= x) j++;
  }
}
