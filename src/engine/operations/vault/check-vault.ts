import { rightTo } from '../../../base/caller.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Recovered } from '../../vault/vault-parts.ts';
import { checkIndex } from './check-index.ts';
import type { IndexDifference } from './compare-indexes.ts';

interface CheckAnswer {
  /** Where the index differs from one built from scratch. Any difference is a bug of ours. */
  readonly index: readonly IndexDifference[];
  /** What is wrong in the text of files, such as properties that are not valid YAML. */
  readonly problems: readonly { path: VaultPath; code: string; message: string }[];
  /** Conflict copies that sync programs made. We never touch them. */
  readonly conflicts: readonly { path: VaultPath; conflictOf: VaultPath }[];
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
  /** Names of files that cannot be written as a vault path. */
  readonly unreachable: readonly string[];
  /** Files and folders that could not be read, and why. */
  readonly refused: readonly { path: string; reason: string }[];
  /** Problems in the vault's settings, as sentences. */
  readonly settings: readonly string[];
  readonly files: number;
  /** What a file cannot keep on this system when we write it, as sentences. */
  readonly writing: readonly string[];
  /** Changes of processes that died, which this call finished or took back. */
  readonly recovered: readonly Pick<Recovered, 'id' | 'tool' | 'outcome' | 'kept'>[];
  /** Why such changes could not be finished or taken back now, as sentences. */
  readonly unrecovered: readonly string[];
}

/**
 * Checks the whole vault: compares the index with one built from scratch, and lists problems in the
 * vault's files. Changes no file, except that for callers who may write it first finishes or takes
 * back the changes of processes that died.
 */
export async function checkVault(vault: BoundVault): Promise<CheckAnswer> {
  const { keeper, disk } = vault.vault.parts;
  const { scopes } = vault.caller;
  const { recovered, unrecovered } =
    rightTo('write', scopes.effects) === 'do'
      ? await recover(vault)
      : { recovered: [], unrecovered: [] };
  await vault.ask('text', async () => undefined);
  const differences = await checkIndex(vault.vault.parts);
  const view = vault.view();
  // A line of a difference can quote any note, so a caller who may not see every note learns only how
  // many differences there are.
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
    unrecovered,
  }));
}

/**
 * Finishes or takes back the changes of processes that died. If that fails, the rest of the vault is
 * still checked.
 */
async function recover({
  vault,
  caller,
}: BoundVault): Promise<{ recovered: readonly Recovered[]; unrecovered: readonly string[] }> {
  try {
    return { recovered: await vault.writer.recover(caller.signal), unrecovered: [] };
  } catch (error) {
    const { code, message } = toVaultError(error);
    if (code === 'vault_not_found' || code === 'cancelled' || code === 'internal') throw error;
    return { recovered: [], unrecovered: [message] };
  }
}
