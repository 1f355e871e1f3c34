import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexDifference } from '../self-check.ts';
import { selfCheck } from '../self-check.ts';
import type { BoundVault } from '../vault.ts';
import { seesAll } from '../view.ts';

export interface CheckAnswer {
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
}

/**
 * Looks the whole vault over: compares the index with one built from scratch, and lists what is
 * wrong in the vault itself. Changes nothing in the vault.
 */
export async function checkVault(vault: BoundVault): Promise<CheckAnswer> {
  const { keeper } = vault.vault.parts;
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
      ...keeper.summary.refused,
      ...Array.from(keeper.unread, ([path, reason]) => ({ path, reason })),
    ].filter(({ path }) => vault.sees(path)),
    settings: (await vault.vault.settings()).problems,
    files: (await store.status(view)).files,
  }));
}
