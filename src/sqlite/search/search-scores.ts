import type { IdSet } from '../tables/id-set.ts';
import { intersect, noIds, subtract, unite } from '../tables/id-set.ts';
import type { Scored } from './kept-matches.ts';
import type { RankedWords, Ranking } from './ranked-words.ts';
import { matchOf, rankingOf } from './ranked-words.ts';
import type { Outcome } from './search-outcome.ts';
import type { Words } from './search-vocabulary.ts';
import { phraseOf, phrasesOfGroup } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';
import { addScores, eachShared, rarity, weakenOthers, weighEach } from './weigh-words.ts';

/**
 * At most this many files get a score; it costs a microsecond for each phrase and file. If there are
 * more, which happens only for common words, files with the words in title, aliases, headings or
 * tags come first.
 */
const weighedMax = 12_000;
/** Of files that may lack words, only this part of that number: most of them have little to do with it. */
const partialPart = 4;
/** The factors for files with all words in the title, and with the words next to each other. */
const titleGain = 1.5;
const phraseGain = 1.2;
/** Less than any score by BM25. */
const scoreMin = 1e-9;

/** Scored files, and which of them have all words in title and aliases. */
export interface Ranked extends Scored {
  readonly titled: IdSet;
}

/**
 * Scores files by the words of a query: BM25 over the columns, where the alternatives of a word (see
 * `WordGroup`) count at most half as much as the word itself. The rarity of words is counted in the
 * files that the view admits.
 */
export function scoreFiles(matches: TextMatches, vocabulary: Words, outcome: Outcome): Ranked {
  const { ids, partial } = outcome;
  const ranking = rankingOf(outcome.query, { groups: outcome.groups, columns: '' });
  if (ranking === undefined || ids.length === 0) {
    return { ids, scores: new Float64Array(ids.length), titled: noIds };
  }
  const scores =
    partial === undefined
      ? scoresOfWhole(matches, vocabulary, { ...outcome, ranking })
      : scoresOfPartial(matches, vocabulary, { ids, partial });
  const titled = filesTitled(matches, ranking, partial?.whole ?? ids);
  preferTitlesAndRows(matches, { ids, scores, ranking, titled, whole: partial?.whole ?? ids });
  return { ids, scores, titled };
}

/** The scores of files that have all words. */
function scoresOfWhole(
  matches: TextMatches,
  vocabulary: Words,
  { ids, matched, ranking }: Outcome & { readonly ranking: Ranking },
): Float64Array {
  const files = vocabulary.files();
  const scores = new Float64Array(ids.length);
  const max = weighedMaxOf(ranking);
  // The files that get a score; the others keep 0.
  const { weighed, upTo } =
    ids.length <= max
      ? { weighed: ids, upTo: 0 }
      : withFieldsFirst(matches, ranking.match, ids, max);
  if (matches.seen !== undefined || hasTwice(ranking)) {
    addScores({ ids, scores }, weighEach(matches, vocabulary, { ranking, ids: weighed, files }));
    return scores;
  }
  // If more than half of all matches are wanted, scoring all of them is cheaper than selecting some.
  const areMost = weighed === ids && ids.length > (matched ?? Number.POSITIVE_INFINITY) / 2;
  const own = areMost
    ? matches.weighed(ranking.match)
    : matches.weighedAmong(ranking.match, weighed, matched === undefined ? 0 : upTo);
  if (ranking.words.some(({ group }) => group.others.length > 0)) {
    weakenOthers(matches, vocabulary, { ...own, ranking, files });
  }
  addScores({ ids, scores }, own);
  return scores;
}

/** Whether a phrase stands for two words, which are written as one in it: FTS5 would count it twice. */
function hasTwice({ words }: Ranking): boolean {
  const others = words.flatMap(({ group }) => group.others.map(({ match }) => match));
  return new Set(others).size < others.length;
}

/**
 * The scores of files that may lack words: each is multiplied by the share of the words that the file
 * has. Only the files with the largest shares get a score by BM25; the others come last, and are sorted
 * by their shares, too.
 */
function scoresOfPartial(
  matches: TextMatches,
  vocabulary: Words,
  { ids, partial }: Required<Pick<Outcome, 'ids' | 'partial'>>,
): Float64Array {
  const scores = new Float64Array(ids.length).fill(scoreMin);
  const ranking = rankingOf(partial.query, { groups: partial.groups, columns: '' });
  if (ranking === undefined) return scores;
  const files = vocabulary.files();
  const shares = sharesOf(matches, { ids, files, words: ranking.words });
  const max = Math.ceil(weighedMaxOf(ranking) / partialPart);
  const weighed = ids.length <= max ? ids : best({ ids, scores: shares }, max);
  addScores({ ids, scores }, weighEach(matches, vocabulary, { ranking, ids: weighed, files }));
  return scores.map((score, at) => score * (shares[at] as number));
}

/** The share of the words that each file has, each counted by its rarity; from 0 to 1. */
function sharesOf(
  matches: TextMatches,
  { ids, files, words }: { ids: IdSet; files: number; words: readonly RankedWords[] },
): Float64Array {
  const shares = new Float64Array(ids.length);
  let sum = 0;
  for (const { group, columns } of words) {
    const phrases = phrasesOfGroup(group).map((phrase) => `${columns}${phrase}`);
    const having = phrases.map((phrase) => matches.ids(phrase)).reduce(unite);
    const seen = matches.seen === undefined ? having : intersect(having, matches.seen);
    const worth = Math.max(rarity(seen.length, files), 0.01);
    sum += worth;
    eachShared(ids, seen, (at) => {
      shares[at] = (shares[at] as number) + worth;
    });
  }
  return shares.map((share) => share / sum);
}

/** How many files are scored at most for a ranking; the more phrases, the fewer files. */
export function weighedMaxOf({ words }: Ranking): number {
  const phrases = words.reduce((sum, { group }) => sum + 1 + group.others.length, 0);
  return Math.ceil(weighedMax / (1 + phrases / 4));
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
 * Raises the scores of files with all words in title and aliases, and of files with the words next to
 * each other: a little anywhere, more in a heading, most in the title.
 */
function preferTitlesAndRows(
  matches: TextMatches,
  {
    ids,
    scores,
    ranking,
    titled,
    whole,
  }: Ranked & {
    readonly ranking: Ranking;
    /** The files that have all words. */
    readonly whole: IdSet;
  },
): void {
  const raise = (found: IdSet, gain: number): void =>
    eachShared(ids, found, (at) => {
      scores[at] = (scores[at] as number) * gain;
    });
  raise(titled, titleGain);
  if (ranking.words.length < 2) return;
  const phrase = phraseOf(ranking.words.flatMap(({ group }) => group.words));
  const inRow = matches.among(phrase, whole);
  if (inRow.length === 0) return;
  raise(inRow, phraseGain);
  raise(matches.among(`{title aliases headings} : ${phrase}`, inRow), phraseGain);
  raise(matches.among(`{title aliases} : ${phrase}`, intersect(inRow, titled)), phraseGain);
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
