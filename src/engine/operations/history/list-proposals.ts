import type { ChangeName } from '../../../base/change-name.ts';
import { changeNamer } from '../../change/change-names.ts';
import { historySees } from '../../change/change-row.ts';
import { plannedFiles } from '../../change/plan-basis.ts';
import { askerOf } from '../../decide/asker.ts';
import type { Proposal } from '../../ports/proposals.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FileChange } from '../../vault/draft.ts';

/** A proposal as the one who made it is told of it. */
interface ProposalRow extends Pick<Proposal, 'id' | 'timeMs' | 'tool' | 'state' | 'reason'> {
  /** The change that was made of it, by the caller's own name for it. */
  readonly change?: ChangeName;
  readonly files: readonly FileChange[];
}

/**
 * Lists the changes that the caller itself has proposed, newest first, and what became of them. With
 * `sinceMs`, only those that were proposed or decided since.
 */
export async function listOwnProposals(
  vault: BoundVault,
  { limit, ...since }: { readonly sinceMs?: number; readonly limit: number },
): Promise<{ readonly total: number; readonly items: readonly ProposalRow[] }> {
  const { proposals, clock } = vault.vault.parts;
  const filter = { asker: askerOf(vault.caller), ...since, nowMs: clock.nowMs() };
  const { total, items } = await proposals.list(filter, { limit, offset: 0 });
  const nameOf = await changeNamer(vault);
  const sees = historySees(vault);
  return {
    total,
    items: items.map(({ id, timeMs, tool, state, reason, change, basis }) => ({
      id,
      timeMs,
      tool,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(change === undefined ? {} : { change: nameOf(change) }),
      files: plannedFiles(basis, sees),
    })),
  };
}
