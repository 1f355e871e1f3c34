import { expect, it } from 'vitest';
import { findText } from './find-text.ts';

const rows: [name: string, text: string, find: string, found: [number, number][]][] = [
  ['nothing', 'abc', 'x', []],
  [
    'every place',
    'a b a',
    'a',
    [
      [0, 1],
      [4, 5],
    ],
  ],
  [
    'places that do not overlap',
    'aaaa',
    'aa',
    [
      [0, 2],
      [2, 4],
    ],
  ],
  ['case counts', 'Aa', 'a', [[1, 2]]],
  ['signs are taken literally', 'a.c (x) [y] $1 \\d /', '.c (x) [y] $1 \\d /', [[1, 19]]],
  ['lines given with LF in CRLF', 'a\r\nb\r\nc', 'a\nb', [[0, 4]]],
  ['lines given with CRLF in LF', 'a\nb\nc', 'b\r\nc', [[2, 5]]],
  ['a line end alone', 'a\r\nb', '\n', [[1, 3]]],
  ['an empty text is nowhere', 'ab', '', []],
  ['other scripts', 'жи 日本 🎉', '🎉', [[6, 8]]],
];

it.each(rows)('finds %s', (_, text, find, found) => {
  expect(findText(text, find, 0).map(({ start, end }) => [start, end])).toEqual(found);
});

it('looks from an offset on', () => {
  expect(findText('a a', 'a', 1)).toEqual([{ start: 2, end: 3 }]);
});
