import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What is asked for:
 *
 * - `title`: the name of a note, as it is, in another case, width or without its accents
 * - `paraphrase`: words of the note in another order, with others between
 * - `inflection`: other forms of its words
 * - `phrase`: a row of its words, quoted
 * - `typo`: one or two wrong signs
 * - `unspaced`: words of scripts that put no spaces between them, and of Korean, whose endings stick
 * - `prefix`: the beginning of a word
 * - `alias`, `heading`: one of its aliases, one of its headings
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
  /** Paths of the notes that a person would want, one to three; in composed Unicode. */
  readonly expected: readonly string[];
}

/** Three vaults of other people, and the one beside this file. */
export const qualityVaults = [
  'blue-book',
  'astrowiki',
  'knowledge-garden-zh',
  'languages',
] as const;

export type QualityVault = (typeof qualityVaults)[number];

/** The vault of our own, `languages`. */
export const languagesFolder = fileURLToPath(new URL('vault', import.meta.url));

/**
 * The queries for a vault. They were written from its notes before any search was run on them, and
 * stay as they are when an answer is bad.
 */
export function readQueries(vault: QualityVault): readonly QualityQuery[] {
  return parseQueries(readFileSync(new URL(`queries/${vault}.txt`, import.meta.url), 'utf8'));
}

/** Reads lines of `kind | query | expected path | …`; throws at one that is not like that. */
export function parseQueries(text: string): readonly QualityQuery[] {
  return text
    .normalize('NFC')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', query = '', ...expected] = line.split(' | ');
      const kind = queryKinds.find((known) => known === name);
      if (kind === undefined || query === '' || expected.length < 1 || expected.length > 3) {
        throw new Error(`This is no query with one to three expected notes: "${line}"`);
      }
      return { kind, text: query, expected };
    });
}
