import type { VaultPath } from '../../../base/vault-path.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Recovered } from '../../vault/vault-parts.ts';
import { checkIndex } from './check-index.ts';
import type { IndexDifference } from './compare-indexes.ts';

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
  const differences = await checkIndex(vault.vault.parts);
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
