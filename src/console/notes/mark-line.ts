import { markWords } from '../note/mark-words.ts';

type Pieces = ReturnType<typeof markWords>;

/** How much stands before the first mark, so that it is in sight where only three short lines are shown. */
const beforeMax = 40;
/** A word is found in other forms too: so many letters at its end may differ, and so many must be there. */
const endLetters = 3;
const beginLetters = 4;

/**
 * A found line in pieces, in which the folded words of the query are marked: the words themselves, or
 * else words that begin like them. What stands long before the first mark is left out.
 */
export function markLine(text: string, words: readonly string[]): Pieces {
  let pieces = markWords(text, words);
  for (let cut = 1; cut <= endLetters && !pieces.some(({ isMarked }) => isMarked); cut++) {
    const begins = words.flatMap((word) =>
      word.length - cut >= beginLetters ? word.slice(0, -cut) : [],
    );
    pieces = markWords(text, begins);
  }
  const [first, ...rest] = pieces;
  if (first === undefined || first.isMarked || rest.length === 0) return pieces;
  if (first.text.length <= beforeMax) return pieces;
  const from = first.text.length - beforeMax;
  const blank = first.text.indexOf(' ', from);
  const kept = first.text.slice(blank === -1 ? from : blank + 1).replace(/^[\udc00-\udfff]/, '');
  return [{ text: `…${kept}`, isMarked: false }, ...rest];
}
