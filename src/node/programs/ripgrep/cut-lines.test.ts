import { expect, it } from 'vitest';
import { CutLines } from './cut-lines.ts';

it.each<[readonly string[], readonly string[]]>([
  [[], []],
  [['one\ntwo\n'], ['one', 'two']],
  [
    ['o', 'ne\nt', 'wo\n'],
    ['one', 'two'],
  ],
  [['\n\n'], ['', '']],
  [['not ended'], []],
  [['123456\n'], ['1234']],
  [
    ['12', '3456', '789\n', 'ab\n'],
    ['1234', 'ab'],
  ],
])('of what is printed as %j the lines are %j', (chunks, expected) => {
  const lines = new CutLines(4);
  const seen = chunks.flatMap((chunk) => [...lines.push(Buffer.from(chunk))]);
  expect(seen.map(String)).toEqual(expected);
});
