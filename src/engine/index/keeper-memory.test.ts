import { expect, it } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import type { IndexStore } from '../ports/index-store.ts';
import { wholeVault } from '../ports/view.ts';
import { IndexKeeper } from './index-keeper.ts';

// An index whose file cannot be written is built in memory.

const unusable = new VaultError('io_failed', 'No room.', { details: { unusable: true } });

/** `meanwhile` is called whenever an index is being opened or closed, which waits for it. */
function keeperOf({
  bytesMax,
  meanwhile,
}: {
  bytesMax?: number;
  meanwhile?: () => Promise<unknown>;
} = {}) {
  const disk = memoryDisk(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, `#tag${at}`])),
  );
  const opened: string[] = [];
  const keeper = new IndexKeeper({
    disk,
    scanner: memoryScanner(disk),
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: async ({ inMemory }) => {
      opened.push(inMemory ? 'memory' : 'file');
      await meanwhile?.();
      if (!inMemory) throw unusable;
      const limit = bytesMax === undefined ? {} : { bytesMax };
      const store = await openSqliteIndex({ file: ':memory:', ...limit });
      const close = store.close.bind(store);
      store.close = async () => {
        await meanwhile?.();
        await close();
      };
      return store;
    },
  });
  return { keeper, opened };
}

it('a keeper whose index cannot be opened builds it in memory', async () => {
  const { keeper, opened } = keeperOf();
  expect(await keeper.wait('text', { waitMs: 10_000 })).toBe(true);
  expect(await (await keeper.store()).tags(wholeVault)).toHaveLength(60);
  expect(opened).toEqual(['file', 'memory']);
  await keeper.close();
});

it('an index in memory is opened once, whoever asks while it is being opened', async () => {
  const { keeper, opened } = keeperOf({
    meanwhile: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  const waiting = keeper.wait('text', { waitMs: 10_000 });
  const asking = (async () => {
    for (let n = 0; n < 20; n++) {
      await keeper.store().catch(() => undefined); // The file cannot be opened.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  expect(await waiting).toBe(true);
  await asking;
  expect(await (await keeper.store()).tags(wholeVault)).toHaveLength(60);
  expect(opened.filter((where) => where === 'memory')).toEqual(['memory']);
  await keeper.close();
});

it('a call that comes after the vault was closed fails at once', async () => {
  const { keeper } = keeperOf();
  await keeper.wait('text', { waitMs: 10_000 });
  await keeper.close();
  await expect(keeper.refresh([vaultPath('1.md')])).rejects.toMatchObject({ code: 'cancelled' });
});

it('an index in memory has a limit, beyond which the call that needs it fails', async () => {
  const { keeper, opened } = keeperOf({ bytesMax: 64 * 1024 });
  await expect(keeper.wait('text', { waitMs: 10_000 })).rejects.toMatchObject({
    code: 'io_failed',
    details: { unusable: true },
  });
  expect(opened).toEqual(['file', 'memory']);
  // Later its disk may have room.
  await expect(keeper.reconcile()).rejects.toMatchObject({ details: { unusable: true } });
  expect(opened).toEqual(['file', 'memory', 'file', 'memory']);
  await keeper.close();
});

it('whoever asks while an index in memory is opened, or opened again, gets the one that is built', async () => {
  let asked: Promise<IndexStore>[] = [];
  const ask = (): void => {
    // Again as soon as an opening has failed, before the keeper itself has tried again.
    const asking = keeper.store().catch(() => keeper.store());
    asking.catch(() => undefined); // When it is closed.
    asked.push(asking);
  };
  const { keeper, opened } = keeperOf({
    meanwhile: async () => {
      ask();
      await new Promise((resolve) => setTimeout(resolve, 20));
      ask();
    },
  });
  expect(await keeper.wait('text', { waitMs: 10_000 })).toBe(true);
  expect(opened).toEqual(['file', 'memory']);
  expect(new Set(await Promise.all(asked)).size).toBe(1);
  asked = [];
  keeper.rebuild();
  expect(await keeper.wait('text', { waitMs: 10_000 })).toBe(true);
  expect(opened).toEqual(['file', 'memory', 'memory']);
  const stores = new Set([...(await Promise.all(asked)), await keeper.store()]);
  expect(stores.size).toBe(1);
  for (const store of stores) expect(await store.tags(wholeVault)).toHaveLength(60);
  await keeper.close();
});

it('an index that a question has found unusable is built in memory, also when work on it fails then', async () => {
  const disk = memoryDisk({ 'a.md': '#one' });
  const opened: string[] = [];
  let fail: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    fail = resolve;
  });
  let isWalked: () => void = () => undefined;
  const walking = new Promise<void>((resolve) => {
    isWalked = resolve;
  });
  const keeper = new IndexKeeper({
    disk,
    scanner: memoryScanner(disk),
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: async ({ inMemory }) => {
      opened.push(inMemory ? 'memory' : 'file');
      const store = await openSqliteIndex({ file: ':memory:' });
      if (inMemory) return store;
      store.seen = async () => {
        isWalked();
        await isAsked;
        throw unusable;
      };
      return store;
    },
  });
  const waiting = keeper.wait('text', { waitMs: 10_000 });
  await walking;
  keeper.rebuild({ inMemory: true });
  fail();
  expect(await waiting).toBe(true);
  expect(opened).toEqual(['file', 'memory']);
  expect(await (await keeper.store()).tags(wholeVault)).toHaveLength(1);
  await keeper.close();
});

it('an index that could not be asked once is walked later', async () => {
  const disk = memoryDisk({ 'a.md': '#one' });
  let fails = 1;
  const keeper = new IndexKeeper({
    disk,
    scanner: memoryScanner(disk),
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: async () => {
      const store = await openSqliteIndex({ file: ':memory:' });
      const status = store.status.bind(store);
      store.status = async (view) => {
        if (fails-- > 0) throw new VaultError('io_failed', 'Busy.');
        return status(view);
      };
      return store;
    },
  });
  await keeper.wait('text', { waitMs: 10_000 }).catch(() => undefined);
  await keeper.reconcile();
  expect(await (await keeper.store()).tags(wholeVault)).toHaveLength(1);
  await keeper.close();
});
