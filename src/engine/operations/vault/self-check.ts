import { IndexKeeper } from '../../index/index-keeper.ts';
import type { IndexStore } from '../../ports/index-store.ts';
import type { Scanner } from '../../ports/ports.ts';
import type { VaultParts } from '../../vault/vault-parts.ts';

/** A line that only one of the two indexes has. */
export interface IndexDifference {
  readonly in: 'kept' | 'rebuilt';
  readonly line: string;
}

/**
 * Compares the kept index with one built from scratch in memory. Reconciles first, so that both
 * have seen the same disk, unless told not to. An empty answer means they are equal; anything else is a bug of ours, or files that
 * changed while it ran. Costs a full build.
 */
export async function selfCheck(
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
    return await compare(await parts.keeper.store(), await scratch.store());
  } finally {
    await scratch.close();
  }
}

/** The scanner is the vault's own; the scratch index only borrows it. */
function keepOpen(scanner: Scanner): Scanner {
  return {
    walk: (folder, onBatch) => scanner.walk(folder, onBatch),
    scan: (paths, want, onBatch) => scanner.scan(paths, want, onBatch),
    close: () => Promise.resolve(),
  };
}

/** Lines that one index has and the other lacks. Both dumps are sorted. */
export async function compare(
  kept: IndexStore,
  rebuilt: IndexStore,
): Promise<readonly IndexDifference[]> {
  const ours = await linesOf(kept);
  const theirs = await linesOf(rebuilt);
  return [
    ...Array.from(ours).flatMap((line) =>
      theirs.has(line) ? [] : [{ in: 'kept' as const, line }],
    ),
    ...Array.from(theirs).flatMap((line) =>
      ours.has(line) ? [] : [{ in: 'rebuilt' as const, line }],
    ),
  ];
}

async function linesOf(store: IndexStore): Promise<Set<string>> {
  const all = new Set<string>();
  await store.dump((lines) => {
    for (const line of lines) all.add(line);
  });
  return all;
}
