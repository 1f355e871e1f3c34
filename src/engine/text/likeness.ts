import { foldLetters } from './fold-text.ts';

/** How many words in a row are compared at once. */
const wordsInShingle = 3;
/** Bodies with fewer shingles are too short to be nearly the same as another. */
export const shinglesMin = 20;

/**
 * A word, or one character of a script without spaces between words, so that Chinese, Japanese and
 * Thai texts are compared by three characters in a row.
 */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{L}\p{N}\p{M}]*|\p{N}[\p{N}\p{M}]*/gu;

/**
 * Hashes of all shingles of a text (three words in a row; case, accents and marks do not count),
 * each once. Two texts are as much alike as these sets are.
 */
export function shinglesOf(text: string): Uint32Array {
  const found = new Set<number>();
  const before: number[] = [];
  for (const [word] of foldLetters(text).matchAll(token)) {
    before.push(hashWord(word));
    if (before.length < wordsInShingle) continue;
    let hash = 0;
    for (const part of before) hash = mix(Math.imul(hash, 31) ^ part);
    found.add(hash >>> 0);
    before.shift();
  }
  return Uint32Array.from(found);
}

/** How many bands a sketch has, and rows in each. */
const bands = 20;
const rowsInBand = 3;
const sketchSize = bands * rowsInBand;
const seeds = Array.from(
  { length: sketchSize },
  (_, at) => [mix(2 * at + 1), mix(at) | 1] as const,
);

/**
 * A sketch of a set of shingles (MinHash): the share of equal numbers in two sketches is about the
 * share of shingles that the sets have in common.
 */
export function sketchOf(shingles: Uint32Array): Uint32Array {
  const sketch = new Uint32Array(sketchSize).fill(0xffff_ffff);
  for (const shingle of shingles) {
    for (let at = 0; at < sketchSize; at++) {
      const [xor, times] = seeds[at] ?? [0, 1];
      const hash = Math.imul(shingle ^ xor, times) >>> 0;
      if (hash < (sketch[at] ?? 0)) sketch[at] = hash;
    }
  }
  return sketch;
}

/** The keys of a sketch by which likely pairs find each other: alike texts share at least one. */
export function bandKeys(sketch: Uint32Array): readonly number[] {
  return Array.from({ length: bands }, (_, band) => {
    let key = band + 1;
    for (let row = 0; row < rowsInBand; row++) {
      key = mix(Math.imul(key, 31) ^ (sketch[band * rowsInBand + row] ?? 0));
    }
    return key;
  });
}

/** The share of shingles that two texts have in common, as their sketches estimate it. */
export function estimatedLikeness(a: Uint32Array, b: Uint32Array): number {
  let same = 0;
  for (let at = 0; at < sketchSize; at++) if (a[at] === b[at]) same++;
  return same / sketchSize;
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** Spreads a number over all 32 bits. */
function mix(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
