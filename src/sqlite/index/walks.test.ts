import { expect, it } from 'vitest';
import { Walks } from './walks.ts';

const missedBy = (walks: Walks, walk: number, ids: readonly number[]) => {
  const isMissed = walks.missedBy(walk);
  walks.end(walk);
  return isMissed === undefined ? undefined : ids.filter(isMissed);
};

it('misses what was known at its start and was not seen since', () => {
  const walks = new Walks();
  walks.begin(1, () => 3);
  walks.saw([1, 5_000]);
  walks.begin(2, () => 5_000);
  walks.saw([2]);
  expect(missedBy(walks, 1, [1, 2, 3, 4, 5_000])).toEqual([3]);
  expect(missedBy(walks, 2, [1, 2, 3, 5_000])).toEqual([1, 3, 5_000]);
});

it('misses everything when it saw no batch at all', () => {
  expect(missedBy(new Walks(), 1, [1, 2])).toEqual([1, 2]);
});

it('removes nothing once it was given up for newer ones', () => {
  const walks = new Walks();
  for (let walk = 1; walk <= 1_001; walk++) walks.begin(walk, () => 9);
  expect(missedBy(walks, 1, [1, 2])).toBeUndefined();
  expect(missedBy(walks, 2, [1, 2])).toEqual([1, 2]);
});
