import type { IdSet } from '../tables/id-set.ts';
import type { Scored } from './kept-matches.ts';
import type { Ranking } from './ranked-words.ts';
import type { Words } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import { docsOfWords } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/** The most that BM25 gives for a word, however often a file has it. All its forms get no more. */
const strengthMax = 2.2;

/** Files to be scored, and how many files the view admits. */
interface Weighed {
  readonly ranking: Ranking;
  readonly ids: IdSet;
  readonly files: number;
}

/**
 * BM25 for files that may lack words, or as if only the files existed that the view admits. It is a sum
 * over the words of rarity times strength, which grows with how often a file has the word, and where.
 * All phrases of a group get the same rarity, and alternatives a lower weight. Only the average length of
 * files is that of all files, which FTS5 does not report; it may change the order of files with nearly
 * equal scores.
 */
export function weighEach(
  matches: TextMatches,
  vocabulary: Words,
  { ranking, ids, files }: Weighed,
): Scored {
  const scores = new Float64Array(ids.length);
  for (const { group, columns } of ranking.words) {
    const { phrases, worth } = phrasesOf(group, vocabulary, files);
    if (phrases.length === 0) continue;
    const strengths = new Float64Array(ids.length);
    for (const { match: phrase, weight } of phrases) {
      const match = `${columns}${phrase}`;
      const ofAll = rarity(matches.ids(match).length, matches.filesOfAll());
      const found = matches.strengths(match, ids, ofAll);
      addScores({ ids, scores: strengths }, found, weight);
    }
    strengths.forEach((strength, at) => {
      scores[at] = (scores[at] as number) + worth * Math.min(strength, strengthMax);
    });
  }
  return { ids, scores };
}

/**
 * The same for files that have all words and were scored by FTS5 at once, which is faster: a score is
 * multiplied by what its phrases should have given (`due`) over what they gave (`given`).
 */
export function weakenOthers(
  matches: TextMatches,
  vocabulary: Words,
  { ids, scores, ranking, files }: Scored & Weighed,
): void {
  const given = new Float64Array(ids.length);
  const due = new Float64Array(ids.length);
  for (const { group, columns } of ranking.words) {
    const { phrases, worth } = phrasesOf(group, vocabulary, files);
    // With one word only, the phrase alone finds the same files.
    const rest = ranking.words.length === 1 ? '' : ` AND ${ranking.match}`;
    phrases.forEach(({ match, weight, docs }) => {
      const found = phrases.length === 1 ? ids : matches.among(`${columns}${match}${rest}`, ids);
      eachShared(ids, found, (place) => {
        given[place] = (given[place] as number) + rarity(docs, files);
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
 * The phrases of a group that files have, and what the word is worth: a rare form must not count more
 * than the word itself, so all phrases share the rarity of the most frequent one. But a word is worth at
 * least half of its own rarity.
 */
function phrasesOf(group: WordGroup, vocabulary: Words, files: number) {
  const own = group.docs ?? docsOfWords(group.words, vocabulary);
  const phrases = [{ match: group.exact, docs: own, weight: 1 }, ...group.others].filter(
    ({ docs }) => docs > 0,
  );
  const least = Math.min(...phrases.map(({ docs }) => rarity(docs, files)));
  return { phrases, worth: Math.max(least, own > 0 ? rarity(own, files) / 2 : 0) };
}

/**
 * The rarity (IDF) of a phrase that is in `docs` of all files; the same formula as in FTS5. `docs` may
 * be more than all files: for a beginning it counts a file once for each word with that beginning.
 */
export function rarity(docs: number, files: number): number {
  return Math.max(Math.log((Math.max(files - docs, 0) + 0.5) / (docs + 0.5)), 1e-6);
}

/** Adds the scores of `own`, whose ids are among `ids`, times a weight. */
export function addScores({ ids, scores }: Scored, own: Scored, weight = 1): void {
  let next = 0;
  eachShared(ids, own.ids, (at) => {
    while ((own.ids[next] as number) < (ids[at] as number)) next++;
    scores[at] = (scores[at] as number) + weight * (own.scores[next] as number);
  });
}

/** Calls `call` with the position in `ids` of each id that is also in `others`. */
export function eachShared(ids: IdSet, others: IdSet, call: (at: number) => void): void {
  for (let i = 0, j = 0; i < ids.length && j < others.length; ) {
    const [x, y] = [ids[i] as number, others[j] as number];
    if (x === y) call(i);
    if (x <= y) i++;
    if (y <= x) j++;
  }
}
