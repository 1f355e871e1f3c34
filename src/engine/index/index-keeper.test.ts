import { describe, expect, it } from 'vitest';
import { indexMemoryVault } from '../../../test/support/indexed-vault.ts';
import { type MemoryDisk, memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import type { Watcher, WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { WrittenFile } from '../text/written-file.ts';
import { SharedWatcher } from '../watch/shared-watcher.ts';
import { IndexKeeper } from './index-keeper.ts';

const a = vaultPath('a.md');

async function tagsOf(
  store: Awaited<ReturnType<typeof indexMemoryVault>>['store'],
): Promise<string[]> {
  return (await store.tags(wholeVault)).map((row) => row.tag);
}

describe('IndexKeeper', () => {
  it('indexes what is there and follows what changes', async () => {
    const disk = memoryDisk({ 'a.md': '#one', 'b.md': '[[a]]' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    expect(await tagsOf(store)).toEqual(['#one']);
    disk.write('a.md', '#two');
    await keeper.refresh([a]);
    expect(await tagsOf(store)).toEqual(['#two']);
    disk.erase('a.md');
    await keeper.refresh([a]);
    expect(await tagsOf(store)).toEqual([]);
    expect((await store.unresolved(wholeVault, { limit: 5, offset: 0 })).items).toEqual([
      { link: 'a', count: 1, sources: ['b.md'] },
    ]);
    await close();
  });

  it('tells what it has looked at, until nobody listens any more', async () => {
    const disk = memoryDisk({ 'a.md': '' });
    const { keeper, close } = await indexMemoryVault(disk);
    const told: unknown[] = [];
    const stop = keeper.onLooked((looked) => told.push(looked));
    await keeper.refresh([a]);
    await keeper.reconcile();
    expect(told).toEqual([['a.md'], 'all']);
    stop();
    await keeper.refresh([a]);
    expect(told).toHaveLength(2);
    await close();
  });

  it('reads one file when one file changed', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`n${i}.md`, `[[n${i + 1}]]`]),
    );
    const disk = memoryDisk(files);
    const { keeper, close } = await indexMemoryVault(disk);
    disk.write('n5.md', 'changed');
    disk.resetCalls();
    await keeper.refresh([vaultPath('n5.md')]);
    expect(disk.calls).toMatchObject({ read: 1, scanned: 0, stat: 0, walk: 0 });
    disk.resetCalls();
    await keeper.reconcile();
    expect(disk.calls).toMatchObject({ scanned: 0, walk: 1 });
    await close();
  });

  it('leaves many files, and large ones, to the scanner', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.md`);
    const disk = memoryDisk(Object.fromEntries(names.map((name) => [name, ''])));
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.write('n1.md', `#large ${'x'.repeat(limits.largeReadBytes)}`);
    disk.resetCalls();
    await keeper.refresh([vaultPath('n1.md')]);
    expect(disk.calls).toMatchObject({ scanned: 1 });
    for (const name of names) disk.write(name, `#${name.slice(0, -3)}`);
    disk.resetCalls();
    await keeper.refresh(names.map(vaultPath));
    expect(disk.calls).toMatchObject({ read: 0, scanned: 20 });
    expect(await tagsOf(store)).toHaveLength(20);
    await close();
  });

  it('reads a racy file again at the next look, though its stamp is the same', async () => {
    const disk = memoryDisk({}, { stepMs: 0 });
    disk.write('a.md', '#one');
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.write('a.md', '#two', { keepStamp: true });
    await keeper.reconcile();
    expect(await tagsOf(store)).toEqual(['#two']);
    expect(
      (
        await store.search(
          wholeVault,
          { kind: 'text', text: 'two', quoted: false },
          {
            limit: 5,
            offset: 0,
          },
        )
      ).total,
    ).toBe(1);
    await close();
  });

  it('does not read what was just written, unless the file is reported before', async () => {
    const disk = memoryDisk({ 'a.md': '#one' }, { stepMs: 0 });
    let tell: (report: WatchReport) => void = () => undefined;
    const keeper = unbegunKeeper(disk, async (listener) => {
      tell = listener;
    });
    await keeper.wait('text', { waitMs: 60_000 });
    const store = await keeper.store();
    const written = async (text: string): Promise<WrittenFile> => {
      disk.write('a.md', text);
      const { bytes, version, stat } = await disk.read(a, { bytesMax: 100 });
      const file = new WrittenFile(a, version, bytes);
      file.placed(stat);
      disk.resetCalls();
      return file;
    };
    await keeper.refresh([a], [await written('#two [[b]]')]);
    expect(disk.calls).toMatchObject({ read: 0, scanned: 0, stat: 0 });
    expect(await tagsOf(store)).toEqual(['#two']);
    expect(await store.linksFrom(wholeVault, a)).toHaveLength(1);
    // Another program has written in the same moment: the event says so, whether it comes later …
    disk.write('a.md', '#new [[b]]', { keepStamp: true });
    tell({ paths: [a], folders: [], reconcile: false });
    await keeper.settle();
    expect(await tagsOf(store)).toEqual(['#new']);
    // … or before the index has looked.
    const file = await written('#four');
    disk.write('a.md', '#five');
    const looked = keeper.refresh([a], [file]);
    tell({ paths: [a], folders: [], reconcile: false });
    await looked;
    await keeper.settle();
    expect(await tagsOf(store)).toEqual(['#five']);
    await keeper.close();
  });

  it('reads a racy file that it has read itself again, and stores only another content', async () => {
    const disk = memoryDisk({ 'a.md': '#one' }, { stepMs: 0 });
    let tell: (report: WatchReport) => void = () => undefined;
    const keeper = unbegunKeeper(disk, async (listener) => {
      tell = listener;
    });
    await keeper.wait('text', { waitMs: 60_000 });
    const store = await keeper.store();
    const look = async (): Promise<number> => {
      disk.resetCalls();
      tell({ paths: [a], folders: [], reconcile: false });
      await keeper.settle();
      return disk.calls.scanned;
    };
    disk.write('a.md', '#two');
    await keeper.refresh([a]);
    // Still racy, so it is read at each look.
    expect([await look(), disk.calls.read, await look(), disk.calls.read]).toEqual([0, 1, 0, 1]);
    disk.write('a.md', '#six', { keepStamp: true });
    expect(await look()).toBe(1);
    expect(await tagsOf(store)).toEqual(['#six']);
    await keeper.refresh([a]);
    disk.tree.nowMs += limits.racyMs;
    expect([await look(), disk.calls.read]).toEqual([0, 1]);
    // From then on its stamp says whether it has changed.
    expect([await look(), disk.calls.read]).toEqual([0, 0]);
    await keeper.close();
  });

  it('knows a file that is not here by its name only, and never reads it', async () => {
    const disk = memoryDisk({ 'b.md': '[[a]]' });
    disk.write('a.md', '#secret', { present: false });
    disk.resetCalls();
    const { store, close } = await indexMemoryVault(disk);
    expect(await tagsOf(store)).toEqual([]);
    expect((await store.linksFrom(wholeVault, vaultPath('b.md')))[0]?.target).toBe('a.md');
    expect((await store.status(wholeVault)).absent).toBe(1);
    expect(disk.calls.scanned).toBe(2); // b.md, once for its facts and once for its text.
    await close();
  });

  it('walks a folder that appeared under a path it looked at', async () => {
    const disk = memoryDisk({ 'a.md': '' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.write('New/b.md', '#new');
    await keeper.refresh([vaultPath('New')]);
    expect(await tagsOf(store)).toEqual(['#new']);
    disk.erase('New');
    await keeper.refresh([vaultPath('New')]);
    expect(await tagsOf(store)).toEqual([]);
    await close();
  });

  it('tells of a failure, and tries again when something is reported', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    const { walk } = disk.source;
    disk.source.walk = () => {
      throw new VaultError('vault_not_found', 'The vault is gone.');
    };
    await expect(keeper.reconcile()).rejects.toThrow('The vault is gone.');
    await expect(keeper.wait('facts', { waitMs: 10 })).rejects.toThrow('The vault is gone.');
    disk.source.walk = walk;
    disk.write('b.md', '#two');
    await keeper.refresh([a]);
    expect(await tagsOf(store)).toEqual(['#one', '#two']);
    await close();
  });

  it.each(['damaged', 'unusable'])(
    'throws an index away that turns out to be %s, and builds it anew',
    async (how) => {
      const disk = memoryDisk({ 'a.md': '#one' });
      const { keeper, vault, close } = await indexMemoryVault(disk);
      const before = await keeper.store();
      before.tags = () => {
        throw new VaultError('io_failed', 'It fails.', { details: { [how]: true } });
      };
      const caller = {
        door: 'cli',
        scopes: allScopes,
        signal: new AbortController().signal,
        deadlineMs: 5_000,
      } as const;
      const tags = await vault.bind(caller).ask('facts', (opened) => opened.tags(wholeVault));
      expect(tags.map((row) => row.tag)).toEqual(['#one']);
      expect(await keeper.store()).not.toBe(before);
      await close();
    },
  );

  it('forgets what a file said when it may not be read any more, but not its name', async () => {
    const disk = memoryDisk({ 'a.md': '#one', 'b.md': '[[a]]' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.lock('a.md', true);
    await keeper.refresh([a]);
    expect(await tagsOf(store)).toEqual([]);
    expect((await store.linksFrom(wholeVault, vaultPath('b.md')))[0]?.target).toBe('a.md');
    expect(Array.from(keeper.unread)).toEqual([
      ['a.md', '"a.md" may not be read: check its permissions.'],
    ]);
    disk.lock('a.md', false);
    await keeper.reconcile();
    expect(await tagsOf(store)).toEqual(['#one']);
    await close();
  });

  it('keeps the index when the vault itself is gone', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    const { list } = disk;
    disk.erase('a.md');
    disk.list = async () => undefined;
    await expect(keeper.reconcile()).rejects.toMatchObject({ code: 'vault_not_found' });
    expect(await tagsOf(store)).toEqual(['#one']);
    disk.list = list;
    await keeper.reconcile();
    expect(await tagsOf(store)).toEqual([]);
    await close();
  });

  it('keeps the index when the folder beneath a mount is all that is left', async () => {
    const disk = memoryDisk({ 'a.md': '#one', 'b.md': '[[a]]' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.unmount();
    const gone = { code: 'vault_not_found' };
    await expect(keeper.reconcile()).rejects.toMatchObject(gone);
    await expect(keeper.refresh([a])).rejects.toMatchObject(gone);
    await expect(keeper.wait('facts', { waitMs: 10 })).rejects.toMatchObject(gone);
    expect(await tagsOf(store)).toEqual(['#one']);
    disk.mount();
    expect(await keeper.wait('facts', { waitMs: 60_000 })).toBe(true);
    await keeper.settle();
    expect(await tagsOf(store)).toEqual(['#one']);
    await close();
  });

  it('sees what changed while the vault was away', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    disk.unmount();
    await expect(keeper.reconcile()).rejects.toMatchObject({ code: 'vault_not_found' });
    disk.write('a.md', '#two');
    disk.mount();
    expect(await keeper.wait('text', { waitMs: 60_000 })).toBe(true);
    expect(await tagsOf(store)).toEqual(['#two']);
    await close();
  });

  it('begins anew when the vault was away at the first look', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    disk.unmount();
    let starts = 0;
    const keeper = unbegunKeeper(disk, () => {
      starts += 1;
      return disk.check();
    });
    keeper.start();
    const gone = { code: 'vault_not_found' };
    await expect(keeper.wait('facts', { waitMs: 60_000 })).rejects.toMatchObject(gone);
    await expect(keeper.settle()).rejects.toMatchObject(gone);
    disk.mount();
    const waits = [1, 2, 3].map(() => keeper.wait('text', { waitMs: 60_000 }));
    expect(await Promise.all(waits)).toEqual([true, true, true]);
    expect(await tagsOf(await keeper.store())).toEqual(['#one']);
    expect([starts, disk.calls.walk]).toEqual([2, 1]);
    await keeper.close();
  });

  it('does not forget that its index is damaged while the vault is away', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    const { keeper, store, close } = await indexMemoryVault(disk);
    const { walk } = disk.source;
    disk.source.walk = () => {
      keeper.rebuild(); // Someone who asks it finds out.
      throw new VaultError('vault_not_found', 'The vault is gone.');
    };
    await expect(keeper.reconcile()).rejects.toThrow('The vault is gone.');
    disk.source.walk = walk;
    expect(await keeper.wait('text', { waitMs: 60_000 })).toBe(true);
    expect(await keeper.store()).not.toBe(store);
    expect(await tagsOf(await keeper.store())).toEqual(['#one']);
    await close();
  });

  it('does nothing until it is first waited for, and then has seen all that changed before', async () => {
    const disk = memoryDisk({ 'a.md': '#one' });
    let starts = 0;
    const keeper = unbegunKeeper(disk, async () => {
      starts += 1;
    });
    disk.write('b.md', '#two');
    await keeper.refresh([vaultPath('b.md')]);
    await keeper.reconcile();
    expect([starts, disk.calls.walk]).toEqual([0, 0]);
    expect(await keeper.wait('text', { waitMs: 60_000 })).toBe(true);
    expect(await tagsOf(await keeper.store())).toEqual(['#one', '#two']);
    keeper.start();
    await keeper.settle();
    expect([starts, disk.calls.walk]).toEqual([1, 1]);
    await keeper.close();
  });

  it('can be closed although it never began', async () => {
    const disk = memoryDisk({ 'a.md': '' });
    const keeper = unbegunKeeper(disk, () => Promise.reject(new Error('nobody asked for it')));
    await keeper.close();
    expect(disk.calls.walk).toBe(0);
  });

  it('walks when a folder is reported, unless its name begins with a dot', async () => {
    const disk = memoryDisk({ 'a.md': '' });
    let tell: (report: WatchReport) => void = () => undefined;
    const keeper = unbegunKeeper(disk, async (listener) => {
      tell = listener;
    });
    await keeper.settle();
    disk.resetCalls();
    disk.write('.obsidian/app.json', '{}');
    tell({ paths: [], folders: [vaultPath('.obsidian')], reconcile: false });
    await keeper.settle();
    expect(disk.calls.walk).toBe(0);
    disk.write('New/b.md', '#new');
    tell({ paths: [], folders: [vaultPath('New')], reconcile: false });
    await keeper.settle();
    expect(await tagsOf(await keeper.store())).toEqual(['#new']);
    await keeper.close();
  });
});

/** A keeper that nobody has started, and whose watcher starts as the test says. */
function unbegunKeeper(disk: MemoryDisk, start: Watcher['start']): IndexKeeper {
  const watcher = { start, flush: async () => undefined, close: async () => undefined };
  return new IndexKeeper({
    disk,
    scanner: memoryScanner(disk),
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: () => openSqliteIndex({ file: ':memory:' }),
    watcher: new SharedWatcher(watcher),
  });
}
