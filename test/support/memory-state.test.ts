import { describe, expect, test } from 'vitest';
import { change, make } from './change-records.ts';
import { memoryState, StateCrash } from './memory-state.ts';

test('processes share one history and one lock', async () => {
  const shared = await memoryState();
  const [one, two] = [shared.open(), shared.open()];
  const id = await make(one.state, change([]));
  expect(await two.state.latest()).toBe(id);
  expect([await one.lock.tryTake(), await two.lock.tryTake()]).toEqual([true, false]);
  one.kill();
  expect(await two.lock.tryTake()).toBe(true);
  await expect(one.state.latest()).rejects.toBeInstanceOf(StateCrash);
});

test.each([
  ['before', []],
  ['after', [1]],
] as const)('a call that fails %s its effect', async (when, unfinished) => {
  const shared = await memoryState();
  const process = shared.open({ failAt: 2, when });
  expect(await process.lock.tryTake()).toBe(true);
  await expect(process.state.begin(change([]), 'single', [])).rejects.toMatchObject({
    code: 'io_failed',
  });
  expect([process.calls(), process.faulted()]).toEqual([2, true]);
  expect((await process.state.unfinished()).map(({ id }) => id)).toEqual(unfinished);
});

test.each(['before', 'after'] as const)(
  'a process that crashes %s a call has ended',
  async (when) => {
    const shared = await memoryState();
    const process = shared.open({ crashAt: 2, when });
    await process.lock.tryTake();
    await expect(process.state.begin(change([]), 'single', [])).rejects.toBeInstanceOf(StateCrash);
    await expect(process.lock.release()).rejects.toBeInstanceOf(StateCrash);
    const next = shared.open();
    expect(await next.lock.tryTake()).toBe(true);
    expect(await next.state.unfinished()).toHaveLength(when === 'after' ? 1 : 0);
  },
);

test('what was closed is cancelled, and holds nothing', async () => {
  const shared = await memoryState();
  const process = shared.open();
  await process.lock.tryTake();
  await process.state.close();
  await process.lock.release();
  await expect(process.state.latest()).rejects.toMatchObject({ code: 'cancelled' });
  expect(await shared.open().lock.tryTake()).toBe(true);
});

describe('a power cut', () => {
  test.each([
    ['unsynced', ['marked'], 0],
    ['nothing', [], 1],
  ] as const)('that loses what was %s', async (lose, states, latest) => {
    const shared = await memoryState();
    const before = shared.open();
    await make(before.state, change([]));
    await shared.cutPower({ lose });
    await expect(before.state.latest()).rejects.toBeInstanceOf(StateCrash);
    const { state } = shared.open();
    expect((await state.unfinished()).map((open) => open.state)).toEqual(states);
    expect(await state.latest()).toBe(latest);
  });

  test('loses nothing that a durable call came after', async () => {
    const shared = await memoryState();
    const { state } = shared.open();
    const first = await make(state, change([]));
    const second = await state.begin(change([]), 'single', []);
    await state.drop(second);
    await shared.cutPower({ lose: 'unsynced' });
    const next = shared.open().state;
    expect(await next.latest()).toBe(first);
    expect((await next.unfinished()).map(({ id }) => id)).toEqual([second]);
    await next.drop(second);
    expect(await make(next, change([]))).toBe(second + 1);
  });
});
