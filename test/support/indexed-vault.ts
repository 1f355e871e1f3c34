import { IndexKeeper } from '../../src/engine/index-keeper.ts';
import type { IndexStore } from '../../src/engine/index-store.ts';
import type { Disk, Scanner, Timers } from '../../src/engine/ports.ts';
import { Vault } from '../../src/engine/vault.ts';
import { openLocalScanner } from '../../src/node/local-scanner.ts';
import { openNodeDisk } from '../../src/node/node-disk.ts';
import { nodeClock } from '../../src/node/node-ports.ts';
import { openScanSource } from '../../src/node/scan-source.ts';
import { openSqliteIndex } from '../../src/sqlite/sqlite-index-store.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { memoryScanner } from './memory-disk.ts';

/** A vault with its index in memory, on this thread: the program's own parts, without workers. */
export interface IndexedVault {
  readonly vault: Vault;
  readonly keeper: IndexKeeper;
  readonly store: IndexStore;
  close(): Promise<void>;
}

/** Timers that keep the test alive while it waits. */
const testTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

const openStore = (): Promise<IndexStore> => openSqliteIndex({ file: ':memory:' });

/** Opens a vault on a disk in memory and waits until it is indexed. */
export function indexMemoryVault(disk: MemoryDisk): Promise<IndexedVault> {
  return index(disk, memoryScanner(disk), disk.clock);
}

/** Opens a vault in a folder and waits until it is indexed. */
export function indexFolder(folder: string): Promise<IndexedVault> {
  const source = openScanSource(folder, { allowRoots: [] });
  const scanner = openLocalScanner({ source, clock: nodeClock });
  return index(openNodeDisk(folder), scanner, nodeClock);
}

async function index(
  disk: Disk,
  scanner: Scanner,
  clock: { nowMs(): number },
): Promise<IndexedVault> {
  const keeper = new IndexKeeper({ disk, scanner, clock, timers: testTimers, openStore });
  keeper.start();
  await keeper.settle();
  const vault = new Vault({
    name: 'test',
    location: 'test',
    disk,
    scanner,
    keeper,
    clock,
    timers: testTimers,
    openScratchIndex: openStore,
  });
  return { vault, keeper, store: await keeper.store(), close: () => vault.close() };
}
