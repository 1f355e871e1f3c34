import { expect, test } from 'vitest';
import { turnUpright } from './turn-upright.ts';

/** Pixels from letters: one row after another. */
function pixelsOf(rows: readonly string[]) {
  const letters = Array.from(rows.join(''), (letter) => letter.charCodeAt(0));
  const data = Uint8Array.from(letters.flatMap((code) => [code, 0, 0, 255]));
  return { data, width: rows[0]?.length ?? 0, height: rows.length };
}

test.each([
  [1, ['abc', 'def']],
  [2, ['cba', 'fed']],
  [3, ['fed', 'cba']],
  [4, ['def', 'abc']],
  [5, ['ad', 'be', 'cf']],
  [6, ['da', 'eb', 'fc']],
  [7, ['fc', 'eb', 'da']],
  [8, ['cf', 'be', 'ad']],
] as const)('a picture stored as %i is turned to be seen as %j', (orientation, seen) => {
  expect(turnUpright(pixelsOf(['abc', 'def']), orientation)).toEqual(pixelsOf(seen));
});
