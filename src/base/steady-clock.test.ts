import fc from 'fast-check';
import { expect, it } from 'vitest';
import { steadyClock } from './steady-clock.ts';

it.each<[readonly number[], readonly number[]]>([
  [
    [1, 2, 5],
    [1, 2, 5],
  ],
  [
    [10, 3, 4, 9],
    [10, 10, 11, 16],
  ],
  [
    [10, 3, 20, 25],
    [10, 10, 27, 32],
  ],
  [
    [10, 5, 1, 2],
    [10, 10, 10, 11],
  ],
])('a clock that shows %j counts as %j', (shown, counted) => {
  let at = 0;
  const clock = steadyClock(() => shown[at++] ?? 0);
  expect(shown.map(() => clock())).toEqual(counted);
});

it('never goes back, and is never behind', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (shown) => {
      let at = 0;
      const clock = steadyClock(() => shown[at++] ?? 0);
      const counted = shown.map(() => clock());
      for (const [place, ms] of counted.entries()) {
        expect(ms).toBeGreaterThanOrEqual(Math.max(...shown.slice(0, place + 1)));
        expect(ms).toBeGreaterThanOrEqual(counted[place - 1] ?? ms);
      }
    }),
  );
});
