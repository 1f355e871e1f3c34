/** The changes by one client on one day. */
export interface DayCount {
  /** The day at the server, such as `2026-11-16`. */
  readonly day: string;
  /** The client's name without its version; absent where clients have none. */
  readonly client?: string;
  readonly changes: number;
  /** How many files these changes touched, a file once for each change. */
  readonly files: number;
}
