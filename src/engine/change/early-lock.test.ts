import { expect, test } from 'vitest';
import { EarlyLock } from './early-lock.ts';

/** A lock that says what is done with it, and a clock that only strikes when it is told to. */
function start(answer: () => Promise<boolean>) {
  const done: string[] = [];
  let strike = (): void => undefined;
  const lock = {
    tryTake: () => answer().finally(() => done.push('asked')),
    release: async () => void done.push('released'),
    close: async () => undefined,
  };
  const timers = {
    after: (_ms: number, call: () => void) => {
      strike = call;
      return () => {
        strike = () => undefined;
      };
    },
  };
  return { early: new EarlyLock({ lock, timers }), done, strike: () => strike() };
}

test('a lock that was free is held by whoever takes it', async () => {
  const { early, done, strike } = start(async () => true);
  expect(await early.take()).toBe(true);
  strike();
  expect(done).toEqual(['asked']);
});

test('it is released when the plan fails, once, and only if it was held', async () => {
  const held = start(async () => true);
  await Promise.all([held.early.giveBack(), held.early.giveBack()]);
  expect(held.done).toEqual(['asked', 'released']);
  const busy = start(async () => false);
  await busy.early.giveBack();
  expect(busy.done).toEqual(['asked']);
});

test('it is released when the plan takes long, and has to be asked for again', async () => {
  const { early, done, strike } = start(async () => true);
  strike();
  expect(await early.take()).toBe(false);
  expect(done).toEqual(['asked', 'released']);
});

test('a failure is told to whoever takes it, and to nobody else', async () => {
  const fails = () => start(() => Promise.reject(new Error('no disk')));
  await expect(fails().early.take()).rejects.toThrow('no disk');
  await fails().early.giveBack();
});
