import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyValue } from '../facts/facts.ts';
import { keptEntries, propertyEqual } from './property-equal.ts';

describe('propertyEqual', () => {
  const rows: [a: PropertyValue, b: PropertyValue, equal: boolean][] = [
    [1, 1, true],
    [1, '1', false],
    [null, '', false],
    [Number.NaN, Number.NaN, true],
    [['a', ['b']], ['a', ['b']], true],
    [['a'], ['a', null], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: null }, { b: null }, false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
  ];
  it.each(rows)('%j and %j: %j', (a, b, equal) => {
    expect(propertyEqual(a, b)).toBe(equal);
  });
});

describe('keptEntries', () => {
  const rows: [before: string, after: string, kept: (number | undefined)[]][] = [
    ['abc', 'abc', [0, 1, 2]],
    ['abcde', 'ace', [0, 2, 4]],
    ['ab', 'axb', [0, undefined, 1]],
    ['ab', 'ba', [1, undefined]],
    ['', 'a', [undefined]],
    ['aa', 'a', [0]],
  ];
  it.each(rows)('%j to %j keeps %j', (before, after, kept) => {
    expect(keptEntries([...before], [...after])).toEqual(kept);
  });

  it('keeps only equal entries, in order, each once', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const kept = keptEntries(before, after);
        const indexes = kept.filter((index) => index !== undefined);
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
        kept.forEach((old, index) => {
          if (old !== undefined) expect(before[old]).toBe(after[index]);
        });
      }),
    );
  });
});
