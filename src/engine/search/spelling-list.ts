import { mistakesIn } from '../text/closeness.ts';

/** The words that a misspelled word may stand for, and how many mistakes it then has. */
export interface NearWords {
  /** 0 when there are no such words. */
  readonly mistakes: number;
  readonly words: readonly string[];
}

/** The words of a vault, by their length: those of one length are one text, without separators. */
type SpellingList = (length: number) => string;

/**
 * Returns the words with the fewest typing mistakes, at most one from four letters on and two from
 * eight on. Words that `isKnown` rejects do not count, however similar they are. The cost grows with
 * the number of words of a similar length.
 */
export function nearestWords(
  word: string,
  list: SpellingList,
  isKnown: (word: string) => boolean,
): NearWords {
  const mistakesMax = mistakesOf(word);
  if (mistakesMax === 0) return { mistakes: 0, words: [] };
  const row = (): Uint8Array => new Uint8Array(word.length + mistakesMax + 2);
  const asked = { text: word, mistakesMax, rows: [row(), row(), row()] as const };
  const found: string[][] = [];
  const letters = lettersOf(word, 0, word.length);
  for (let length = word.length - mistakesMax; length <= word.length + mistakesMax; length++) {
    const words = list(length);
    for (let at = 0; at < words.length; at += length) {
      // Most words are ruled out by their letters alone.
      const other = lettersOf(words, at, at + length);
      if (bits(letters & ~other) > mistakesMax || bits(other & ~letters) > mistakesMax) continue;
      const near = words.slice(at, at + length);
      const mistakes = mistakesIn(asked, near);
      if (mistakes === undefined || mistakes === 0) continue;
      found[mistakes] ??= [];
      found[mistakes]?.push(near);
    }
  }
  for (let mistakes = 1; mistakes < found.length; mistakes++) {
    const words = found[mistakes]?.filter(isKnown) ?? [];
    if (words.length > 0) return { mistakes, words };
  }
  return { mistakes: 0, words: [] };
}

/** How many mistakes a word may have: none if it is short or not made of letters. */
function mistakesOf(word: string): number {
  // From U+2E80 on come Chinese, Japanese and Korean, where one letter makes another word.
  if (!/^[\p{L}\p{M}]+$/u.test(word) || word >= '\u2e80') return 0;
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
}

/** The letters of a part of a text as 32 bits; letters that are 32 apart share a bit. */
function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at++) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters >>> 0;
}

/** Counts the bits that are set. */
function bits(value: number): number {
  let left = value - ((value >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
