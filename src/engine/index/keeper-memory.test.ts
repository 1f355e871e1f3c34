import { expect, it } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import { wholeVault } from '../ports/view.ts';
import { IndexKeeper } from './index-keeper.ts';

// An index whose file cannot be written is built in memory.

const unusable = new VaultError('io_failed', 'No room.', { details: { unusable: true } });

function keeperOf({ bytesMax, openMs = 0 }: { bytesMax?: number; openMs?: number } = {}) {
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
      await new Promise((resolve) => setTimeout(resolve, openMs));
      if (!inMemory) throw unusable;
      return openSqliteIndex({ file: ':memory:', ...(bytesMax === undefined ? {} : { bytesMax }) });
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
  const { keeper, opened } = keeperOf({ openMs: 20 });
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
