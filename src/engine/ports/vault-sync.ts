import type { Progress } from '../../base/caller.ts';

export type SyncDirection = 'pull' | 'push' | 'bisync';

/** How a synchronisation ended. */
export interface SyncResult {
  readonly direction: SyncDirection;
  /** Files that were copied, either way, */
  readonly transferred: number;
  /** or removed, */
  readonly deleted: number;
  /** and the bytes of the former. */
  readonly bytes: number;
}

/** Brings the vault and its copy elsewhere together, as whoever started the program has set it up. */
export interface VaultSync {
  readonly direction: SyncDirection;
  /**
   * Runs once; never twice at the same time for one vault, whichever process asks. Fails with
   * `conflict` while another one runs, `unavailable` where the program is missing or failed (with
   * what it said), `timeout` and `cancelled`. Files that it has changed by then stay changed.
   */
  run(options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
    /** Does something while nobody changes the vault through us; calls wait for it meanwhile. */
    readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  }): Promise<SyncResult>;
}
