import { folderOf, isInside, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { Timers } from '../ports/ports.ts';
import type { FileEvent, RawDisk } from '../ports/raw-disk.ts';
import type { SharedWatcher } from './shared-watcher.ts';
import { TreeComparison } from './tree-comparison.ts';

/**
 * What is watched: a file, or a folder with what is directly in it, or with everything below it.
 */
interface Watched {
  readonly path: VaultFolder;
  readonly recursive: boolean;
}

interface Subscriber {
  readonly watched: Watched;
  readonly onEvents: (events: readonly FileEvent[]) => void;
}

/** What is running as long as there are subscribers. */
interface Watching {
  readonly tree: TreeComparison;
  /** Resolves when the first snapshot is taken, to a function that ends the listening. */
  readonly begun: Promise<() => void>;
  /** How many subscribers there are, including those who still wait for `begun`. */
  users: number;
}

/**
 * Sends subscribers (remote clients) an event for each file, folder and symlink that is created,
 * changed or deleted, dot names included. It compares the vault with a snapshot, so each change is
 * one event, however often the platform reports it, and a file that only gets another time is none. The snapshot is in memory only as long as there
 * are subscribers.
 */
export class TreeWatch {
  readonly #files: RawDisk;
  readonly #watcher: Pick<SharedWatcher, 'listen'>;
  readonly #timers: Timers;
  readonly #subscribers = new Set<Subscriber>();
  #watching: Watching | undefined;

  constructor(ports: {
    readonly files: RawDisk;
    readonly watcher: Pick<SharedWatcher, 'listen'>;
    readonly timers: Timers;
  }) {
    this.#files = ports.files;
    this.#watcher = ports.watcher;
    this.#timers = ports.timers;
  }

  /**
   * Sends events about changes from the moment it resolves, until the returned function is called.
   * Events come in lists. In each list deletions come first (the deepest first), then creations
   * (folders before what is in them), then modifications; see `FileEvent`. Fails when the vault is
   * away. The first subscriber causes a walk of the whole vault.
   */
  async watch(
    watched: Watched,
    onEvents: (events: readonly FileEvent[]) => void,
  ): Promise<() => void> {
    this.#watching ??= this.#begin();
    const watching = this.#watching;
    watching.users += 1;
    try {
      await watching.begun;
      await watching.tree.settle(); // Changes from before the call are not sent to this subscriber.
    } catch (error) {
      this.#leave(watching);
      throw error;
    }
    const subscriber = { watched, onEvents };
    this.#subscribers.add(subscriber);
    return () => {
      if (this.#subscribers.delete(subscriber)) this.#leave(watching);
    };
  }

  /** Looks at paths that we may have changed ourselves, so that subscribers hear of it at once. */
  mayHaveChanged(paths: readonly VaultPath[]): void {
    this.#watching?.tree.heard({ paths, folders: [], reconcile: false });
  }

  #begin(): Watching {
    const ports = { files: this.#files, timers: this.#timers };
    const tree = new TreeComparison(ports, (events) => this.#tell(events));
    return { tree, begun: this.#open(tree), users: 0 };
  }

  /** Listens first and takes the snapshot then, so that no change is missed. */
  async #open(tree: TreeComparison): Promise<() => void> {
    let stop: (() => void) | undefined;
    try {
      stop = await this.#watcher.listen((report) => tree.heard(report));
      await tree.begin();
      return stop;
    } catch (error) {
      stop?.();
      this.#watching = undefined; // The next subscriber tries again.
      throw error;
    }
  }

  /** Counts one subscriber less, and ends the watching after the last. */
  #leave(watching: Watching): void {
    watching.users -= 1;
    if (watching.users > 0) return;
    watching.tree.close();
    void watching.begun.then(
      (stop) => stop(),
      () => undefined,
    );
    if (this.#watching === watching) this.#watching = undefined;
  }

  #tell(events: readonly FileEvent[]): void {
    for (const { watched, onEvents } of Array.from(this.#subscribers)) {
      const wanted = events.filter(({ path }) => isWatched(path, watched));
      if (wanted.length === 0) continue;
      try {
        onEvents(wanted);
      } catch {
        // The failure of one subscriber must not keep events from the others.
      }
    }
  }
}

function isWatched(path: VaultPath, { path: at, recursive }: Watched): boolean {
  if (path === at) return true;
  return recursive ? isInside(path, at) : folderOf(path) === at;
}
