import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInsideAny } from '../../base/vault-path.ts';
import type { WrittenFile } from '../text/written-file.ts';

/** With more reported files than this, a second process on the vault would do the same work again. */
const burstFiles = 64;

/** A caller of `PendingLooks.wait`. */
interface Waiter {
  /** How many paths have to be looked at before it is resolved. */
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Paths that were taken from `PendingLooks` to be looked at, each with those who wait for it. */
export class Looks {
  readonly waiting: ReadonlyMap<VaultPath, readonly Waiter[]>;
  /** The files among them of which the new content is known. */
  readonly written: ReadonlyMap<VaultPath, WrittenFile>;

  constructor(
    waiting: ReadonlyMap<VaultPath, readonly Waiter[]>,
    written: ReadonlyMap<VaultPath, WrittenFile> = new Map(),
  ) {
    this.waiting = waiting;
    this.written = written;
  }

  get paths(): readonly VaultPath[] {
    return Array.from(this.waiting.keys());
  }

  /** Everyone who waits for one of the paths, each once. */
  get waiters(): readonly Waiter[] {
    return Array.from(new Set(Array.from(this.waiting.values()).flat()));
  }

  /**
   * Runs the look at all these paths; then those who wait are resolved, or rejected if it failed.
   */
  async run(look: () => Promise<void>): Promise<void> {
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
 * The files and folders that have to be looked at (see `IndexKeeper`). A path that is reported
 * several times is looked at once. Files that someone waits for come first. Files in a folder that
 * is to be walked are left to that walk, unless someone waits for them.
 */
export class PendingLooks {
  /** Files that someone waits for. */
  readonly #awaited = new Map<VaultPath, Waiter[]>();
  /** Those of them of which the content is known: nothing was reported since they were written. */
  readonly #written = new Map<VaultPath, WrittenFile>();
  /** Files that were reported changed and nobody waits for. */
  readonly #reported = new Set<VaultPath>();
  /** Folders to be walked, with everything that is or was in them. */
  readonly #folders = new Map<VaultPath, Waiter[]>();

  /** How many files are pending. */
  get files(): number {
    return this.#awaited.size + this.#reported.size;
  }

  get hasFiles(): boolean {
    return this.#awaited.size > 0 || this.#reported.size > 0;
  }

  /** How many files and folders are pending. */
  get size(): number {
    return this.#awaited.size + this.#reported.size + this.#folders.size;
  }

  /** Whether someone waits for a file. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Whether so many files were reported that one process should look at them, for all processes. */
  get isBurst(): boolean {
    return this.#reported.size > burstFiles;
  }

  get hasFolders(): boolean {
    return this.#folders.size > 0;
  }

  /** Adds files and folders that were reported changed, but for those with dot names. */
  add(paths: readonly VaultPath[], folders: readonly VaultPath[] = []): void {
    for (const folder of folders) {
      if (!isHidden(folder) && !this.#folders.has(folder)) this.#folders.set(folder, []);
    }
    if (folders.length > 0) this.#written.clear();
    for (const path of paths) {
      if (isHidden(path)) continue;
      this.#written.delete(path);
      if (!this.#awaited.has(path) && !isInsideAny(path, this.#folders)) this.#reported.add(path);
    }
  }

  /**
   * Resolves when all of these were looked at, and everything that `addFiles` and `addFolder` have
   * added for them. `written` are those of which the content is known.
   */
  wait(paths: readonly VaultPath[], written: readonly WrittenFile[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#await(paths, [{ left: 0, resolve, reject }]);
      for (const file of written) {
        if (this.#awaited.has(file.path)) this.#written.set(file.path, file);
      }
    });
  }

  /**
   * Adds files that a look has found to be outdated. Whoever waits for `from` now waits for them
   * too, so it must be called before `from.run` ends.
   */
  addFiles(from: Looks, paths: readonly VaultPath[]): void {
    if (from.waiters.length === 0) this.add(paths);
    else this.#await(paths, from.waiters);
  }

  /** The same for a path of `from` that turned out to be a folder. */
  addFolder(from: Looks, folder: VaultPath): void {
    const waiters = from.waiting.get(folder) ?? [];
    const known = this.#folders.get(folder) ?? [];
    for (const waiter of waiters) waiter.left += 1;
    this.#folders.set(folder, [...known, ...waiters]);
  }

  /** Takes the next files, at most `most`; those that someone waits for first, in a burst alone. */
  takeFiles(most: number): Looks {
    const taken = new Map<VaultPath, readonly Waiter[]>();
    const written = new Map<VaultPath, WrittenFile>();
    for (const [path, waiters] of this.#awaited) {
      if (taken.size >= most) break;
      taken.set(path, waiters);
      this.#awaited.delete(path);
      const file = this.#written.get(path);
      if (file !== undefined) written.set(path, file);
      this.#written.delete(path);
    }
    if (taken.size > 0 && this.isBurst) return new Looks(taken, written);
    for (const path of this.#reported) {
      if (taken.size >= most) break;
      if (!taken.has(path)) taken.set(path, []);
      this.#reported.delete(path);
    }
    return new Looks(taken, written);
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
    for (const pending of [this.#awaited, this.#written, this.#reported, this.#folders]) {
      pending.clear();
    }
    return new Looks(taken);
  }

  /** Adds files that these wait for. */
  #await(paths: readonly VaultPath[], waiters: readonly Waiter[]): void {
    for (const path of paths) {
      const known = this.#awaited.get(path);
      if (known === undefined) this.#awaited.set(path, [...waiters]);
      else known.push(...waiters);
      this.#written.delete(path); // It may have been changed since.
      this.#reported.delete(path);
    }
    for (const waiter of waiters) waiter.left += paths.length;
  }
}
