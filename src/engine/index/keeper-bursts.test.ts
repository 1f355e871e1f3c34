import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { fromJson } from '../../base/json.ts';
import { type VaultPath, vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { SharedWatcher } from '../watch/shared-watcher.ts';
import { IndexKeeper } from './index-keeper.ts';

const path = (n: number): VaultPath => vaultPath(`Many/n${n}.md`);
const manyFiles = (count: number): VaultPath[] => Array.from({ length: count }, (_, n) => path(n));
const quiet: WatchReport = { paths: [], folders: [], reconcile: false };

/** An indexed vault whose watcher tells what the test says, and which counts what is stored. */
async function openBurstVault(
  files: Readonly<Record<string, string>>,
  { disk = memoryDisk(files), file = ':memory:' } = {},
) {
  const scanner = memoryScanner(disk);
  const walked: string[] = [];
  const stored: number[] = [];
  let tell: (report: WatchReport) => void = () => undefined;
  const openStore = async (): Promise<IndexStore> => {
    const store = await openSqliteIndex({ file });
    const putRead = store.putRead.bind(store);
    store.putRead = (files, notes, texts) => {
      // A file that someone waits for is stored with its stat; those of a burst were compared before.
      if (fromJson(files).length === 0) stored.push(notes.details.ends.length);
      return putRead(files, notes, texts);
    };
    return store;
  };
  const keeper = new IndexKeeper({
    disk,
    scanner: {
      ...scanner,
      walk: (folder, onBatch) => {
        walked.push(folder);
        return scanner.walk(folder, onBatch);
      },
    },
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore,
    watcher: new SharedWatcher({
      start: async (listener) => {
        tell = listener;
      },
      flush: async () => undefined,
      close: async () => undefined,
    }),
  });
  await keeper.settle();
  const store = await keeper.store();
  walked.length = 0;
  stored.length = 0;
  return {
    disk,
    keeper,
    store,
    walked,
    stored,
    tell: (report: Partial<WatchReport>) => tell({ ...quiet, ...report }),
    tags: async () => (await store.tags(wholeVault)).map(({ tag, files: count }) => [tag, count]),
  };
}

test('a burst is stored a few files at a time, and whoever waits for one is served first', async () => {
  const vault = await openBurstVault({ 'mine.md': '#old' });
  const { disk, keeper, stored } = vault;
  for (const file of manyFiles(500)) disk.write(file, '#new');
  vault.tell({ paths: manyFiles(500) });
  disk.write('mine.md', '#mine');
  await keeper.refresh([vaultPath('mine.md')]);
  // One batch may have been under way.
  expect(stored.length).toBeLessThanOrEqual(2);
  await keeper.settle();
  expect(await vault.tags()).toEqual([
    ['#mine', 1],
    ['#new', 500],
  ]);
  expect(Math.max(...stored)).toBeLessThanOrEqual(64);
  expect(vault.walked).toEqual([]);
  await keeper.close();
});

test('of two processes one stores a burst, and the other finds it in the index', async () => {
  const file = join(tempFolder(), 'index.db');
  const one = await openBurstVault({ 'mine.md': '#old' }, { file });
  const other = await openBurstVault({}, { file, disk: one.disk });
  for (const path of manyFiles(500)) one.disk.write(path, '#new');
  one.tell({ paths: manyFiles(500) });
  other.tell({ paths: manyFiles(500) });
  one.disk.write('mine.md', '#mine');
  await other.keeper.refresh([vaultPath('mine.md')]); // Does not wait for the burst.
  expect(one.stored.reduce((sum, count) => sum + count, 0)).toBeLessThan(500);
  await Promise.all([one.keeper.settle(), other.keeper.settle()]);
  // Each file of the burst once; the one that was waited for is not counted.
  expect([...one.stored, ...other.stored].reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(await other.tags()).toEqual([
    ['#mine', 1],
    ['#new', 500],
  ]);
  await one.keeper.close();
  await other.keeper.close();
});

test('whoever waits is served first, too, when a walk found what changed', async () => {
  const { disk, keeper, stored, tell } = await openBurstVault({ 'mine.md': '#old' });
  for (const file of manyFiles(500)) disk.write(file, '#new');
  tell({ reconcile: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = stored.length;
  disk.write('mine.md', '#mine');
  await keeper.refresh([vaultPath('mine.md')]);
  expect(stored.length - before).toBeLessThanOrEqual(2);
  await keeper.settle();
  await keeper.close();
});

test('what is there can be searched while a walk and what it found are worked on', async () => {
  const { disk, keeper, tell } = await openBurstVault({ 'mine.md': '#old' });
  for (const file of manyFiles(100)) disk.write(file, '#new');
  const states: boolean[] = [];
  const stop = keeper.onLooked(() => states.push(keeper.isReady('text')));
  tell({ reconcile: true });
  await keeper.settle();
  stop();
  expect(states.length).toBeGreaterThan(1);
  expect(states).not.toContain(false);
  await keeper.close();
});

test('a folder that came, changed or went is walked alone', async () => {
  const vault = await openBurstVault({ 'F/a.md': '#one', 'F/G/b.md': '#two', 'c.md': '#three' });
  const { disk, keeper, walked } = vault;
  disk.rename('F', 'Moved');
  disk.write('Moved/G/new.md', '#four');
  vault.tell({
    folders: ['F', 'F/G', 'Moved', 'Moved/G'].map(vaultPath),
    paths: ['Moved/a.md', 'Moved/G/b.md'].map(vaultPath),
  });
  await keeper.settle();
  expect(walked).toEqual(['F', 'Moved']);
  const page = { folder: '', kinds: ['note'], sort: 'path', limit: 10, offset: 0 } as const;
  const files = await vault.store.files(wholeVault, page);
  expect(files.items.map((file) => file.path)).toEqual([
    'Moved/G/b.md',
    'Moved/G/new.md',
    'Moved/a.md',
    'c.md',
  ]);
  expect((await vault.tags()).map(([tag]) => tag)).toEqual(['#four', '#one', '#three', '#two']);
  disk.erase('Moved');
  vault.tell({ folders: [vaultPath('Moved')] });
  await keeper.settle();
  expect(walked.slice(2)).toEqual(['Moved']);
  expect(await vault.tags()).toEqual([['#three', 1]]);
  await keeper.close();
});

test('a file that takes the place of a folder is found, and a folder in the place of a file', async () => {
  const vault = await openBurstVault({ 'x.md/a.md': '#inside', 'y.md': '#file' });
  const { disk, keeper } = vault;
  disk.erase('x.md');
  disk.write('x.md', '#now-file');
  disk.erase('y.md');
  disk.write('y.md/b.md', '#now-inside');
  const both = ['x.md', 'y.md'].map(vaultPath);
  vault.tell({ folders: both, paths: both });
  await keeper.settle();
  expect((await vault.tags()).map(([tag]) => tag)).toEqual(['#now-file', '#now-inside']);
  await keeper.close();
});

test('whoever waits for a folder is answered when all that is in it can be asked for', async () => {
  const vault = await openBurstVault({ 'a.md': '' });
  for (let n = 0; n < 200; n++) vault.disk.write(`New/n${n}.md`, '#new');
  await vault.keeper.refresh([vaultPath('New'), vaultPath('a.md')]);
  expect(await vault.tags()).toEqual([['#new', 200]]);
  expect(vault.walked).toEqual(['New']);
  await vault.keeper.close();
});

test('where symlinks to folders are followed, everything is walked', async () => {
  const vault = await openBurstVault({ 'a.md': '' });
  const { source } = vault.disk;
  const { walk } = source;
  source.walk = function* (folder) {
    return { ...(yield* walk(folder)), followsLinks: true as const };
  };
  vault.disk.write('New/b.md', '#new');
  await vault.keeper.refresh([vaultPath('New')]);
  expect(vault.walked).toEqual(['New', '']);
  vault.disk.write('New/c.md', '#new');
  await vault.keeper.refresh([vaultPath('New')]);
  expect(vault.walked).toEqual(['New', '', '']);
  expect(await vault.tags()).toEqual([['#new', 2]]);
  await vault.keeper.close();
});

test('what could not be read is known until it can be, or is gone, also after a walk', async () => {
  const { disk, keeper, tell } = await openBurstVault({ 'a.md': '#one', 'b.md': '#two' });
  disk.lock('a.md', true);
  disk.lock('b.md', true);
  tell({ paths: ['a.md', 'b.md'].map(vaultPath) });
  await keeper.settle();
  expect(Array.from(keeper.unread.keys())).toEqual(['a.md', 'b.md']);
  disk.erase('b.md');
  await keeper.reconcile();
  expect(Array.from(keeper.unread.keys())).toEqual(['a.md']);
  disk.lock('a.md', false);
  await keeper.reconcile();
  expect(Array.from(keeper.unread.keys())).toEqual([]);
  await keeper.close();
});

test('a file in place of a folder ends what was in it, although only its own path is looked at', async () => {
  const vault = await openBurstVault({ 'X/a.md': '#old', 'b.md': '#b' });
  const { disk, keeper } = vault;
  await disk.remove(vaultPath('X/a.md'));
  await disk.removeFolder(vaultPath('X'));
  disk.write('X', 'no note');
  await keeper.refresh([vaultPath('X')]);
  expect(await vault.tags()).toEqual([['#b', 1]]);
  expect(vault.walked).toEqual([]);
  await keeper.close();
});
