import { folderOf, isInside, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
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

/** Exists as long as someone watches. */
interface Watching {
  readonly tree: TreeComparison;
  /** Resolves when the vault has been read and changes are heard; the answer stops listening. */
  readonly begun: Promise<() => void>;
  users: number;
}

/**
 * Tells subscribers of each file, folder and symlink that comes, changes or goes, dot names
 * included. It compares the vault with what it was, so it tells each change once, however the
 * platform reports it. The names of the vault are kept in memory only as long as someone watches.
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
   * Tells of changes from the moment it resolves; the answer ends it. Events come in lists. In each
   * list deletions come first (the deepest first), then creations (folders before what is in them),
   * then modifications. Everything in a folder that came, went or was renamed has its own event.
   * Fails when the vault is away. The first subscriber causes a walk of the whole vault.
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
      await watching.tree.settle(); // Changes that were heard of before are not told.
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

  /** Says that we may have changed these paths, so that subscribers hear of it at once. */
  looked(paths: readonly VaultPath[]): void {
    this.#watching?.tree.heard({ paths, folders: [], reconcile: false });
  }

  #begin(): Watching {
    const tree = new TreeComparison(this.#files, (events) => this.#tell(events));
    return { tree, begun: this.#open(tree), users: 0 };
  }

  /** Listens first and reads the vault then, so that no change is missed. */
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
        // The failure of one subscriber must not keep the others from being told.
      }
    }
  }
}

function isWatched(path: VaultPath, { path: at, recursive }: Watched): boolean {
  if (path === at) return true;
  return recursive ? isInside(path, at) : folderOf(path) === at;
}
