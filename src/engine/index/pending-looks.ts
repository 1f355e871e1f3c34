import type { VaultPath } from '../../base/vault-path.ts';
import { isInsideAny } from '../../base/vault-path.ts';

/** Someone who waits until a number of paths were looked at. */
interface Waiter {
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Paths that were taken to be looked at, and who waits for each. */
export class Looks {
  readonly waiting: ReadonlyMap<VaultPath, readonly Waiter[]>;

  constructor(waiting: ReadonlyMap<VaultPath, readonly Waiter[]>) {
    this.waiting = waiting;
  }

  get paths(): readonly VaultPath[] {
    return Array.from(this.waiting.keys());
  }

  /** Everyone who waits for one of them, once. */
  get waiters(): readonly Waiter[] {
    return Array.from(new Set(Array.from(this.waiting.values()).flat()));
  }

  /** Looks, and tells those who wait that it is done, or that it failed. */
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
 * The files and folders that have to be looked at, each once however often it was heard of. Files
 * that someone waits for come first; what lies in a folder that is to be walked is left to the walk.
 */
export class PendingLooks {
  /** Those that someone waits for, */
  readonly #awaited = new Map<VaultPath, Waiter[]>();
  /** those that were only heard of, */
  readonly #heard = new Set<VaultPath>();
  /** and folders with all that is, or was, in them. */
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

  hear(paths: readonly VaultPath[], folders: readonly VaultPath[] = []): void {
    for (const folder of folders) {
      if (!this.#folders.has(folder)) this.#folders.set(folder, []);
    }
    for (const path of paths) {
      if (!this.#awaited.has(path) && !isInsideAny(path, this.#folders)) this.#heard.add(path);
    }
  }

  /** Resolves when all of these were looked at, and what they turned out to lead to. */
  wait(paths: readonly VaultPath[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#await(paths, [{ left: 0, resolve, reject }]);
    });
  }

  /** Whoever waits for what was taken waits for these as well; to be told before it is done. */
  goOn(from: Looks, paths: readonly VaultPath[]): void {
    if (from.waiters.length === 0) this.hear(paths);
    else this.#await(paths, from.waiters);
  }

  /** The same for one of the paths, which turned out to be a folder. */
  goOnInFolder(from: Looks, folder: VaultPath): void {
    const waiters = from.waiting.get(folder) ?? [];
    const known = this.#folders.get(folder) ?? [];
    for (const waiter of waiters) waiter.left += 1;
    this.#folders.set(folder, [...known, ...waiters]);
  }

  /** The next files, those first that someone waits for. */
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

  /** One folder, with those in it: one walk serves them all. */
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

  /** Everything, for a walk that sees it all. */
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
