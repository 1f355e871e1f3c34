import type { Proposals } from './proposals.ts';
import type { Questions } from './questions.ts';
import type { StateStore } from './state-store.ts';

/** For each kind of record, the highest number that was given to one. */
export type GivenNumbers = Readonly<Partial<Record<'change' | 'question' | 'proposal', number>>>;

/** The arguments of `StateStore.finish`. */
export type FinishedChange = Readonly<Parameters<StateStore['finish']>>;

/**
 * All that is kept of a vault in its state: the history, what waits for the owner, and the size of the
 * vault day by day.
 */
export interface VaultState extends StateStore {
  readonly questions: Questions;
  readonly proposals: Proposals;
  readonly dayTotals: DayTotals;
  /** Finishes several changes, all of them or none; see `finish`. */
  finishAll(finished: readonly FinishedChange[]): Promise<void>;
  numbers(): Promise<GivenNumbers>;
  /** Copies what was written last to its place in the file, so that the log begins anew. */
  checkpoint(): Promise<void>;
}

/** How many notes a vault had on a day, and how many bytes these had together. */
export interface DayTotal {
  /** The day at the server, such as `2026-11-16`. */
  readonly day: string;
  readonly notes: number;
  readonly bytes: number;
}

/**
 * The size of the vault, day by day, kept beside the history and shared by all processes on the
 * vault. Calls may be made without the commit lock.
 */
export interface DayTotals {
  /**
   * Keeps the numbers of a day. The numbers that a day has already stay. Only the newest
   * `limits.totalDaysMax` days are kept.
   */
  put(total: DayTotal): Promise<void>;
  /** The newest days, the newest first, at most `max` of them. */
  list(max: number): Promise<readonly DayTotal[]>;
}
