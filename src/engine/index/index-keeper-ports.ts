import type { IndexStore } from '../ports/index-store.ts';
import type { Clock, Disk, Scanner, Timers } from '../ports/ports.ts';
import type { SharedWatcher } from '../watch/shared-watcher.ts';

/** What the keeper of the index works with. */
export interface IndexKeeperPorts {
  readonly disk: Disk;
  readonly scanner: Scanner;
  /** Absent in one-shot commands: the index is then as fresh as the walk at its start. */
  readonly watcher?: Pick<SharedWatcher, 'listen' | 'flush'>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Opens the index; `fresh` throws away what is there first. */
  readonly openStore: (options: { fresh: boolean }) => Promise<IndexStore>;
}
