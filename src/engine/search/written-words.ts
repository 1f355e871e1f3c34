import { foldText } from '../text/fold-text.ts';

/** A file's bytes as one character each (Latin-1), and its text, which is decoded only if needed. */
interface WrittenFile {
  readonly bytes: string;
  readonly text: () => string;
}

/**
 * Returns a test whether a text, folded, has one of these words or beginnings of words, which are
 * folded themselves. It never misses one. Most files are decided by their bytes alone, because
 * decoding and folding a text costs ten times as much as searching it.
 */
export function writtenWords(beginnings: readonly string[]): (file: WrittenFile) => boolean {
  const plain = beginnings.filter(isPlain);
  const inBytes = plain.length === 0 ? undefined : new RegExp(plain.join('|'), 'i');
  const mayFoldToOne = plain.length === beginnings.length ? foldsToAscii : foldsToLetters;
  return ({ bytes, text }) => {
    if (inBytes?.test(bytes)) return true;
    if (!mayFoldToOne.test(bytes)) return false;
    const folded = foldText(text());
    return beginnings.some((each) => folded.includes(each));
  };
}

/**
 * A regular expression over bytes, in ripgrep's syntax, that matches a line in every file that may have
 * one of these words: one that passes the test of `writtenWords`, or whose properties may spell it with
 * escapes. Other files match as well.
 */
export function writtenWordsPattern(beginnings: readonly string[]): string {
  const plain = beginnings.filter(isPlain);
  const folding = plain.length === beginnings.length ? foldsToAscii : foldsToLetters;
  // Other escapes than these stand for characters that are no part of a word.
  const parts = [...plain.map((each) => `(?i:${each})`), folding.source, '\\\\(?:[xuU]|\\r?$)'];
  return `(?-u:${parts.join('|')})`;
}

function isPlain(word: string): boolean {
  return /^[a-z0-9]+$/.test(word);
}

/**
 * The UTF-8 bytes of characters that folding turns into letters or digits of ASCII, or removes, so
 * that the letters around it stand together: Latin letters with accents, combining accents, and
 * compatibility forms such as full width. May have others as well.
 */
const foldsToAscii = new RegExp(
  [
    '[\\xc2-\\xcd\\xd6-\\xd9]',
    '\\xe1[\\xaa-\\xbf]',
    '\\xe2[\\x81-\\xb1]',
    '\\xe3[\\x88-\\x8f]',
    '\\xea[\\x9c-\\x9f\\xac\\xad]',
    '\\xef[\\xac-\\xbf]',
    '\\xf0(?:[\\x90-\\x9e]|\\x9f[\\x84-\\x89\\xaf])',
  ].join('|'),
);

/** The UTF-8 bytes of every character beyond ASCII, but for dashes, quotes and most emoji. */
const foldsToLetters =
  /[\xc2-\xe1\xe3-\xef\xf1-\xf4]|\xe2[\x81-\xbf]|\xf0(?:[\x90-\x9e\xa0-\xbf]|\x9f[\x84-\x89\xaf])/;
