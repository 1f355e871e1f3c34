import { expect, test } from 'vitest';
import { hasAlpha, layOnWhite, unweighByAlpha, weighByAlpha } from './blend-alpha.ts';

test.each([
  ['layOnWhite', layOnWhite, [9, 9, 9, 0], [255, 255, 255, 255]],
  ['layOnWhite', layOnWhite, [0, 100, 255, 128], [127, 177, 255, 255]],
  ['layOnWhite', layOnWhite, [0, 100, 255, 255], [0, 100, 255, 255]],
  ['weighByAlpha', weighByAlpha, [200, 100, 0, 128], [100, 50, 0, 128]],
  ['weighByAlpha', weighByAlpha, [200, 100, 7, 0], [0, 0, 0, 0]],
  ['weighByAlpha', weighByAlpha, [200, 100, 7, 255], [200, 100, 7, 255]],
  ['unweighByAlpha', unweighByAlpha, [100, 50, 0, 128], [199, 100, 0, 128]],
  ['unweighByAlpha', unweighByAlpha, [200, 200, 200, 100], [255, 255, 255, 100]],
  ['unweighByAlpha', unweighByAlpha, [3, 3, 3, 0], [0, 0, 0, 0]],
] as const)('%s, row %#', (_, blend, before, after) => {
  const pixels = Uint8Array.from([...before, ...before]);
  blend(pixels);
  expect(Array.from(pixels)).toEqual([...after, ...after]);
});

test.each([
  [[1, 2, 3, 255, 4, 5, 6, 255], false],
  [[1, 2, 3, 255, 4, 5, 6, 254], true],
  [[], false],
] as const)('hasAlpha of %j is %j', (pixels, expected) => {
  expect(hasAlpha(Uint8Array.from(pixels))).toBe(expected);
});
