import { expect, it } from 'vitest';
import { nearestLines } from './nearest-lines.ts';

const body = 'Buy apples and pears\n\nCall the bank\n  - [ ] Water the plants\nCall the bakery\n';
const rows: readonly [name: string, text: string, find: string, expected: number[]][] = [
  ['another case', body, 'call THE bank', [2, 4]],
  ['other spaces', body, '- [ ]  Water  the plants', [3]],
  ['a typing mistake', body, 'Buy aples and pears', [0]],
  ['a part of a line', body, 'Water teh plants', [3]],
  ['the line that is missing', body, 'Buy apples and pears\nCall the bankk', [2, 4]],
  ['lines that all occur', body, 'Call the bank\nBuy apples and pears', [2, 4]],
  ['nothing alike', body, 'zzzz', []],
  ['a single sign', body, 'x', []],
  ['nothing at all', body, '\n\n', []],
  ['Windows line ends', body.replaceAll('\n', '\r\n'), 'Water teh plants', [3]],
];
it.each(rows)('shows the nearest lines for %s', (_, text, find, expected) => {
  expect(nearestLines(text, find, { from: 0, max: 3 })).toEqual(expected);
});

it('shows no more than asked for, and none before the body', () => {
  const text = `---\r\na: Call the bank\r\n---\r\n${body}${body}`;
  const from = text.indexOf('Buy');
  expect(nearestLines(text, 'Call teh bank', { from, max: 3 })).toEqual([5, 7, 10]);
});
