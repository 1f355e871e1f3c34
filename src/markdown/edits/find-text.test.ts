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
  [
    'text before a line end',
    'a\r\na\nb',
    'a',
    [
      [0, 1],
      [3, 4],
    ],
  ],
  ['lines where both kinds of line ends are', 'a\r\nb\nc\r\nd', 'b\nc\nd', [[3, 9]]],
  ['an empty text is nowhere', 'ab', '', []],
  ['other scripts', 'жи 日本 🎉', '🎉', [[6, 8]]],
];

it.each(rows)('finds %s', (_, text, find, found) => {
  expect(findText(text, find, 0).map(({ start, end }) => [start, end])).toEqual(found);
});

it.each([
  ['of many lines', 'a line of it\n'.repeat(50_000)],
  ['of one line', 'f'.repeat(1_000_000)],
])('finds a text %s, and what is not there', (_, find) => {
  expect(findText(`x\n${find}y`, find, 0)).toEqual([{ start: 2, end: 2 + find.length }]);
  expect(findText(`${find.slice(1)}y`, find, 0)).toEqual([]);
});

it('looks from an offset on', () => {
  expect(findText('a a', 'a', 1)).toEqual([{ start: 2, end: 3 }]);
  expect(findText('a\r\n\r\nb', 'b', 3)).toEqual([{ start: 5, end: 6 }]);
});
