import type { QualityQuery } from './read-queries.ts';

/** How many results count. Both programs are asked for so many. */
export const resultsMax = 10;

/** How well one query was answered. */
export interface Answered {
  readonly query: QualityQuery;
  /** The rank of the first expected note, counted from 1; undefined if none was found. */
  readonly rank: number | undefined;
  /** The share of the expected notes that was found, from 0 to 1. */
  readonly recall: number;
}

export interface Scores {
  readonly queries: number;
  /** Mean reciprocal rank. */
  readonly mrr: number;
  /** Mean recall among the first ten results. */
  readonly recall: number;
}

/** Scores one answer. `paths` are the notes that were found, best first. */
export function scoreAnswer(query: QualityQuery, paths: readonly string[]): Answered {
  const shown = paths.slice(0, resultsMax).map((path) => path.normalize('NFC'));
  const ranks = query.expected.map((path) => shown.indexOf(path) + 1).filter((rank) => rank > 0);
  return {
    query,
    rank: ranks.length === 0 ? undefined : Math.min(...ranks),
    recall: ranks.length / query.expected.length,
  };
}

/** The mean scores of several answers. */
export function scoresOf(answers: readonly Answered[]): Scores {
  const mean = (of: (answer: Answered) => number): number =>
    answers.reduce((sum, answer) => sum + of(answer), 0) / answers.length;
  return {
    queries: answers.length,
    mrr: mean(({ rank }) => (rank === undefined ? 0 : 1 / rank)),
    recall: mean(({ recall }) => recall),
  };
}
