import { expect, it } from 'vitest';
import { groupedNumber } from './grouped-number.ts';

it.each([
  0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1_234, -123, 12_345.678, 0.125,
])('writes %d as people do', (number) => {
  expect(groupedNumber(number)).toBe(number.toLocaleString('en-US'));
});
