import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes, sortByBytes } from './byte-order.ts';

test.each([
  [
    ['b', 'a', 'B'],
    ['B', 'a', 'b'],
  ],
  [
    ['a/b', 'a.md', 'a'],
    ['a', 'a.md', 'a/b'],
  ],
  [
    ['é', 'z', 'e'],
    ['e', 'z', 'é'],
  ],
  // In UTF-16 the emoji would come before the two others.
  [
    ['😀', '\uff5e', '\ue000', 'z'],
    ['z', '\ue000', '\uff5e', '😀'],
  ],
  [
    ['😀b', '😀', '😁', '😀a'],
    ['😀', '😀a', '😀b', '😁'],
  ],
  [[], []],
])('%j sorts as %j', (names, expected) => {
  expect(sortByBytes([...names])).toEqual(expected);
});

test('texts compare as their bytes do', () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareBytes(a, b))).toBe(expected);
    }),
  );
});
