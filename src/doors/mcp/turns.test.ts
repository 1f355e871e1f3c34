import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('runs no more at once than it may, each in its turn, whatever becomes of those before', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 5 }, (_, n) =>
    turns.take(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 0) throw new Error('It failed.');
      return n;
    }),
  );
  const settled = Promise.allSettled(all);
  for (let done = 0; done < 5; done++) {
    await expect.poll(() => ends.length).toBeGreaterThan(done);
    expect(begun.length).toBe(Math.min(done + 2, 5));
    ends[done]?.();
    if (done < 3) await expect.poll(() => begun.length).toBe(done + 3);
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array.from({ length: 4 }, () => 'fulfilled'),
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
