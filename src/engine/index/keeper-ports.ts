import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { FileSearch } from '../ports/line-search.ts';
import type { Clock, Disk, Scanner, Timers, WatchReport } from '../ports/ports.ts';
import type { SharedWatcher } from '../watch/shared-watcher.ts';

/** The paths of files or folders that were looked at; `all` after a walk of the whole vault. */
export type Looked = readonly VaultPath[] | 'all';

/** What the keeper of an index is made of. */
export interface IndexKeeperPorts {
  readonly disk: Disk;
  readonly scanner: Scanner;
  /** For a vault that was never seen; absent where reading all files may be slow, or fetch them. */
  readonly search?: FileSearch;
  /** Absent in one-shot commands: the index is then as fresh as the walk at the start. */
  readonly watcher?: Pick<SharedWatcher, 'listen' | 'flush'>;
  readonly clock: Clock;
  readonly timers: Timers;
  /**
   * Opens the index. `fresh` deletes the old index first. `inMemory` opens an empty index in memory,
   * which only this process sees, instead of the file. `isBuilt` says that it was complete before.
   * `onDeath` is called when the thread of the opened index dies, before any call in it fails.
   */
  readonly openStore: (options: {
    fresh: boolean;
    inMemory: boolean;
    isBuilt: boolean;
    onDeath: () => void;
  }) => Promise<IndexStore>;
  /** Whether a store that is complete is opened again, where other vaults are not built. */
  readonly movesWhenBuilt?: boolean;
}

/** The report that asks for a walk of the whole vault. */
export const everything: WatchReport = { paths: [], folders: [], reconcile: true };

/** How `IndexKeeper` divides its work, and when it tries again. */
export const keeping = {
  /** How many files are looked at together: few, because questions to the index wait for these. */
  lookPaths: 32,
  leaseRetryMs: 100,
  /** An index that could not be used is tried again by a call that needs it, after this time. */
  retryMs: 5_000,
  /** How often a damaged index is rebuilt; a disk that damages it again and again is an error. */
  rebuildsMax: 3,
  /** How often the same work is begun again because a thread died in it. */
  deathsMax: 3,
};

/** The failure of everything that waits for an index whose vault is being closed. */
export function closing(): VaultError {
  return new VaultError('cancelled', 'The vault is being closed.');
}
