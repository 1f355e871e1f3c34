import type { ProposalId } from '../ports/state-store.ts';

/**
 * Thrown in place of a change's report when the change was kept as a proposal. It is no failure: the
 * service answers the call with the name of the proposal.
 */
export class ProposedChange extends Error {
  readonly proposal: ProposalId;

  constructor(proposal: ProposalId) {
    super(`The change was kept as proposal ${proposal}.`);
    this.proposal = proposal;
  }
}
