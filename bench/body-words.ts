/** The plain words of a note: words that every program finds in the same way. */
export interface BodyWords {
  readonly path: string;
  readonly chars: number;
  /** Whole words of six to twelve lower-case letters without accents. */
  readonly words: ReadonlySet<string>;
  /** Some pairs of words that stand next to each other in the text. */
  readonly pieces: readonly (readonly [string, string])[];
}

/**
 * Collects the plain words of a note, but not of its properties, which some programs do not search.
 */
export function wordsOf(path: string, text: string): BodyWords {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const words = body.match(/(?<![\p{L}\p{N}_-])[a-z]{6,12}(?![\p{L}\p{N}_-])/gu) ?? [];
  const pairs = body.slice(0, 2_000).matchAll(/(?<=[ \n])([a-z]{5,12}) ([a-z]{5,12})(?=[ .\n])/g);
  const pieces = Array.from(pairs, ([, one = '', other = '']) => [one, other] as const);
  return { path, chars: text.length, words: new Set(words), pieces: pieces.slice(0, 5) };
}
