import { inParallel } from '../../base/in-parallel.ts';
import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { isInsideAny } from '../../base/vault-path.ts';
import type { Timers, WatchReport } from '../ports/ports.ts';
import type { FileEvent, RawDisk, RawEntry } from '../ports/raw-disk.ts';
import { KnownContents } from './known-contents.ts';
import { type Found, TreeSnapshot } from './tree-snapshot.ts';
import { isWatchedPath } from './watched-path.ts';

/** How many places are looked at in parallel, because each answer of a network disk takes time. */
const looksAtOnce = 4;

/** When so many files have another time, they are not read to see whether they have changed. */
const touchedMax = 100;

/** Two writes within this time may leave the same time on a file: clocks of disks are coarse. */
const tickMs = 50;

/** Failures of a look that count as "nothing is there". */
const absences: ReadonlySet<VaultErrorCode> = new Set<VaultErrorCode>([
  'not_found',
  'not_a_folder',
  'outside_vault',
  'forbidden',
  'invalid_input',
]);

/**
 * Finds out what has changed in the vault, for `TreeWatch`: looks at the places where the watcher
 * reports something ("heard") and compares them with the snapshot, which is what was there at the
 * last look. Makes one comparison at a time; reports that come during it wait for the next.
 */
export class TreeComparison {
  readonly #files: RawDisk;
  readonly #tell: (events: readonly FileEvent[]) => void;
  readonly #timers: Timers;
  readonly #contents: KnownContents;
  #snapshot = new TreeSnapshot();
  /** Paths that were reported and have not been looked at yet. */
  #wanted = new Set<VaultPath>();
  /** Whether the whole vault has to be looked at. */
  #wantsAll = false;
  #working: Promise<void> | undefined;
  #isBegun = false;
  #closed = false;

  constructor(
    ports: { readonly files: RawDisk; readonly timers: Timers },
    tell: (events: readonly FileEvent[]) => void,
  ) {
    this.#files = ports.files;
    this.#timers = ports.timers;
    this.#contents = new KnownContents(ports);
    this.#tell = tell;
  }

  /** Takes the first snapshot, without events. Fails when the vault cannot be walked. */
  async begin(): Promise<void> {
    const found = await this.#lookAt(['']);
    this.#snapshot.update(found);
    await this.#contents.begin(found.flatMap(({ entries }) => entries));
    this.#isBegun = true;
    await this.settle();
  }

  /** Notes that something may have happened at these paths, and starts a comparison. */
  heard({ paths, folders, reconcile }: WatchReport): void {
    if (reconcile) this.#wantsAll = true;
    for (const path of [...paths, ...folders]) if (isWatchedPath(path)) this.#wanted.add(path);
    this.#work();
  }

  /** Resolves when everything that was heard has been looked at. */
  async settle(): Promise<void> {
    this.#work();
    while (this.#working !== undefined) await this.#working;
  }

  close(): void {
    this.#closed = true;
    this.#contents.close();
    this.#snapshot = new TreeSnapshot(); // Frees the memory, even if this object is still held.
  }

  /** Starts the comparison, unless it is running. */
  #work(): void {
    if (this.#working !== undefined || !this.#isBegun || !this.#hasWork()) return;
    // Begun a moment later, so that `#working` is set before anything can be heard.
    this.#working = Promise.resolve().then(() => this.#compareAll());
  }

  #hasWork(): boolean {
    return !this.#closed && (this.#wantsAll || this.#wanted.size > 0);
  }

  async #compareAll(): Promise<void> {
    while (this.#hasWork()) {
      const found = await this.#lookAt(this.#takePlaces()).catch(() => undefined);
      if (found !== undefined) {
        await this.#passOverTouched(found);
        this.#compare(found);
        continue;
      }
      // The look failed: most likely the vault is away, so nothing counts as deleted. The whole
      // vault is looked at after the next report; the watcher also reports when the vault is back.
      const isReported = this.#hasWork();
      this.#wantsAll = true;
      if (!isReported) break;
    }
    this.#working = undefined; // In the same turn as the last check for work, so none is missed.
  }

  #compare(found: readonly Found[]): void {
    if (this.#closed) return;
    const events = this.#snapshot.update(found);
    if (events.length === 0) return;
    const changed = new Set<string>(events.map(({ path }) => path));
    for (const { path } of events) this.#contents.forget(path);
    this.#contents.changed(
      found.flatMap(({ entries }) => entries.filter(({ path }) => changed.has(path))),
    );
    this.#tell(events);
  }

  /**
   * Takes over the new time of files whose content is the same, so that they do not count as
   * modified. Of many files at once that is not worth reading them all: then they count.
   */
  async #passOverTouched(found: readonly Found[]): Promise<void> {
    const maybe = found.flatMap(({ entries }) =>
      entries.filter((entry) => this.#contents.mayBeTouched(entry)),
    );
    if (maybe.length > touchedMax) return;
    for (const entry of maybe) {
      if (!(await this.#contents.isTouched(entry))) continue;
      this.#snapshot.restamp(entry);
      this.#timers.after(tickMs, () => void this.#lookOnceMore(entry));
    }
  }

  /** Finds a write that came so soon after a touch that the file has the time of the touch. */
  async #lookOnceMore(entry: RawEntry): Promise<void> {
    if (this.#closed || !(await this.#contents.isOutdated(entry))) return;
    this.#contents.forget(entry.path);
    this.#snapshot.restamp({ ...entry, stamp: '' });
    this.heard({ paths: [entry.path], folders: [], reconcile: false });
  }

  /** Takes the places to look at for all reports so far. None of them is inside another. */
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

  /** The entry at a place and everything in it; empty when nothing is there. */
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
