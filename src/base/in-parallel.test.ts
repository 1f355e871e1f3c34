import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('answers in order, and works on no more than it may at once', async () => {
  let now = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
    most = Math.max(most, ++now);
    for (let turn = 0; turn < turns; turn++) await tick();
    now--;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(most).toBe(2);
});

it('begins nothing after a failure, and fails when the rest has ended', async () => {
  const ended: number[] = [];
  const work = inParallel([0, 1, 2, 3], 2, async (item) => {
    if (item === 0) throw new Error('no');
    await tick();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(ended).toEqual([1]);
});
