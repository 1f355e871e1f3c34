import { rightTo } from '../../../base/caller.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import { callerProgress } from '../../ports/index-progress.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Recovered } from '../../vault/vault-parts.ts';
import { checkIndex } from './check-index.ts';
import type { IndexDifference } from './compare-indexes.ts';
import { type BadAttachment, listBadAttachments } from './list-bad-attachments.ts';
import { listProblems, type VaultProblems } from './list-problems.ts';

interface CheckAnswer extends VaultProblems {
  /** Where the index differs from one built from scratch. Any difference is a bug of ours. */
  readonly index: readonly IndexDifference[];
  /** Pictures, sounds, films and PDFs that cannot be shown, and why. */
  readonly attachments: readonly BadAttachment[];
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
  const { scopes } = vault.caller;
  const { recovered, unrecovered } =
    rightTo('write', scopes.effects) === 'do'
      ? await recover(vault)
      : { recovered: [], unrecovered: [] };
  await vault.ask('text', async () => undefined);
  const { progress, signal } = vault.caller;
  const differences = await checkIndex(vault.vault.parts, {
    reconcile: true,
    signal,
    onProgress: (at) =>
      progress?.(
        at.stage === 'ready'
          ? { done: at.done, message: 'comparing the index with a new one' }
          : callerProgress(at),
      ),
  });
  // A line of a difference can quote any note, so a caller who may not see every note learns only how
  // many differences there are.
  const index = seesAll(vault.view())
    ? differences
    : differences.map(({ in: side }) => ({ in: side, line: 'not shown' }));
  const listed = await listProblems(vault);
  // A PDF that could not be read for the index is one of these problems already.
  const named = new Set(listed.problems.map(({ path }) => path));
  return {
    ...listed,
    attachments: (await listBadAttachments(vault)).filter(({ path }) => !named.has(path)),
    index,
    recovered: recovered.map(({ id, tool, outcome, kept }) => ({ id, tool, outcome, kept })),
    unrecovered,
  };
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
