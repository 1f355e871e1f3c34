import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ListedProposal, NewProposal, Proposal } from '../../engine/ports/proposals.ts';
import type { ChangeId, ProposalId } from '../../engine/ports/state-store.ts';
import { askerId } from './asker-id.ts';
import { storableOrNull } from './storable-text.ts';

/** A row of the table `proposal`, as lists need it; see `stateSchemas`. */
export interface ListedRow {
  readonly id: number;
  readonly time: number;
  readonly state: Proposal['state'];
  readonly change: ChangeId | null;
  readonly reason: string | null;
  readonly decided: number | null;
  readonly listed: string;
}

export interface ProposalRow extends ListedRow {
  readonly call: string;
  readonly plan: string;
}

/** What is stored of a new proposal in its row. Fails with `too_large` when that is too much. */
export function proposalColumns(proposal: NewProposal) {
  const { timeMs, plannedMs, diff, basis, asker, tool, args, ...rest } = proposal;
  const listed = JSON.stringify({ asker, tool, args, basis });
  const call = JSON.stringify(rest);
  const plan = JSON.stringify({ plannedMs, diff });
  const bytes = checkedBytes(listed, call, plan);
  return {
    time: timeMs,
    state: 'open',
    asker: askerId(asker),
    connection: storableOrNull(asker.connection),
    bytes,
    listed,
    call,
    plan,
  };
}

/** The column `listed` of a proposal that gets another plan. */
export function replannedColumn(
  { listed }: Pick<ListedRow, 'listed'>,
  basis: Proposal['basis'],
): string {
  return JSON.stringify({ ...(JSON.parse(listed) as object), basis, replanned: true });
}

/** The rooms that a new proposal needs: among all that are open, and among those of its asker. */
export function proposalRooms() {
  const { proposalsMax, proposalsBytesMax, proposalsOfOneMax, proposalsOfOneBytesMax } = limits;
  return [
    { own: false, count: proposalsMax, bytes: proposalsBytesMax },
    { own: true, count: proposalsOfOneMax, bytes: proposalsOfOneBytesMax },
  ] as const;
}

export function storedProposal(row: ProposalRow): Proposal {
  return {
    ...(JSON.parse(row.call) as Pick<Proposal, 'scopes' | 'toolset' | 'input' | 'settings'>),
    ...(JSON.parse(row.plan) as Pick<Proposal, 'plannedMs' | 'diff'>),
    ...listedProposal(row),
  };
}

export function listedProposal(row: ListedRow): ListedProposal {
  return {
    ...(JSON.parse(row.listed) as Pick<
      Proposal,
      'asker' | 'tool' | 'args' | 'basis' | 'replanned'
    >),
    timeMs: row.time,
    id: `p${row.id}`,
    state: row.state,
    ...(row.change === null ? {} : { change: row.change }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.decided === null ? {} : { decidedMs: row.decided }),
  };
}

/** The bytes of a proposal as it is stored. Fails with `too_large` when they are too many. */
export function checkedBytes(...texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= limits.proposalBytesMax) return bytes;
  throw new VaultError(
    'too_large',
    `A proposal may have ${limits.proposalBytesMax} bytes together with its diff, and this one has ${bytes}; propose it in several parts.`,
    { details: { bytes, max: limits.proposalBytesMax } },
  );
}

/** That a proposal is not open any more, so that it is not carried out. */
export function proposalClosed(id: ProposalId): VaultError {
  return new VaultError(
    'conflict',
    `${id} was not carried out: meanwhile it was accepted or refused elsewhere, or became too old.`,
    { details: { proposal: id } },
  );
}

export function tooManyProposals(found: { open: number; bytes: number }): VaultError {
  return new VaultError(
    'busy',
    'Too many proposals already wait for the owner of the vault, so this one was not kept. Try again when the owner has decided some.',
    { details: { ...found, retryAfterMs: limits.brakeMs } },
  );
}
