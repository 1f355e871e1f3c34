import type { Caller } from '../../src/base/caller.ts';
import { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import type { IndexKeeperPorts } from '../../src/engine/index/keeper-ports.ts';
import { Vault } from '../../src/engine/open/vault.ts';
import type { Clock, Scanner, Timers } from '../../src/engine/ports/ports.ts';
import type { TextMatcher } from '../../src/engine/ports/text-matcher.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import type { VaultParts } from '../../src/engine/vault/vault-parts.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openRipgrep } from '../../src/node/programs/ripgrep/ripgrep.ts';
import { openLocalScanner } from '../../src/node/scan/local-scanner.ts';
import { openScanSource } from '../../src/node/scan/scan-source.ts';
import {
  nodeBase64,
  nodeClock,
  nodeHash,
  nodeRandom,
  nodeTimers,
  nodeTurn,
} from '../../src/node/system/node-ports.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import { openLocalMatcher } from './local-matcher.ts';
import { type MemoryDisk, memoryDisk, memoryScanner } from './memory-disk.ts';
import { memoryState } from './memory-state.ts';
import { testCaller } from './written-vault.ts';

/** A vault that was never seen, and how far its index gets. */
export interface ColdVault {
  readonly vault: BoundVault;
  readonly disk: MemoryDisk;
  /** Lets the index be built to its end. */
  readonly go: () => void;
  readonly close: () => Promise<void>;
}

interface ColdVaultOptions {
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly caller?: Partial<Caller>;
  /** Whether not even the names of the files are known before `go`. */
  readonly unwalked?: boolean;
  /** Where the index is; in memory if absent. */
  readonly indexFile?: string;
  /** How many of the files the index has read when it stops. */
  readonly read?: number;
}

/**
 * Opens a vault in memory whose index does not get beyond the names of its files, or beyond some of
 * their facts, until `go`. It stops between two batches, where it does what callers wait for.
 */
export async function openColdVault(
  files: Readonly<Record<string, string>> | MemoryDisk,
  options: ColdVaultOptions = {},
): Promise<ColdVault> {
  const disk = isDisk(files) ? files : memoryDisk(files);
  const parts = { disk, scanner: memoryScanner(disk), matcher: openLocalMatcher(disk.source) };
  return { ...(await openStopping(parts, options)), disk };
}

/**
 * Opens a vault in a folder that was never seen: until `go`, not even the names of its files get into
 * the index, but for those that callers have found by reading all files.
 */
export function openUnseenVault(folder: string): Promise<Omit<ColdVault, 'disk'>> {
  const source = openScanSource(folder);
  const scanner = openLocalScanner({ source, clock: nodeClock });
  const parts = {
    disk: openNodeDisk(folder),
    scanner,
    search: openRipgrep({ root: folder, env: process.env, platform: process.platform }),
    matcher: openLocalMatcher(source),
  };
  return openStopping(parts, { unwalked: true });
}

async function openStopping(
  parts: Pick<VaultParts, 'disk' | 'scanner'> &
    Pick<IndexKeeperPorts, 'search'> & { readonly matcher: TextMatcher },
  options: ColdVaultOptions,
): Promise<Omit<ColdVault, 'disk'>> {
  const { clock = nodeClock, timers = nodeTimers } = options;
  const { disk, matcher } = parts;
  const gate = new Gate();
  const isBuilding = (): boolean => keeper.progress.stage === 'facts';
  const scanner = stoppingScanner(parts.scanner, gate, { ...options, isBuilding });
  const keeper: IndexKeeper = new IndexKeeper({
    ...parts,
    scanner,
    clock,
    timers,
    openStore: () => openSqliteIndex({ file: options.indexFile ?? ':memory:' }),
  });
  keeper.start();
  const { state, lock, questions, proposals, dayTotals } = (await memoryState()).open();
  const vault = new Vault({
    name: 'test',
    location: 'test',
    disk,
    scanner,
    keeper,
    clock,
    timers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock,
    questions,
    proposals,
    dayTotals,
    matcher,
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
  return {
    vault: vault.bind(testCaller(options.caller)),
    go: () => gate.open(),
    close: () => {
      gate.open();
      return vault.close();
    },
  };
}

/** A scanner whose first scan for the build stops after `read` files, and only lets others work, until the gate opens. */
function stoppingScanner(
  scanner: Scanner,
  gate: Gate,
  {
    unwalked = false,
    read = 0,
    isBuilding,
  }: ColdVaultOptions & { readonly isBuilding: () => boolean },
): Scanner {
  let isFirst = true;
  return {
    ...scanner,
    walk: async (folder, onBatch) => {
      if (unwalked) await gate.opened;
      return scanner.walk(folder, onBatch);
    },
    scan: async (paths, want, onBatch) => {
      if (!isFirst || !isBuilding()) return scanner.scan(paths, want, onBatch);
      isFirst = false;
      await scanner.scan(paths.slice(0, read), want, onBatch);
      while (!gate.isOpen) {
        await onBatch({ count: 0, failed: [] });
        await nodeTurn();
      }
      await scanner.scan(paths.slice(read), want, onBatch);
    },
  };
}

class Gate {
  isOpen = false;
  #open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  open(): void {
    this.isOpen = true;
    this.#open();
  }
}

function isDisk(files: Readonly<Record<string, string>> | MemoryDisk): files is MemoryDisk {
  return typeof files['check'] === 'function';
}
