import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { limits } from '../../base/limits.ts';
import { BuildPause } from './build-pause.ts';
import { IndexReadiness } from './index-readiness.ts';

function openPause() {
  const timers = manualTimers();
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const pause = new BuildPause(clock, new IndexReadiness({ clock, timers }));
  const pass = (ms: number): void => {
    nowMs += ms;
    timers.advance(ms);
  };
  /** Whether the build goes on at once. */
  const goesOn = async (): Promise<boolean> =>
    !(await Promise.race([pause.once(() => false), nextTurn(true)]));
  return { pause, pass, goesOn };
}

const nextTurn = (value: boolean): Promise<boolean> =>
  new Promise((resolve) => setImmediate(() => resolve(value)));

/** Work of a caller that lasts until it is ended. */
function work(pause: BuildPause): () => Promise<void> {
  let end = (): void => undefined;
  const working = pause.during(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  return async () => {
    end();
    await working;
  };
}

it('the build goes on where no caller waits', async () => {
  expect(await openPause().goesOn()).toBe(true);
});

it('the build waits for a caller, and a moment longer, because the next question may follow', async () => {
  const { pause, pass, goesOn } = openPause();
  const end = work(pause);
  expect(await goesOn()).toBe(false);
  await end();
  expect(await goesOn()).toBe(false);
  pass(1_000);
  expect(await goesOn()).toBe(true);
});

it('the build does at once what a caller waits for', async () => {
  const { pause } = openPause();
  const end = work(pause);
  expect(await pause.once(() => true)).toBe(true);
  await end();
});

it('the build waits for nobody when the vault is being closed', async () => {
  const { pause, goesOn } = openPause();
  work(pause);
  const waited = pause.once(() => false);
  pause.end();
  expect(await waited).toBe(true);
  expect(await goesOn()).toBe(true);
});

it('callers cannot stop the build: it pauses no longer than it has worked, and a little', async () => {
  const { pause, pass, goesOn } = openPause();
  expect(await goesOn()).toBe(true);
  work(pause);
  const waited = pause.once(() => false);
  pass(limits.buildPauseMs);
  expect(await waited).toBe(true);
  expect(await goesOn()).toBe(true);
  pass(500);
  const again = pause.once(() => false);
  pass(500);
  expect(await again).toBe(true);
  expect(await goesOn()).toBe(true);
});

it('pauses end although the clock stands still', async () => {
  const timers = manualTimers();
  const clock = { nowMs: () => 0 };
  const pause = new BuildPause(clock, new IndexReadiness({ clock, timers }));
  const once = async (): Promise<boolean> => {
    const paused = pause.once(() => false);
    timers.advance(limits.buildPauseMs);
    return paused;
  };
  await pause.during(async () => undefined);
  expect(await once()).toBe(true);
  expect(await once()).toBe(false);
  const end = work(pause);
  expect(await once()).toBe(true);
  expect(await once()).toBe(false);
  await end();
});
