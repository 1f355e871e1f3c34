import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Clock, Disk, Scanner, Timers } from '../ports/ports.ts';
import type { SharedWatcher } from '../watch/shared-watcher.ts';

/** The paths of files or folders that were looked at; `all` after a walk of the whole vault. */
export type Looked = readonly VaultPath[] | 'all';

/** What the keeper of an index is made of. */
export interface IndexKeeperPorts {
  readonly disk: Disk;
  readonly scanner: Scanner;
  /** Absent in one-shot commands: the index is then as fresh as the walk at the start. */
  readonly watcher?: Pick<SharedWatcher, 'listen' | 'flush'>;
  readonly clock: Clock;
  readonly timers: Timers;
  /**
   * Opens the index. `fresh` deletes the old index first. `inMemory` opens an empty index in memory,
   * which only this process sees, instead of the file.
   */
  readonly openStore: (options: { fresh: boolean; inMemory: boolean }) => Promise<IndexStore>;
}
