import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import type { WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { SharedWatcher } from '../watch/shared-watcher.ts';
import { IndexKeeper } from './index-keeper.ts';

const soon = { waitMs: 10_000 };

/** A keeper of a vault in memory whose index is in a file, complete and asleep. */
async function asleep(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk(files);
  const file = join(tempFolder(), 'index.db');
  const counts = { opened: 0, closed: 0 };
  let tell: (report: WatchReport) => void = () => undefined;
  const watcher = {
    start: async (listener: (report: WatchReport) => void) => {
      tell = listener;
    },
    flush: async () => undefined,
    close: async () => undefined,
  };
  const keeper = new IndexKeeper({
    disk,
    scanner: memoryScanner(disk),
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: async () => {
      counts.opened += 1;
      const store = await openSqliteIndex({ file });
      const close = store.close.bind(store);
      store.close = async () => {
        counts.closed += 1;
        await close();
      };
      return store;
    },
    watcher: new SharedWatcher(watcher),
  });
  onTestFinished(() => keeper.close());
  expect(await keeper.wait('text', soon)).toBe(true);
  await keeper.settle();
  expect(await keeper.sleep()).toBe(true);
  expect(counts).toEqual({ opened: 1, closed: 1 });
  disk.resetCalls();
  const tags = async (): Promise<string[]> => {
    expect(await keeper.wait('facts', soon)).toBe(true);
    return (await (await keeper.store()).tags(wholeVault)).map(({ tag }) => tag);
  };
  return {
    disk,
    keeper,
    counts,
    tags,
    tell: (report: Partial<WatchReport>) =>
      tell({ paths: [], folders: [], reconcile: false, ...report }),
  };
}

test('a vault that sleeps has closed its index, and wakes with what it knew, without a walk', async () => {
  const { keeper, counts, tags, disk } = await asleep({ 'a.md': '#one' });
  keeper.wake();
  expect(keeper.isReady('facts')).toBe(true);
  expect(await Promise.all([tags(), tags()])).toEqual([['#one'], ['#one']]);
  expect(counts.opened).toBe(2);
  expect(disk.calls.walk).toBe(0);
});

test('what changed while it slept is looked at before anything is answered', async () => {
  const { keeper, disk, tell, tags, counts } = await asleep({ 'a.md': '#one', 'b.md': '#b' });
  disk.write('a.md', '#two');
  disk.erase('b.md');
  tell({ paths: [vaultPath('a.md')] });
  tell({ paths: [vaultPath('b.md')] });
  expect(counts.opened).toBe(1);
  keeper.wake();
  expect(keeper.isReady('names')).toBe(false);
  expect(await tags()).toEqual(['#two']);
  expect(disk.calls.walk).toBe(0);
});

test('when more has changed than it remembers, or the watcher is unsure, it walks first', async () => {
  const many = Array.from({ length: limits.asleepPathsMax + 1 }, (_, at) => vaultPath(`n${at}.md`));
  for (const report of [{ paths: many }, { reconcile: true }]) {
    const { disk, tell, tags } = await asleep({ 'a.md': '#one' });
    disk.write('a.md', '#two');
    disk.write('new.md', '#new');
    tell(report);
    expect((await tags()).toSorted()).toEqual(['#new', '#two']);
    expect(disk.calls.walk).toBe(1);
  }
});

test('a regular walk that fell into its sleep is made later, and nobody waits for it', async () => {
  const { keeper, disk, tell } = await asleep({ 'a.md': '#one' });
  disk.write('missed.md', '#missed');
  tell({ reconcile: true, isRoutine: true });
  keeper.wake();
  expect(keeper.isReady('text')).toBe(true);
  await keeper.settle();
  expect(disk.calls.walk).toBe(1);
  expect((await (await keeper.store()).tags(wholeVault)).map(({ tag }) => tag)).toEqual([
    '#missed',
    '#one',
  ]);
});

test('listeners are told of changes while it sleeps, and it stays asleep', async () => {
  const { keeper, tell, counts } = await asleep({ 'a.md': '' });
  const told: unknown[] = [];
  keeper.onLooked((looked) => told.push(looked));
  tell({ paths: [vaultPath('a.md')], folders: [vaultPath('sub')] });
  tell({ reconcile: true });
  expect(told).toEqual([['a.md', 'sub'], 'all']);
  expect(counts.opened).toBe(1);
});

test('a change while it wakes is in the next answer', async () => {
  const { keeper, disk, tell, tags } = await asleep({ 'a.md': '#one' });
  disk.write('a.md', '#two');
  tell({ paths: [vaultPath('a.md')] });
  const waking = tags();
  disk.write('a.md', '#three');
  tell({ paths: [vaultPath('a.md')] });
  await waking;
  await keeper.settle();
  expect(await tags()).toEqual(['#three']);
});

test('it can be closed while it wakes, and while it falls asleep', async () => {
  const waking = await asleep({ 'a.md': '#one' });
  waking.disk.write('a.md', '#two');
  waking.tell({ paths: [vaultPath('a.md')] });
  const answer = waking.keeper.store().catch(() => undefined);
  await waking.keeper.close();
  await answer;
  expect(waking.counts.closed).toBe(waking.counts.opened);
  const falling = await asleep({ 'a.md': '#one' });
  falling.keeper.wake();
  await falling.keeper.store();
  const sleeping = falling.keeper.sleep();
  await falling.keeper.close();
  await sleeping;
  expect(falling.counts).toEqual({ opened: 2, closed: 2 });
});
