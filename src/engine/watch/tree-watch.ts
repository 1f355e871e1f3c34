import { folderOf, isInside, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { FileEvent, RawDisk } from '../ports/raw-disk.ts';
import type { SharedWatcher } from './shared-watcher.ts';
import { WatchedTree } from './watched-tree.ts';

/** A folder, or a file, and whether all that is below it counts or only what is directly in it. */
export interface Watched {
  readonly path: VaultFolder;
  readonly recursive: boolean;
}

interface Subscriber {
  readonly watched: Watched;
  readonly onEvents: (events: readonly FileEvent[]) => void;
}

/** What runs as long as someone watches. */
interface Watching {
  readonly tree: WatchedTree;
  /** How it ends, once the vault is known and changes are heard of. */
  readonly begun: Promise<() => void>;
  users: number;
}

/**
 * Tells of each entry that comes, changes or goes, dot names included, whoever did it and whatever
 * the platform reports. What the vault holds is only kept in memory as long as someone watches.
 */
export class TreeWatch {
  readonly #files: RawDisk;
  readonly #watcher: Pick<SharedWatcher, 'listen'>;
  readonly #subscribers = new Set<Subscriber>();
  #watching: Watching | undefined;

  constructor(ports: { readonly files: RawDisk; readonly watcher: Pick<SharedWatcher, 'listen'> }) {
    this.#files = ports.files;
    this.#watcher = ports.watcher;
  }

  /**
   * Tells of what is watched from the moment it resolves; the answer ends it. What one list tells is
   * in order: what is gone, the deepest first, then what is new, folders before what they hold, then
   * what changed. What is in a folder that came, went or was renamed is told one by one. Fails when
   * the vault is away. The first walks the whole vault.
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
      await watching.tree.settle(); // Of what is known to have happened before, it is not told.
    } catch (error) {
      this.#left(watching);
      throw error;
    }
    const subscriber = { watched, onEvents };
    this.#subscribers.add(subscriber);
    return () => {
      if (this.#subscribers.delete(subscriber)) this.#left(watching);
    };
  }

  /** Something of ours may have changed these: watchers hear of it at once. */
  looked(paths: readonly VaultPath[]): void {
    this.#watching?.tree.heard({ paths, folders: [], reconcile: false });
  }

  #begin(): Watching {
    const tree = new WatchedTree(this.#files, (events) => this.#tell(events));
    return { tree, begun: this.#open(tree), users: 0 };
  }

  /** Listens first and looks after, so that nothing falls between. */
  async #open(tree: WatchedTree): Promise<() => void> {
    let stop: (() => void) | undefined;
    try {
      stop = await this.#watcher.listen((report) => tree.heard(report));
      await tree.begin();
      return stop;
    } catch (error) {
      stop?.();
      this.#watching = undefined; // Whoever comes next tries again.
      throw error;
    }
  }

  #left(watching: Watching): void {
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
      const told = events.filter(({ path }) => isWatched(path, watched));
      if (told.length === 0) continue;
      try {
        onEvents(told);
      } catch {
        // A subscriber that fails is no reason for the others not to be told.
      }
    }
  }
}

function isWatched(path: VaultPath, { path: at, recursive }: Watched): boolean {
  if (path === at) return true;
  return recursive ? isInside(path, at) : folderOf(path) === at;
}
