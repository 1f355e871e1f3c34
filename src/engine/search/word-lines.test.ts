import { expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { foldedWords, rowTest, type WordRow } from './query-words.ts';
import { WordLines } from './word-lines.ts';

const row: WordRow = { words: [['word', 'words'], ['next']], prefix: false };

it('Every character around a word separates it, or not, as in the index', () => {
  const word: WordRow = { words: [['word', 'words']], prefix: false };
  const isIn = rowTest(word);
  const wrong: string[] = [];
  const step = counted({ quick: 7, full: 1 });
  for (let code = 0; code <= 0xffff; code += step) {
    const sign = String.fromCharCode(code);
    if (/[\n\r\ud800-\udfff]/.test(sign)) continue;
    for (const text of [`a${sign}Word b`, `a wOrds${sign}b`]) {
      const found = new WordLines(text).marks(word, { start: 0, end: text.length });
      if (found.size > 0 !== isIn(foldedWords(text))) wrong.push(`${code.toString(16)}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

it.each<[name: string, text: string, expected: [line: number, score: number, at?: number][]]>([
  ['in any case', 'a\nWord, NEXT', [[1, 3, 2]]],
  ['over a line end', 'word\nnext', [[0, 3, 0]]],
  ['between quotes', '“word” – next', [[0, 3, 1]]],
  [
    'alternatives for less',
    'words next\nword next',
    [
      [0, 2.7, 0],
      [1, 3, 11],
    ],
  ],
  ['with an accent', 'wórd next', [[0, 3]]],
  [
    'some of them where no line has all',
    'wording next\nword',
    [
      [0, 0.1, 8],
      [1, 0.1, 13],
    ],
  ],
  ['with a letter that is longer in lower case', 'İ\nword next', [[1, 3, 2]]],
])('Lines with words in a row are found %s', (_, text, expected) => {
  const found = new WordLines(text).marks(row, { start: 0, end: text.length });
  const marks = Array.from(found).sort(([a], [b]) => a - b);
  expect(
    marks.map(([line, { score, at }]) => (at === undefined ? [line, score] : [line, score, at])),
  ).toEqual(expected);
});
