import { expect, test } from 'vitest';
import { limits } from '../../base/limits.ts';
import { systemError } from './disk-error.ts';
import { retryWhileHeld } from './retry-while-held.ts';

/** Calls something that fails so often, on a clock of its own. */
async function attempt(
  platform: NodeJS.Platform,
  { errno, fails }: { errno: string; fails: number },
) {
  let nowMs = 0;
  let calls = 0;
  const pauses: number[] = [];
  const outcome = await retryWhileHeld(
    async () => {
      calls += 1;
      if (calls <= fails) throw systemError(errno);
      return 'done';
    },
    {
      platform,
      nowMs: () => nowMs,
      pause: async (ms) => {
        nowMs += ms;
        pauses.push(ms);
      },
    },
  ).catch((error: Error) => error.message);
  return { outcome, calls, nowMs, pauses };
}

test.each([
  ['win32', 'EPERM', 3, 'done', 4],
  ['win32', 'EACCES', 3, 'done', 4],
  ['win32', 'EBUSY', 3, 'done', 4],
  ['win32', 'EBUSY', 0, 'done', 1],
  ['win32', 'ENOENT', 3, 'ENOENT', 1],
  ['linux', 'EBUSY', 3, 'EBUSY', 1],
  ['darwin', 'EPERM', 3, 'EPERM', 1],
] as const)(
  'on %s %s, %i times, ends in %s after %i calls',
  async (platform, errno, fails, outcome, calls) => {
    expect(await attempt(platform, { errno, fails })).toMatchObject({ outcome, calls });
  },
);

test('a file that stays held fails with what the system said, when the time is over', async () => {
  const { outcome, nowMs, pauses } = await attempt('win32', { errno: 'EPERM', fails: 1_000 });
  expect(outcome).toBe('EPERM');
  expect(nowMs).toBe(limits.heldFileMs);
  expect(pauses.slice(0, 4)).toEqual([10, 20, 40, 80]);
  expect(pauses.length).toBeLessThan(12);
});
