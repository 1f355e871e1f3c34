import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { discardIndex } from '../../sqlite/index/open-index-database.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import type { WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { SharedWatcher } from '../watch/shared-watcher.ts';
import { IndexKeeper } from './index-keeper.ts';

const soon = { waitMs: 10_000 };

function died(): VaultError {
  return new VaultError('internal', 'Died.', { details: { threadDied: true } });
}

/** A keeper of a vault in memory whose index is in a file, complete and asleep. */
async function asleep(files: Readonly<Record<string, string>>, movesWhenBuilt = false) {
  const disk = memoryDisk(files);
  const file = join(tempFolder(), 'index.db');
  const fail: { next?: Error } = {};
  const later = { ms: 0 };
  const counts = { opened: 0, closed: 0 };
  const built: boolean[] = [];
  const deaths: (() => void)[] = [];
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
    clock: { nowMs: () => disk.clock.nowMs() + later.ms },
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    movesWhenBuilt,
    openStore: async ({ isBuilt, onDeath }) => {
      built.push(isBuilt);
      deaths.push(onDeath);
      if (fail.next !== undefined) throw fail.next;
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
  await keeper.sleep();
  const opened = movesWhenBuilt ? 2 : 1;
  expect(counts).toEqual({ opened, closed: opened });
  disk.resetCalls();
  const tags = async (): Promise<string[]> => {
    expect(await keeper.wait('facts', soon)).toBe(true);
    return (await (await keeper.store()).tags(wholeVault)).map(({ tag }) => tag);
  };
  return {
    disk,
    keeper,
    counts,
    built,
    /** Each says that the thread of one opened store has died. */
    deaths,
    fail,
    file,
    tags,
    later,
    tell: (report: Partial<WatchReport>) =>
      tell({ paths: [], folders: [], reconcile: false, ...report }),
  };
}

test('a vault that sleeps has closed its index, and wakes with what it knew, without a walk', async () => {
  const { keeper, counts, tags, disk } = await asleep({ 'a.md': '#one' });
  expect(keeper.isNew).toBe(false);
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
  expect(keeper.isReady('names')).toBe(false);
  expect(await tags()).toEqual(['#two']);
  expect(disk.calls.walk).toBe(0);
});

test('when more has changed than it remembers, or the watcher is unsure, it wakes by itself', async () => {
  const many = Array.from({ length: limits.asleepPathsMax }, (_, at) => vaultPath(`n${at}.md`));
  for (const report of [{ paths: [...many, vaultPath('a.md')] }, { reconcile: true }]) {
    const { disk, tell, keeper, counts, tags } = await asleep({ 'a.md': '#one' });
    disk.write('a.md', '#two');
    tell(report);
    await vi.waitFor(() => expect(counts.opened).toBe(2));
    await keeper.settle();
    expect(await tags()).toEqual(['#two']);
  }
});

test('an index that was deleted or replaced meanwhile does not count as complete', async () => {
  const deleted = await asleep({ 'a.md': '#one' });
  await discardIndex(deleted.file);
  expect(await deleted.tags()).toEqual(['#one']);
  const { file, tags, disk, keeper } = await asleep({ 'a.md': '#one' });
  await discardIndex(file);
  await (await openSqliteIndex({ file })).close(); // As another process that has just begun.
  expect(await tags()).toEqual(['#one']);
  expect(disk.calls.walk).toBe(1);
  // An older copy of the same index, too.
  copyFileSync(file, `${file}.old`);
  disk.write('a.md', '#two');
  await keeper.reconcile();
  await keeper.sleep();
  await discardIndex(file);
  renameSync(`${file}.old`, file);
  expect(await tags()).toEqual(['#two']);
});

test('an index that cannot be opened is a failure, and not a vault without changes', async () => {
  const { fail, tags, tell, disk, keeper } = await asleep({ 'a.md': '#one' });
  disk.write('a.md', '#two');
  tell({ paths: [vaultPath('a.md')] });
  fail.next = new VaultError('io_failed', 'No.');
  await expect(tags()).rejects.toMatchObject({ code: 'io_failed' });
  expect(keeper.isReady('names')).toBe(false);
  delete fail.next;
  tell({}); // The next event tries again.
  expect(await tags()).toEqual(['#two']);
});

test('a folder that changed while it slept is walked before it answers', async () => {
  const { disk, tell, tags } = await asleep({ 'a.md': '#one', 'sub/b.md': '#b' });
  disk.write('sub/c.md', '#c');
  tell({ folders: [vaultPath('sub')] });
  expect((await tags()).toSorted()).toEqual(['#b', '#c', '#one']);
});

test('an index whose thread died is opened again, and forgets no change', async () => {
  const { keeper, disk, tell, tags, counts, deaths } = await asleep({ 'a.md': '#one' });
  expect(await tags()).toEqual(['#one']);
  // It dies while it looks at a change.
  const store = await keeper.store();
  store.putRead = async () => {
    deaths[1]?.();
    throw died();
  };
  disk.write('a.md', '#two');
  tell({ paths: [vaultPath('a.md')] });
  await vi.waitFor(() => expect(counts.opened).toBe(3));
  expect(await tags()).toEqual(['#two']);
  // It dies while nothing is done, and is opened again before anybody asks.
  await keeper.settle();
  deaths[2]?.();
  expect(keeper.isReady('names')).toBe(false);
  await vi.waitFor(() => expect(counts.opened).toBe(4));
  expect(await tags()).toEqual(['#two']);
});

test('the death of a store that is no longer used does not close the one that is', async () => {
  const { keeper, tags, counts, deaths } = await asleep({ 'a.md': '#one' });
  expect(await tags()).toEqual(['#one']);
  const store = await keeper.store();
  deaths[0]?.();
  expect(keeper.isReady('text')).toBe(true);
  expect(await keeper.store()).toBe(store);
  // Nor does a death that is told twice.
  deaths[1]?.();
  await keeper.settle();
  const third = await keeper.store();
  deaths[1]?.();
  expect(await keeper.store()).toBe(third);
  expect(counts.opened).toBe(3);
});

test('an index whose thread dies again and again fails, and is tried again later', async () => {
  const { keeper, tags, fail, deaths, built, later } = await asleep({ 'a.md': '#one' });
  expect(await tags()).toEqual(['#one']);
  fail.next = died();
  deaths[1]?.();
  await expect(tags()).rejects.toMatchObject({ details: { threadDied: true } });
  expect(built.length).toBeLessThan(10);
  delete fail.next;
  later.ms = 10_000;
  expect(await tags()).toEqual(['#one']);
  // A long time in which it dies now and then is no reason to give up.
  for (let death = 0; death < 10; death++) {
    deaths.at(-1)?.();
    expect(await tags()).toEqual(['#one']);
    await keeper.settle();
  }
});

test('among other vaults, an index is opened anew when it is built, and stays there', async () => {
  const { built, tags } = await asleep({ 'a.md': '#one' }, true);
  expect(built).toEqual([false, true]);
  expect(await tags()).toEqual(['#one']);
  expect(built).toEqual([false, true, true]);
});

test('a regular walk that fell into its sleep is made later, and nobody waits for it', async () => {
  const { keeper, disk, tell } = await asleep({ 'a.md': '#one' });
  disk.write('missed.md', '#missed');
  tell({ reconcile: true, isRoutine: true });
  await keeper.wait('text', soon);
  expect(disk.calls.walk).toBe(0);
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
  tell({ reconcile: true, isRoutine: true });
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
