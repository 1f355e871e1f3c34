import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../vault/draft.ts';
import { type Planned, unchangedReport } from './change-report.ts';
import type { CommitOptions } from './commit-change.ts';
import type { OwnersSay } from './owners-say.ts';

/** A change that is to be made: who makes it, how it is planned, and what its owner says to it. */
export interface Making<Result> {
  readonly vault: BoundVault;
  readonly plan: (draft: Draft) => Promise<Result>;
  readonly say: OwnersSay;
}

/** How a change is committed beside others. */
export interface Sharing<Result> {
  /** See `CommitOptions`. */
  readonly begin: (
    planned: Planned<Result>,
    ...of: Parameters<NonNullable<CommitOptions['begin']>>
  ) => Promise<ChangeId>;
  /** Whether a plan that was made again can still be committed so. */
  readonly fits: (planned: Planned<Result>) => boolean;
}

/** What a commit has done. */
export interface Done<Result> {
  readonly answer: Result & ChangeReport;
  readonly id: ChangeId;
  /** The change before it, if no other can have come in between; see `IndexedChanges`. */
  readonly latest?: ChangeId;
  /** Resolves when history shows the change; see `Committed`. */
  readonly finished: Promise<void>;
  /** The paths that the index has to look at. */
  readonly paths: readonly VaultPath[];
  /** Whether a raw file tool made the change, which then does not wait for the index. */
  readonly isRaw: boolean;
}

/** The outcome of a change that has nothing to do. */
export function nothingDone<Result extends object>(planned: Planned<Result>): Done<Result> {
  const answer = unchangedReport(planned);
  return { answer, id: 0, finished: Promise.resolve(), paths: [], isRaw: false };
}
