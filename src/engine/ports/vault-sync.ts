import type { Progress } from '../../base/caller.ts';

export type SyncDirection = 'pull' | 'push' | 'bisync';

/** How a synchronisation ended. */
export interface SyncResult {
  readonly direction: SyncDirection;
  /** Files that were copied, in either direction. */
  readonly transferred: number;
  /** Files that were removed, on either side. */
  readonly deleted: number;
  /** Bytes that were copied. */
  readonly bytes: number;
}

/** Synchronises the vault with its copy elsewhere, as the user has set it up. */
export interface VaultSync {
  readonly direction: SyncDirection;
  /**
   * Synchronises once. Fails with `conflict` while another process does so for the same vault, with
   * `unavailable` when the program is missing or failed (with its output), `timeout` and
   * `cancelled`. Files that were changed before a failure stay changed.
   */
  run(options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
    /** Runs work while nobody changes the vault through us: see `VaultWriter.alone`. */
    readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  }): Promise<SyncResult>;
}
