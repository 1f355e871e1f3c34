import { mistakesIn } from '../text/closeness.ts';

/**
 * The words of a vault in compact form, for finding the words that a misspelled one may stand for.
 */
export class SpellingList {
  readonly #words: string;
  /**
   * Where each word ends in `#words`, which has all words one after the other, the shortest first.
   */
  readonly #ends: Uint32Array;
  /** The letters of each word as bits: most words are ruled out by these alone. */
  readonly #letters: Uint32Array;
  /** The index of the first word of each length or longer. */
  readonly #firsts: readonly number[];

  /** `words` has a line for each word. */
  constructor(words: string) {
    const all = words === '' ? [] : words.split('\n').sort((a, b) => a.length - b.length);
    this.#words = all.join('');
    this.#ends = new Uint32Array(all.length);
    this.#letters = new Uint32Array(all.length);
    const firsts: number[] = [];
    let end = 0;
    all.forEach((word, at) => {
      while (firsts.length <= word.length) firsts.push(at);
      end += word.length;
      this.#ends[at] = end;
      this.#letters[at] = lettersOf(word);
    });
    this.#firsts = firsts;
  }

  get size(): number {
    return this.#ends.length;
  }

  /**
   * Returns the words with the fewest typing mistakes, at most one from four letters on and two
   * from eight on. Words that `isKnown` rejects do not count, however similar they are. `mistakes`
   * is 0 when there are none. The cost grows with the number of words of a similar length.
   */
  nearest(
    word: string,
    isKnown: (word: string) => boolean = () => true,
  ): { readonly mistakes: number; readonly words: readonly string[] } {
    const mistakesMax = mistakesOf(word);
    if (mistakesMax === 0) return { mistakes: 0, words: [] };
    const row = (): Uint8Array => new Uint8Array(word.length + mistakesMax + 2);
    const asked = { text: word, mistakesMax, rows: [row(), row(), row()] as const };
    const found: string[][] = [];
    const letters = lettersOf(word);
    const last = this.#first(word.length + mistakesMax + 1);
    for (let at = this.#first(word.length - mistakesMax); at < last; at++) {
      const other = this.#letters[at] as number;
      if (bits(letters & ~other) > mistakesMax || bits(other & ~letters) > mistakesMax) continue;
      const near = this.#words.slice(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
      const mistakes = mistakesIn(asked, near);
      if (mistakes === undefined || mistakes === 0) continue;
      found[mistakes] ??= [];
      found[mistakes]?.push(near);
    }
    for (let mistakes = 1; mistakes < found.length; mistakes++) {
      const words = found[mistakes]?.filter(isKnown) ?? [];
      if (words.length > 0) return { mistakes, words };
    }
    return { mistakes: 0, words: [] };
  }

  #first(length: number): number {
    return this.#firsts[Math.max(0, length)] ?? this.#ends.length;
  }
}

/** How many mistakes a word may have: none if it is short or not made of letters. */
function mistakesOf(word: string): number {
  // From U+2E80 on come Chinese, Japanese and Korean, where one letter makes another word.
  if (!/^[\p{L}\p{M}]+$/u.test(word) || word >= '\u2e80') return 0;
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
}

/** The letters of a word as 32 bits; letters that are 32 apart share a bit. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters >>> 0;
}

/** Counts the bits that are set. */
function bits(value: number): number {
  let left = value - ((value >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
