import { VaultError } from '../../../base/vault-error.ts';
import { IndexKeeper } from '../../index/index-keeper.ts';
import type { IndexProgress } from '../../ports/index-progress.ts';
import type { IndexStore } from '../../ports/index-store.ts';
import type { Scanner } from '../../ports/ports.ts';
import type { VaultParts } from '../../vault/vault-parts.ts';
import type { IndexDifference } from './compare-indexes.ts';
import { compareIndexes } from './compare-indexes.ts';

interface CheckIndexOptions {
  /** Whether the vault's index is first brought up to date with the disk. */
  readonly reconcile: boolean;
  /** Ends the build early. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

/**
 * Compares the vault's index with one that it builds from scratch in memory, and returns the lines
 * of `IndexStore.dump` in which they differ. A difference is a bug of ours, unless files changed
 * during the call. Costs a full build. Fails with `cancelled` when the signal is aborted.
 */
export async function checkIndex(
  parts: VaultParts,
  options: CheckIndexOptions = { reconcile: true },
): Promise<readonly IndexDifference[]> {
  const { signal, onProgress } = options;
  if (options.reconcile) await parts.keeper.reconcile();
  const scratch = new IndexKeeper({
    disk: parts.disk,
    scanner: scannerUntil(parts.scanner, signal),
    clock: parts.clock,
    timers: parts.timers,
    openStore: parts.openScratchIndex,
  });
  try {
    scratch.start();
    await scratch.wait('text', {
      waitMs: Number.POSITIVE_INFINITY,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    await scratch.settle();
    onProgress?.(scratch.progress);
    return await compareWithKept(parts, await scratch.store());
  } finally {
    await scratch.close();
  }
}

async function compareWithKept(
  { keeper, openIndexAgain }: Pick<VaultParts, 'keeper' | 'openIndexAgain'>,
  rebuilt: IndexStore,
): Promise<readonly IndexDifference[]> {
  const again = await openIndexAgain?.();
  try {
    return await compareIndexes(again ?? (await keeper.store()), rebuilt);
  } finally {
    await again?.close();
  }
}

/**
 * The vault's own scanner for the scratch index, which must not close it. What it does for the
 * scratch index ends when the signal is aborted.
 */
function scannerUntil(scanner: Scanner, signal: AbortSignal | undefined): Scanner {
  const until =
    <Batch>(onBatch: (batch: Batch) => Promise<void>) =>
    async (batch: Batch): Promise<void> => {
      if (signal?.aborted) throw new VaultError('cancelled', 'The check was cancelled.');
      await onBatch(batch);
    };
  return {
    walk: (folder, onBatch) => scanner.walk(folder, until(onBatch)),
    scan: (paths, want, onBatch) => scanner.scan(paths, want, until(onBatch)),
    naming: (paths, segments) => scanner.naming(paths, segments),
    hurry: () => scanner.hurry(),
    titled: (beginnings) => scanner.titled(beginnings),
    mentioning: (paths, beginnings) => scanner.mentioning(paths, beginnings),
    close: () => Promise.resolve(),
  };
}
