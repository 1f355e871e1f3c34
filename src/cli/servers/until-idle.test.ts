import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { untilIdle } from './until-idle.ts';

/** Something that is in use until it says since when it is not; how many seconds until it is idle. */
async function secondsUntilIdle(leaves: readonly [atSecond: number, sinceSecond: number][]) {
  const timers = manualTimers();
  const time = { ms: 0, isOver: false };
  const aborting = new AbortController();
  const over = untilIdle({
    idleSinceMs: () => {
      const [, since] = leaves.findLast(([at]) => at * 1_000 <= time.ms) ?? [];
      return since === undefined || since < 0 ? undefined : since * 1_000;
    },
    idleMs: 60_000,
    nowMs: () => time.ms,
    timers,
    signal: aborting.signal,
  }).then(() => {
    time.isOver = true;
  });
  for (; !time.isOver && time.ms < 300_000; time.ms += 1_000) {
    timers.advance(1_000);
    await Promise.resolve();
    await Promise.resolve();
  }
  aborting.abort();
  await over;
  return time.ms / 1_000;
}

it.each<[string, [number, number][], number]>([
  ['never used', [[0, 0]], 61],
  ['left after a while', [[20, 20]], 81],
  [
    'used again in between',
    [
      [0, 0],
      [50, -1],
      [70, 70],
    ],
    131,
  ],
  ['never left', [], 300],
])('%s', async (_, leaves, seconds) => {
  expect(await secondsUntilIdle(leaves)).toBeCloseTo(seconds, -1);
});
