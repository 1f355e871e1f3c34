import type { Scopes } from '../../base/caller.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { Asker } from './questions.ts';
import type { ChangeId, ProposalId } from './state-store.ts';

/** One file of a plan: which version it was made on, and what it would become. */
export interface PlannedFile {
  readonly path: VaultPath;
  /** Absent for a file that the plan makes. */
  readonly before?: Version;
  /** Absent for a file that is deleted. */
  readonly after?: Version;
  /** Where the file would be, if it moves. */
  readonly to?: VaultPath;
  /** The version of the file at `to` that is replaced; see `ChangeStep`. */
  readonly over?: Version | 'unkept';
  /**
   * What was at the path, where `before` does not say it: the version of a file, the stamp of one
   * that is too large to be read, or a hash of all paths and stamps in a folder.
   */
  readonly found?: string;
  /** Set for a folder that is made or removed because that was asked for. */
  readonly folder?: 'made' | 'removed';
}

/** What the owner is shown of a proposal; made anew when files have changed meanwhile. */
export interface ProposedPlan {
  /** The time for which the change was planned; the accepted change has the same. */
  readonly plannedMs: number;
  /** A unified diff of what the proposer may see. */
  readonly diff: string;
  readonly basis: readonly PlannedFile[];
}

/** A change that a caller proposes. Its arguments have text of notes: they stay in the state. */
export interface NewProposal extends ProposedPlan {
  readonly asker: Asker;
  readonly scopes: Scopes;
  readonly toolset: string;
  readonly tool: string;
  /** The arguments that history may keep; absent in proposals of earlier versions. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The arguments, and the settings that the toolset was made with: to call the tool again. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timeMs: number;
}

/** A proposal as it is kept. */
export interface Proposal extends NewProposal {
  readonly id: ProposalId;
  readonly state: 'open' | 'accepted' | 'refused';
  /** Set when its plan is not the first one any more; see `Proposals.replan`. */
  readonly replanned?: true;
  /** The change that was made, if it was accepted. */
  readonly change?: ChangeId;
  /** Why it was refused, in the owner's words; the proposer gets to read it. */
  readonly reason?: string;
  /** For an accepted one this is the time of its change. */
  readonly decidedMs?: number;
}

/** A proposal without its arguments and its diff, which may be large. */
export type ListedProposal = Omit<
  Proposal,
  'scopes' | 'toolset' | 'input' | 'settings' | 'plannedMs' | 'diff'
>;

export interface ProposalFilter {
  readonly state?: Proposal['state'];
  /** Only those that were proposed or decided since then. */
  readonly sinceMs?: number;
  /** Only those of this asker: of the same token, or without one of the same door and client. */
  readonly asker?: Asker;
  readonly connection?: string;
  readonly nowMs: number;
}

/**
 * Changes that wait for the owner, shared by all processes on the vault. One is gone
 * `limits.proposalAgeMaxMs` after it was proposed; decided ones earlier, the oldest first, when they
 * are more than may be open, or have more bytes. Calls may be made without the commit lock.
 */
export interface Proposals {
  /**
   * Adds a proposal. Fails with `too_large` above `limits.proposalBytesMax`, and with `busy` when
   * `limits.proposalsMax` are open, or they have `limits.proposalsBytesMax` together; or those of
   * the same asker are `limits.proposalsOfOneMax`, or have `limits.proposalsOfOneBytesMax`.
   */
  add(proposal: NewProposal): Promise<Proposal>;
  get(id: ProposalId, nowMs: number): Promise<Proposal | undefined>;
  /** The newest first. */
  list(
    filter: ProposalFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly items: readonly ListedProposal[] }>;
  /** Replaces the plan of an open proposal, which is `replanned` then. Fails with `too_large` as `add` does. */
  replan(id: ProposalId, plan: ProposedPlan): Promise<void>;
  /**
   * Refuses an open proposal; answers whether it was open. A proposal becomes accepted when the
   * history gets the change that names it (`NewChange.proposal`), in the same transaction. As long
   * as such a change is unfinished the proposal is not refused.
   */
  refuse(
    id: ProposalId,
    decision: { readonly reason?: string; readonly timeMs: number },
  ): Promise<boolean>;
}
