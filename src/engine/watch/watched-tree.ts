import { inParallel } from '../../base/in-parallel.ts';
import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { isInsideAny } from '../../base/vault-path.ts';
import type { WatchReport } from '../ports/ports.ts';
import type { FileEvent, RawDisk, RawEntry } from '../ports/raw-disk.ts';
import { type Found, TreeSnapshot } from './tree-snapshot.ts';
import { isWatchedPath } from './watched-path.ts';

/** How many places are looked at together; disks that are far away take their time. */
const looksAtOnce = 4;

/** What is known of a place where nothing can be seen. */
const absences: ReadonlySet<VaultErrorCode> = new Set<VaultErrorCode>([
  'not_found',
  'not_a_folder',
  'outside_vault',
  'forbidden',
  'invalid_input',
]);

/**
 * Finds out what changed: compares the vault with what it was at the last look, wherever something
 * may have happened. One comparison at a time; what is heard meanwhile waits for the next.
 */
export class WatchedTree {
  readonly #files: RawDisk;
  readonly #tell: (events: readonly FileEvent[]) => void;
  #snapshot = new TreeSnapshot();
  #wanted = new Set<VaultPath>();
  #wantsAll = false;
  #working: Promise<void> | undefined;
  #isBegun = false;
  #closed = false;

  constructor(files: RawDisk, tell: (events: readonly FileEvent[]) => void) {
    this.#files = files;
    this.#tell = tell;
  }

  /** Takes the vault as it is, and then what is heard meanwhile. Fails when it cannot be walked. */
  async begin(): Promise<void> {
    this.#snapshot.update(await this.#lookAt(['']));
    this.#isBegun = true;
    await this.settle();
  }

  /** Something may have happened at these places. */
  heard({ paths, folders, reconcile }: WatchReport): void {
    if (reconcile) this.#wantsAll = true;
    for (const path of [...paths, ...folders]) if (isWatchedPath(path)) this.#wanted.add(path);
    this.#work();
  }

  /** Resolves when nothing that was heard waits to be looked at. */
  async settle(): Promise<void> {
    this.#work();
    while (this.#working !== undefined) await this.#working;
  }

  close(): void {
    this.#closed = true;
    this.#snapshot = new TreeSnapshot(); // Whoever still holds this need not hold the vault.
  }

  #work(): void {
    if (this.#working !== undefined || !this.#isBegun || !this.#hasWork()) return;
    // Not at once: what is heard while it begins must find that it runs.
    this.#working = Promise.resolve().then(() => this.#compareAll());
  }

  #hasWork(): boolean {
    return !this.#closed && (this.#wantsAll || this.#wanted.size > 0);
  }

  async #compareAll(): Promise<void> {
    while (this.#hasWork()) {
      const found = await this.#lookAt(this.#takePlaces()).catch(() => undefined);
      if (found !== undefined) {
        this.#compare(found);
        continue;
      }
      // The vault is away, most likely. Nothing is known to be gone then, and everything has to be
      // looked at once more is heard: that it is back is heard too.
      const isHeard = this.#hasWork();
      this.#wantsAll = true;
      if (!isHeard) break;
    }
    this.#working = undefined; // Not later: what is heard from here on begins anew.
  }

  #compare(found: readonly Found[]): void {
    if (this.#closed) return;
    const events = this.#snapshot.update(found);
    if (events.length > 0) this.#tell(events);
  }

  /** Where to look for all that was heard, none of the places in another. */
  #takePlaces(): readonly VaultFolder[] {
    const wanted = new Set<VaultFolder>();
    if (this.#wantsAll) wanted.add('');
    else for (const path of this.#wanted) wanted.add(this.#snapshot.whereToLook(path));
    this.#wanted = new Set();
    this.#wantsAll = false;
    return Array.from(wanted).filter((place) => !isInsideAny(place, wanted));
  }

  #lookAt(places: readonly VaultFolder[]): Promise<readonly Found[]> {
    return inParallel(places, looksAtOnce, async (at) => ({ at, entries: await this.#find(at) }));
  }

  async #find(at: VaultFolder): Promise<readonly RawEntry[]> {
    if (at === '') return this.#walk(at);
    try {
      const entry = await this.#files.entry(at);
      if (entry === undefined) return [];
      return entry.kind === 'folder' ? [entry, ...(await this.#walk(at))] : [entry];
    } catch (error) {
      if (error instanceof VaultError && absences.has(error.code)) return [];
      throw error;
    }
  }

  async #walk(folder: VaultFolder): Promise<readonly RawEntry[]> {
    const { entries } = await this.#files.walk(folder, {
      recursive: true,
      entriesMax: Number.POSITIVE_INFINITY,
      skip: (path) => !isWatchedPath(path),
    });
    return entries;
  }
}
