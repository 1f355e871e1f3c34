/** The plain words of a note, which every program finds in the same way. */
export interface BodyWords {
  readonly path: string;
  readonly chars: number;
  /** Each once: six to twelve small letters without accents, not a part of something longer. */
  readonly words: ReadonlySet<string>;
  /** Some pairs of words that follow one another, as they are in the text. */
  readonly pieces: readonly (readonly [string, string])[];
}

/** Properties are left out: some programs do not search them. */
export function wordsOf(path: string, text: string): BodyWords {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const words = body.match(/(?<![\p{L}\p{N}_-])[a-z]{6,12}(?![\p{L}\p{N}_-])/gu) ?? [];
  const pairs = body.slice(0, 2_000).matchAll(/(?<=[ \n])([a-z]{5,12}) ([a-z]{5,12})(?=[ .\n])/g);
  const pieces = Array.from(pairs, ([, one = '', other = '']) => [one, other] as const);
  return { path, chars: text.length, words: new Set(words), pieces: pieces.slice(0, 5) };
}
