import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The kinds of queries:
 *
 * - `title`: the name of a note, perhaps in another case or character width, or without its accents
 * - `paraphrase`: words of the note in another order, with other words between them
 * - `inflection`: other forms of the note's words
 * - `phrase`: several words of the note in a row, in quotes
 * - `typo`: a query with one or two wrong characters
 * - `unspaced`: words of scripts without spaces, and Korean words with their endings
 * - `prefix`: the beginning of a word
 * - `alias`, `heading`: an alias or a heading of the note
 */
export const queryKinds = [
  'title',
  'paraphrase',
  'inflection',
  'phrase',
  'typo',
  'unspaced',
  'prefix',
  'alias',
  'heading',
] as const;

export type QueryKind = (typeof queryKinds)[number];

export interface QualityQuery {
  readonly kind: QueryKind;
  readonly text: string;
  /** The paths of the one to three notes that a person would want, in composed Unicode. */
  readonly expected: readonly string[];
}

/** The vaults of other people, and `languages`, our own in the folder `vault` next to this file. */
export const qualityVaults = [
  'blue-book',
  'astrowiki',
  'knowledge-garden-zh',
  'garden',
  'kepano',
  'tasks-demo',
  'languages',
] as const;

export type QualityVault = (typeof qualityVaults)[number];

/** The folder of our own vault, `languages`. */
export const languagesFolder = fileURLToPath(new URL('vault', import.meta.url));

/**
 * The queries by which the ranking was chosen, and others by which it never may be: they say how good it
 * is on queries that nobody has seen. Whoever looks at single answers of the second set, and changes
 * the ranking after that, has to write a new set (`draw-notes.ts`).
 */
export const querySets = ['tuned', 'untuned'] as const;

export type QuerySet = (typeof querySets)[number];

/**
 * The queries for a vault; none where a set has none for it. They were written from its notes before
 * any search was run, and queries with bad answers are not removed.
 */
export function readQueries(
  vault: QualityVault,
  set: QuerySet | 'meaning' = 'tuned',
): readonly QualityQuery[] {
  const url = new URL(`${set}/${vault}.txt`, import.meta.url);
  return existsSync(url) ? parseQueries(readFileSync(url, 'utf8')) : [];
}

/** How long queries are, by their words. */
export const queryLengths = ['1 or 2 words', '3 to 5 words', '6 words and more'] as const;

/** How long a query is. Two characters of a script without spaces count as a word. */
export function lengthOf({ text }: Pick<QualityQuery, 'text'>): (typeof queryLengths)[number] {
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const spaced = text.replace(unspaced, ' ').match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0;
  const words = spaced + Math.ceil((text.match(unspaced)?.length ?? 0) / 2);
  return queryLengths[words < 3 ? 0 : words < 6 ? 1 : 2];
}

/**
 * Reads lines of the form `kind | query | expected path | …`. Throws if a line has another form.
 */
export function parseQueries(text: string): readonly QualityQuery[] {
  return text
    .normalize('NFC')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', query = '', ...expected] = line.split(' | ');
      const kind = queryKinds.find((known) => known === name);
      if (kind === undefined || query === '' || expected.length < 1 || expected.length > 3) {
        throw new Error(`This line is not a query with one to three expected notes: "${line}"`);
      }
      return { kind, text: query, expected };
    });
}
