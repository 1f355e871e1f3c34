import type { WordAlternatives } from '../ports/index-store.ts';
import type { TextQuery } from '../ports/search-query.ts';
import { foldPhrase, foldText, isLoneCjk } from '../text/fold-text.ts';

const signs = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
const wordSign = /[\p{L}\p{N}\p{M}\p{Co}]/u;
/** Scripts without blanks between words: there a word begins and ends anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The words of a text as the index has them, with a blank before and behind each. */
export function foldedWords(text: string): string {
  return spacedWords(foldText(text));
}

/** The words of a text that is folded already, with a blank before and behind each. */
export function spacedWords(folded: string): string {
  return ` ${folded.replace(signs, ' ')} `;
}

/** Words that have to stand in a row, each with those that are taken for it. */
export interface WordRow {
  readonly words: readonly (readonly string[])[];
  /** Whether the last of them may go on. */
  readonly prefix: boolean;
}

/**
 * The words of a part of a query as the index has them, with what was taken for them there. What is
 * quoted is meant as it is. None at all are in everything.
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

/** A test for words in a row, on texts of `foldedWords`. */
export function rowTest({ words, prefix }: WordRow): (folded: string) => boolean {
  if (words.length === 0) return () => true;
  const end = prefix ? '' : ' ';
  if (words.every((same) => same.length === 1)) {
    const needle = ` ${words.map(([word = '']) => word).join(' ')}${end}`;
    return (folded) => folded.includes(needle);
  }
  // Words are letters and digits: none of them means anything in an expression.
  const pattern = new RegExp(` ${words.map((same) => `(?:${same.join('|')})`).join(' ')}${end}`);
  return (folded) => pattern.test(folded);
}

/**
 * Where a text stands as it is written, from an offset on; -1 where it does not. It begins and ends
 * where words do, except that the end of one that may go on is open.
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

/** Whether two characters beside each other are of one word. */
function joins(left: string, right: string): boolean {
  if (!wordSign.test(left) || !wordSign.test(right)) return false;
  return !unspaced.test(left) && !unspaced.test(right);
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 32);
}

function lastOf(text: string): string {
  return firstOf(/[\ud800-\udbff][\udc00-\udfff]$/.exec(text.slice(-2))?.[0] ?? text.slice(-1));
}
