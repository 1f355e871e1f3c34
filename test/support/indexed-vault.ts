import { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import { Vault } from '../../src/engine/open/vault.ts';
import type { IndexStore } from '../../src/engine/ports/index-store.ts';
import type { Random, Scanner, Timers, WritableDisk } from '../../src/engine/ports/ports.ts';
import type { TextMatcher } from '../../src/engine/ports/text-matcher.ts';
import type { VaultParts } from '../../src/engine/vault/vault-parts.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openLocalScanner } from '../../src/node/scan/local-scanner.ts';
import { openScanSource } from '../../src/node/scan/scan-source.ts';
import { nodeBase64, nodeClock, nodeHash, nodeTurn } from '../../src/node/system/node-ports.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import { openLocalMatcher } from './local-matcher.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { memoryScanner } from './memory-disk.ts';
import { memoryState, type StateProcess } from './memory-state.ts';

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

/** Tokens and numbers that are the same in every run. */
function countedTokens(): Random {
  let count = 0;
  return { token: () => `t${++count}`, below: (end) => ++count % end };
}

const openStore = (): Promise<IndexStore> => openSqliteIndex({ file: ':memory:' });

/** What a test may put in place of the usual parts. */
export interface VaultOptions {
  /** A process of a state that others share, or that outlives this one. */
  readonly process?: StateProcess;
  readonly parts?: Partial<VaultParts>;
}

/** Opens a vault on a disk in memory and waits until it is indexed. */
export function indexMemoryVault(
  disk: MemoryDisk,
  options: VaultOptions = {},
): Promise<IndexedVault> {
  const matcher = openLocalMatcher(disk.source);
  return index({ disk, scanner: memoryScanner(disk), matcher, clock: disk.clock }, options);
}

/** Opens a vault in a folder and waits until it is indexed. */
export function indexFolder(folder: string, options: VaultOptions = {}): Promise<IndexedVault> {
  const source = openScanSource(folder, { allowRoots: [] });
  const scanner = openLocalScanner({ source, clock: nodeClock });
  const matcher = openLocalMatcher(source);
  return index({ disk: openNodeDisk(folder), scanner, matcher, clock: nodeClock }, options);
}

async function index(
  ports: {
    disk: WritableDisk;
    scanner: Scanner;
    matcher: TextMatcher;
    clock: { nowMs(): number };
  },
  options: VaultOptions,
): Promise<IndexedVault> {
  const { scanner, matcher, clock } = ports;
  const disk = options.parts?.disk ?? ports.disk;
  const keeper = new IndexKeeper({ disk, scanner, clock, timers: testTimers, openStore });
  keeper.start();
  await keeper.settle();
  const { state, lock, questions, proposals, dayTotals } =
    options.process ?? (await memoryState()).open();
  const vault = new Vault({
    name: 'test',
    location: 'test',
    scanner,
    matcher,
    keeper,
    clock,
    timers: testTimers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: countedTokens(),
    state,
    lock,
    questions,
    proposals,
    dayTotals,
    openScratchIndex: openStore,
    ...options.parts,
    disk,
  });
  return { vault, keeper, store: await keeper.store(), close: () => vault.close() };
}
