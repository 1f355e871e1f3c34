import { IndexKeeper } from '../../index/index-keeper.ts';
import type { Scanner } from '../../ports/ports.ts';
import type { VaultParts } from '../../vault/vault-parts.ts';
import type { IndexDifference } from './compare-indexes.ts';
import { compareIndexes } from './compare-indexes.ts';

/**
 * Compares the vault's index with one that it builds from scratch in memory, and returns the lines
 * of `IndexStore.dump` in which they differ. A difference is a bug of ours, unless files changed
 * during the call. Brings the vault's index up to date with the disk first, unless `reconcile` is
 * false. Costs a full build.
 */
export async function checkIndex(
  parts: VaultParts,
  options: { readonly reconcile: boolean } = { reconcile: true },
): Promise<readonly IndexDifference[]> {
  if (options.reconcile) await parts.keeper.reconcile();
  const scratch = new IndexKeeper({
    disk: parts.disk,
    scanner: keepOpen(parts.scanner),
    clock: parts.clock,
    timers: parts.timers,
    openStore: parts.openScratchIndex,
  });
  try {
    scratch.start();
    await scratch.settle();
    return await compareIndexes(await parts.keeper.store(), await scratch.store());
  } finally {
    await scratch.close();
  }
}

/** The vault's own scanner for the scratch index, which must not close it. */
function keepOpen(scanner: Scanner): Scanner {
  return {
    walk: (folder, onBatch) => scanner.walk(folder, onBatch),
    scan: (paths, want, onBatch) => scanner.scan(paths, want, onBatch),
    close: () => Promise.resolve(),
  };
}
