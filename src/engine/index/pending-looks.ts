import type { VaultPath } from '../../base/vault-path.ts';
import { isInsideAny } from '../../base/vault-path.ts';

/** Someone who waits until some paths have been looked at. */
interface Waiter {
  /** How many of the paths are left. */
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Paths that were taken from the pending ones to be looked at, and who waits for each. */
export class Looks {
  readonly waiting: ReadonlyMap<VaultPath, readonly Waiter[]>;

  constructor(waiting: ReadonlyMap<VaultPath, readonly Waiter[]>) {
    this.waiting = waiting;
  }

  get paths(): readonly VaultPath[] {
    return Array.from(this.waiting.keys());
  }

  /** Everyone who waits for one of the paths, each once. */
  get waiters(): readonly Waiter[] {
    return Array.from(new Set(Array.from(this.waiting.values()).flat()));
  }

  /** Runs the look, and then tells those who wait that it is done or has failed. */
  async serve(look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (error) {
      this.fail(error);
      throw error;
    }
    for (const waiter of Array.from(this.waiting.values()).flat()) {
      if (--waiter.left === 0) waiter.resolve();
    }
  }

  fail(error: unknown): void {
    for (const { reject } of this.waiters) reject(error);
  }
}

/**
 * The files and folders that have to be looked at. A path that is heard of several times is looked
 * at once. Files that someone waits for come first. Files in a folder that is to be walked are left
 * to that walk, unless someone waits for them.
 */
export class PendingLooks {
  /** Files that someone waits for. */
  readonly #awaited = new Map<VaultPath, Waiter[]>();
  /** Files that were reported changed and nobody waits for. */
  readonly #heard = new Set<VaultPath>();
  /** Folders to be walked, with everything that is or was in them. */
  readonly #folders = new Map<VaultPath, Waiter[]>();

  get hasFiles(): boolean {
    return this.#awaited.size > 0 || this.#heard.size > 0;
  }

  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  get hasFolders(): boolean {
    return this.#folders.size > 0;
  }

  /** Adds files and folders that were reported changed. */
  hear(paths: readonly VaultPath[], folders: readonly VaultPath[] = []): void {
    for (const folder of folders) {
      if (!this.#folders.has(folder)) this.#folders.set(folder, []);
    }
    for (const path of paths) {
      if (!this.#awaited.has(path) && !isInsideAny(path, this.#folders)) this.#heard.add(path);
    }
  }

  /** Resolves when all of these were looked at, with everything that `goOn` added to them. */
  wait(paths: readonly VaultPath[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#await(paths, [{ left: 0, resolve, reject }]);
    });
  }

  /**
   * Adds further paths that those wait for as well who wait for `from`; call it before `from` is
   * done.
   */
  goOn(from: Looks, paths: readonly VaultPath[]): void {
    if (from.waiters.length === 0) this.hear(paths);
    else this.#await(paths, from.waiters);
  }

  /** Does the same for a path of `from` that turned out to be a folder. */
  goOnInFolder(from: Looks, folder: VaultPath): void {
    const waiters = from.waiting.get(folder) ?? [];
    const known = this.#folders.get(folder) ?? [];
    for (const waiter of waiters) waiter.left += 1;
    this.#folders.set(folder, [...known, ...waiters]);
  }

  /** Takes the next files, at most so many; first those that someone waits for. */
  takeFiles(most: number): Looks {
    const taken = new Map<VaultPath, readonly Waiter[]>();
    for (const [path, waiters] of this.#awaited) {
      if (taken.size >= most) break;
      taken.set(path, waiters);
      this.#awaited.delete(path);
    }
    for (const path of this.#heard) {
      if (taken.size >= most) break;
      if (!taken.has(path)) taken.set(path, []);
      this.#heard.delete(path);
    }
    return new Looks(taken);
  }

  /** Takes one folder together with the pending folders inside it: one walk finds all of it. */
  takeFolder(): Looks | undefined {
    const outer = Array.from(this.#folders.keys()).find((at) => !isInsideAny(at, this.#folders));
    if (outer === undefined) return undefined;
    const around = new Set([outer]);
    const inside = Array.from(this.#folders).filter(
      ([at]) => at === outer || isInsideAny(at, around),
    );
    for (const [at] of inside) this.#folders.delete(at);
    return new Looks(new Map([[outer, inside.flatMap(([, waiters]) => waiters)]]));
  }

  /** Takes everything, for a walk of the whole vault. */
  takeAll(): Looks {
    const taken = new Map<VaultPath, readonly Waiter[]>(this.#awaited);
    for (const [folder, waiters] of this.#folders) {
      taken.set(folder, [...(taken.get(folder) ?? []), ...waiters]);
    }
    for (const pending of [this.#awaited, this.#heard, this.#folders]) pending.clear();
    return new Looks(taken);
  }

  #await(paths: readonly VaultPath[], waiters: readonly Waiter[]): void {
    for (const path of paths) {
      const known = this.#awaited.get(path);
      if (known === undefined) this.#awaited.set(path, [...waiters]);
      else known.push(...waiters);
      this.#heard.delete(path);
    }
    for (const waiter of waiters) waiter.left += paths.length;
  }
}
