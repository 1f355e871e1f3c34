import type { WordAlternatives } from '../ports/index-store.ts';
import type { RegexQuery, TextQuery, ValueQuery } from '../ports/search-query.ts';
import { foldLetters, foldPhrase, foldText, isLoneCjk } from '../text/fold-text.ts';

/** What stands between words. */
const signs = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
const wordSign = /[\p{L}\p{N}\p{M}\p{Co}]/u;
/** Scripts without spaces between words, in which a word can begin and end anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The words of a text as the index has them, with a space before and after each. */
export function foldedWords(text: string): string {
  return spacedWords(foldText(text));
}

/** The words of a text that is already folded, with a space before and after each. */
export function spacedWords(folded: string): string {
  return ` ${folded.replace(signs, ' ')} `;
}

/** Words that must stand in a row, each with the alternatives that count as the same word. */
export interface WordRow {
  readonly words: readonly (readonly string[])[];
  /** Whether the last word may be the beginning of a longer one. */
  readonly prefix: boolean;
}

/**
 * Returns the words of a part of a query as the index has them, with the alternatives that the
 * index used. A quoted text has no alternatives. A row without words matches everything.
 */
export function wordRow(query: TextQuery, alternatives: readonly WordAlternatives[]): WordRow {
  const words = foldPhrase(query.text);
  const last = words.at(-1) ?? '';
  return {
    words: words.map((word) => {
      const others = query.quoted ? [] : alternatives.filter((each) => each.word === word);
      return Array.from(new Set([word, ...others.flatMap((each) => each.words)]));
    }),
    prefix: query.mayGoOn === true || isLoneCjk(last),
  };
}

/** Returns a test for words in a row, on texts made by `foldedWords`. */
export function rowTest({ words, prefix }: WordRow): (folded: string) => boolean {
  if (words.length === 0) return () => true;
  const end = prefix ? '' : ' ';
  if (words.every((same) => same.length === 1)) {
    const needle = ` ${words.map(([word = '']) => word).join(' ')}${end}`;
    return (folded) => folded.includes(needle);
  }
  // Words have only letters and digits, so nothing must be escaped.
  const pattern = new RegExp(` ${words.map((same) => `(?:${same.join('|')})`).join(' ')}${end}`);
  return (folded) => pattern.test(folded);
}

/**
 * Whether a quoted text is more than one word: then what stands between its words, before and after them
 * counts too, which the index does not know.
 */
export function isExact({ text, quoted }: TextQuery): boolean {
  return quoted && text !== '' && !oneWord.test(foldLetters(text));
}

const oneWord = /^[\p{L}\p{N}\p{M}\p{Co}]+$/u;

/**
 * Returns a test for an exact text (see `isExact`): with its punctuation, but in any case, with or
 * without accents, and with any white space for white space, so that a line end does not matter.
 */
export function exactTest(query: TextQuery): (text: string) => boolean {
  const fold = (text: string): string => foldLetters(text).replace(/\s+/g, ' ');
  const folded = { ...query, text: fold(query.text) };
  return (text) => writtenAt(fold(text), folded) !== -1;
}

/**
 * Finds where a text stands exactly as written, from an offset on; -1 when it does not occur. It
 * must begin and end at word boundaries, except that an unfinished last word may go on.
 */
export function writtenAt(text: string, query: TextQuery, from = 0): number {
  const needle = query.text;
  if (needle === '') return from;
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const begins = !joins(lastOf(text.slice(Math.max(0, at - 2), at)), firstOf(needle));
    const ends =
      query.mayGoOn === true || !joins(lastOf(needle), firstOf(text.slice(end, end + 2)));
    if (begins && ends) return at;
  }
  return -1;
}

/** Whether two neighbouring characters belong to one word. */
function joins(left: string, right: string): boolean {
  if (!wordSign.test(left) || !wordSign.test(right)) return false;
  return !unspaced.test(left) && !unspaced.test(right);
}

/** The first character of a text; a space when it is empty. */
function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 32);
}

function lastOf(text: string): string {
  return firstOf(/[\ud800-\udbff][\udc00-\udfff]$/.exec(text.slice(-2))?.[0] ?? text.slice(-1));
}

/** The parts of a condition on a value that can be found in the text of the value. */
export function writtenParts(value: ValueQuery | undefined): readonly (TextQuery | RegexQuery)[] {
  switch (value?.kind) {
    case 'text':
    case 'regex':
      return [value];
    case 'all':
    case 'any':
      return value.parts.flatMap(writtenParts);
    default:
      return [];
  }
}

/** Whether a word is of a script without spaces between words. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}
