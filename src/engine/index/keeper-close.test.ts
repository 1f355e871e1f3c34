import { expect, it } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import { IndexKeeper } from './index-keeper.ts';

const soon = { waitMs: 60_000 };
const cancelled = { code: 'cancelled' };

/** A keeper whose first walk is made; with `hold`, reading the notes waits until the vault is closed. */
async function walked({ hold = false } = {}): Promise<IndexKeeper> {
  const disk = memoryDisk({ 'a.md': '#one' });
  const scanner = memoryScanner(disk);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const keeper = new IndexKeeper({
    disk,
    scanner: {
      ...scanner,
      scan: async (...args) => {
        if (hold) await held;
        await scanner.scan(...args);
      },
      close: async () => release(),
    },
    clock: disk.clock,
    timers: { after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, ms)) },
    openStore: () => openSqliteIndex({ file: ':memory:' }),
  });
  await keeper.wait('names', soon);
  return keeper;
}

it('after it was closed, nobody waits for anything', async () => {
  const keeper = await walked();
  await keeper.close();
  const found = async () => [vaultPath('a.md')];
  await expect(keeper.refresh([vaultPath('a.md')])).rejects.toMatchObject(cancelled);
  await expect(keeper.waitForSome('text', found, soon)).rejects.toMatchObject(cancelled);
  await expect(keeper.wait('text', soon)).rejects.toMatchObject(cancelled);
  await expect(keeper.ask((store) => store.identity())).rejects.toMatchObject(cancelled);
});

it('who waits while it is closed does not wait longer', async () => {
  const keeper = await walked({ hold: true });
  let found = (): void => undefined;
  const finding = new Promise<void>((resolve) => {
    found = resolve;
  });
  const waiting = [
    keeper.wait('facts', soon),
    keeper.refresh([vaultPath('a.md')]),
    // It finds its files only when the vault is closed.
    keeper.waitForSome(
      'text',
      async () => {
        await finding;
        return [vaultPath('a.md')];
      },
      soon,
    ),
  ].map((each) => expect(each).rejects.toMatchObject(cancelled));
  await keeper.close();
  found();
  await Promise.all(waiting);
});
