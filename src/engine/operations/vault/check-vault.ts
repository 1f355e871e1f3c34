import type { VaultPath } from '../../../base/vault-path.ts';
import { IndexKeeper } from '../../index/index-keeper.ts';
import type { IndexStore } from '../../ports/index-store.ts';
import type { Scanner } from '../../ports/ports.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Recovered, VaultParts } from '../../vault/vault-parts.ts';

interface CheckAnswer {
  /** Lines in which the kept index differs from one built from scratch: always empty, or a bug. */
  readonly index: readonly IndexDifference[];
  readonly problems: readonly { path: VaultPath; code: string; message: string }[];
  /** Copies that sync programs made; they are never touched. */
  readonly conflicts: readonly { path: VaultPath; conflictOf: VaultPath }[];
  /** Files that are listed but not here. */
  readonly absent: number;
  /** Names that no vault path can spell. */
  readonly unreachable: readonly string[];
  /** What could not be looked at, and why. */
  readonly refused: readonly { path: string; reason: string }[];
  readonly settings: readonly string[];
  readonly files: number;
  /** What a changed file cannot keep on this system, as sentences. */
  readonly writing: readonly string[];
  /** Changes whose process had died, which this call finished or took back. */
  readonly recovered: readonly Pick<Recovered, 'id' | 'tool' | 'outcome' | 'kept'>[];
}

/**
 * Looks the whole vault over: compares the index with one built from scratch, and lists what is
 * wrong in the vault itself. Changes nothing in the vault, except that it finishes or takes back
 * what a process that died has left open, for those who may write.
 */
export async function checkVault(vault: BoundVault): Promise<CheckAnswer> {
  const { keeper, disk } = vault.vault.parts;
  const { signal, scopes } = vault.caller;
  const recovered = scopes.effects.includes('write')
    ? await vault.vault.writer.recover(signal)
    : [];
  await vault.ask('text', async () => undefined);
  const differences = await selfCheck(vault.vault.parts);
  const view = vault.view();
  // A line may hold anything of any note: who does not see all of them learns only how many.
  const index = seesAll(view)
    ? differences
    : differences.map(({ in: side }) => ({ in: side, line: 'not shown' }));
  return vault.askNow(async (store) => ({
    index,
    problems: await store.problems(view),
    conflicts: (await store.conflicts(view)).flatMap(({ path, conflictOf }) =>
      conflictOf === undefined ? [] : [{ path, conflictOf }],
    ),
    absent: (await store.status(view)).absent,
    unreachable: keeper.summary.unreachable.filter((name) => vault.sees(name)),
    refused: [
      ...keeper.summary.refused.map(({ path, reason }) => ({ path, reason })),
      ...Array.from(keeper.unread, ([path, reason]) => ({ path, reason })),
    ].filter(({ path }) => vault.sees(path)),
    settings: (await vault.vault.settings()).problems,
    files: (await store.status(view)).files,
    writing: await disk.cannotKeep(),
    recovered: recovered.map(({ id, tool, outcome, kept }) => ({ id, tool, outcome, kept })),
  }));
}

/** A line that only one of the two indexes has. */
interface IndexDifference {
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
