import type { ClaimReason } from '../../postgres/nodes/claim-vault.ts';

/** What a node counts of its vaults, for `/metrics`. */
export interface VaultFigures {
  /** A vault was claimed. */
  claimed(why: ClaimReason): void;
  /** The gates of earlier owners were closed. */
  gatesClosed(count: number): void;
  /** A change that an earlier owner had left open was finished or undone. */
  recovered(outcome: string): void;
  /** PostgreSQL has answered a write of the journal. */
  onWritten(seconds: number): void;
  /** A walk through a vault has ended. */
  onWalk(seconds: number): void;
  happened(what: 'settle wait' | 'fenced write' | 'lost' | 'in doubt'): void;
}
