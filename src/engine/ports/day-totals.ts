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
