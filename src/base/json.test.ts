import { expect, it } from 'vitest';
import { isDeeper, isObject } from './json.ts';

it.each<readonly [unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j is an object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

it.each<readonly [unknown, number, boolean]>([
  ['text', 0, false],
  [{}, 0, true],
  [{}, 1, false],
  [{ a: [1] }, 2, false],
  [{ a: [{}] }, 2, true],
])('%j is deeper than %i levels: %s', (value, levels, expected) => {
  expect(isDeeper(value, levels)).toBe(expected);
});
