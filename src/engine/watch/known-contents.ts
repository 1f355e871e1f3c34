import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Timers } from '../ports/ports.ts';
import type { RawDisk, RawEntry } from '../ports/raw-disk.ts';

/** How much is hashed before the first subscriber is answered, and then in each turn. */
const firstTurn = { files: 200, bytes: 4 * 1024 * 1024 };
const laterTurn = { files: 16, bytes: 1024 * 1024 };
/** How much time passes between two turns, so that other work can run. */
const pauseMs = 20;

interface Known {
  /** The stamp that the file had when it was hashed. */
  readonly stamp: string;
  readonly hash: string;
  readonly size: number;
}

/**
 * Remembers what files contain, as hashes, so that `TreeComparison` can tell a file that was only
 * touched (it got another time) from one that was changed. Reads the files little by little, the
 * most recently changed first, and no more of them than the limits allow.
 */
export class KnownContents {
  readonly #files: RawDisk;
  readonly #timers: Timers;
  readonly #ended = new AbortController();
  readonly #known = new Map<VaultPath, Known>();
  /** The sum of the sizes in `#known`. */
  #knownBytes = 0;
  /** Files that have yet to be hashed, in this order. */
  readonly #waiting = new Map<VaultPath, RawEntry>();
  #isWorking = false;

  constructor(ports: { readonly files: RawDisk; readonly timers: Timers }) {
    this.#files = ports.files;
    this.#timers = ports.timers;
  }

  /** Begins with the entries of a first walk. Resolves when the most recently changed are known. */
  async begin(entries: readonly RawEntry[]): Promise<void> {
    this.changed(entries.toSorted((one, other) => other.mtimeMs - one.mtimeMs));
    await this.#turn(firstTurn);
  }

  /** Takes note of entries that are new or have changed. */
  changed(entries: readonly RawEntry[]): void {
    for (const entry of entries) {
      this.forget(entry.path);
      if (entry.kind !== 'file' || entry.size > limits.watchedContentBytesMax) continue;
      if (this.#waiting.size < limits.watchedContentsMax) this.#waiting.set(entry.path, entry);
    }
    this.#work();
  }

  /** Forgets what a file contained. */
  forget(path: VaultPath): void {
    this.#waiting.delete(path);
    this.#knownBytes -= this.#known.get(path)?.size ?? 0;
    this.#known.delete(path);
  }

  /** Whether a file is the same as when it was hashed, except for its time. */
  mayBeTouched({ path, stamp }: RawEntry): boolean {
    const known = this.#known.get(path)?.stamp;
    return known !== undefined && known !== stamp && withoutTime(known) === withoutTime(stamp);
  }

  /** Whether a file for which `mayBeTouched` is true has the content that it had before. */
  async isTouched({ path, stamp }: RawEntry): Promise<boolean> {
    const hash = await this.#hash(path);
    const known = this.#known.get(path);
    if (known === undefined || hash !== known.hash) return false;
    this.#known.set(path, { ...known, stamp });
    return true;
  }

  /** Whether a touched file was written to afterwards without getting another time. */
  async isOutdated({ path, stamp }: RawEntry): Promise<boolean> {
    const hash = await this.#hash(path);
    const known = this.#known.get(path);
    return known?.stamp === stamp && hash !== undefined && hash !== known.hash;
  }

  /** Ends the work, and frees the memory. */
  close(): void {
    this.#ended.abort();
    this.#waiting.clear();
    this.#known.clear();
  }

  #work(): void {
    if (this.#isWorking || this.#waiting.size === 0) return;
    this.#isWorking = true;
    this.#timers.after(pauseMs, async () => {
      await this.#turn(laterTurn);
      this.#isWorking = false;
      this.#work();
    });
  }

  /** Hashes the next few files. */
  async #turn(max: typeof firstTurn): Promise<void> {
    let files = 0;
    let bytes = 0;
    for (const [path, entry] of this.#waiting) {
      if (files++ >= max.files || bytes >= max.bytes) return;
      bytes += entry.size;
      this.#waiting.delete(path);
      await this.#learn(entry);
    }
  }

  async #learn({ path, stamp, size }: RawEntry): Promise<void> {
    if (this.#known.size >= limits.watchedContentsMax) return;
    if (this.#knownBytes + size > limits.watchedContentsBytesMax) return;
    const hash = await this.#hash(path);
    if (hash === undefined) return;
    // With the same stamp before and after, the hash belongs to this stamp.
    const after = await this.#files.entry(path).catch(() => undefined);
    if (after?.stamp !== stamp || this.#ended.signal.aborted) return;
    this.forget(path);
    this.#known.set(path, { stamp, hash, size });
    this.#knownBytes += size;
  }

  /** The hash of a file's content; undefined when it cannot be read. */
  #hash(path: VaultPath): Promise<string | undefined> {
    return this.#files.hash(path, { signal: this.#ended.signal }).then(
      ({ version }) => version.slice(0, 32),
      () => undefined,
    );
  }
}

/** A stamp without the time, which comes last. */
function withoutTime(stamp: string): string {
  return stamp.slice(0, stamp.lastIndexOf(':'));
}
