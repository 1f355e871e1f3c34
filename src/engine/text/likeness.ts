import { foldLetters } from './fold-text.ts';

/** Bodies with fewer shingles are too short to be nearly the same as another. */
export const shinglesMin = 20;

/**
 * Hashes of all shingles of a text: of every three words in a row, where case, accents and marks do
 * not count. In scripts without spaces between words (Chinese, Japanese, Thai …) each character
 * counts as a word. Two texts are as much alike as the sets of their shingles are; a shingle that
 * the text repeats is repeated here.
 */
export function shinglesOf(text: string): Uint32Array {
  const folded = foldLetters(text);
  const hashes = new Uint32Array(folded.length);
  let count = 0;
  let [first, second, word] = [0, 0, 0];
  let words = 0;
  const end = (): void => {
    if (++words >= 3) {
      hashes[count++] = mix(Math.imul(mix(Math.imul(mix(first), 31) ^ second), 31) ^ word);
    }
    [first, second, word] = [second, word, 0];
  };
  // A loop over characters, because finding words by a regular expression takes most of the time.
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    const kind = kindOf(code);
    if (word !== 0 && kind !== inWord) end();
    if (kind === apart) continue;
    word = Math.imul((word || 0x811c9dc5) ^ code, 0x01000193) || 1;
    if (kind === alone) end();
  }
  if (word !== 0) end();
  return hashes.slice(0, count);
}

const [unknown, apart, inWord, alone] = [0, 1, 2, 3];
/** What each character is, as far as it was asked for. */
const kinds = new Uint8Array(0x10000);

/** Whether a character is part of a word, a word of its own, or stands between words. */
function kindOf(code: number): number {
  const known = kinds[code] ?? apart;
  if (known !== unknown) return known;
  const character = String.fromCharCode(code);
  // Half of a pair of code units: an emoji, or a rare Chinese character.
  const isAlone = withoutSpaces.test(character) || /[\ud800-\udfff]/.test(character);
  const kind = isAlone ? alone : /[\p{L}\p{N}\p{M}]/u.test(character) ? inWord : apart;
  kinds[code] = kind;
  return kind;
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** How many bands a sketch has, and rows in each. */
const bands = 16;
const rowsInBand = 3;
const sketchSize = bands * rowsInBand;
const xors = Int32Array.from({ length: sketchSize }, (_, at) => mix(2 * at + 1));
const factors = Int32Array.from({ length: sketchSize }, (_, at) => mix(at + 1_000) | 1);

/**
 * A sketch of a set of shingles (MinHash): the share of equal numbers in two sketches is about the
 * share of shingles that the sets have in common.
 */
export function sketchOf(shingles: Uint32Array): Uint32Array {
  const sketch = new Uint32Array(sketchSize);
  for (let row = 0; row < sketchSize; row++) {
    const xor = xors[row] as number;
    const factor = factors[row] as number;
    let least = 0xffff_ffff;
    for (let at = 0; at < shingles.length; at++) {
      const hash = Math.imul((shingles[at] as number) ^ xor, factor) >>> 0;
      if (hash < least) least = hash;
    }
    sketch[row] = least;
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

/** Spreads a number over all 32 bits. */
function mix(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
