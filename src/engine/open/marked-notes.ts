import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexKeeper } from '../index/index-keeper.ts';
import type { Marks } from '../ports/view.ts';

/**
 * Remembers for an open vault which notes marks hide, as far as the index knows, and asks the index
 * again after it has looked at files. Also remembers which versions in history have marks. Nothing
 * happens here as long as no caller has marks.
 */
export class MarkedNotes {
  readonly #keeper: Pick<IndexKeeper, 'store' | 'onLooked' | 'isReady'>;
  /** By the marks as JSON. */
  readonly #known = new Map<string, KnownMarks>();
  #isListening = false;

  constructor(keeper: Pick<IndexKeeper, 'store' | 'onLooked' | 'isReady'>) {
    this.#keeper = keeper;
  }

  /**
   * The paths of the notes that these marks hide. Undefined while the index does not have the facts
   * of all notes: until then each note may be one of them.
   */
  async paths(marks: Marks): Promise<ReadonlySet<string> | undefined> {
    if (!this.#isListening) {
      this.#isListening = true;
      this.#keeper.onLooked(() => {
        for (const known of this.#known.values()) known.isStale = true;
      });
    }
    if (!this.#keeper.isReady('facts')) return undefined;
    const known = this.#of(marks);
    if (known.isStale) {
      known.isStale = false; // Before the question: a look that comes meanwhile counts.
      known.paths = this.#ask(marks).catch((error: unknown) => {
        known.isStale = true;
        throw error;
      });
    }
    return known.paths;
  }

  /** For each version that was judged, whether it has one of these marks. */
  versions(marks: Marks): Map<string, boolean> {
    const { versions } = this.#of(marks);
    if (versions.size > limits.markedVersionsMax) versions.clear();
    return versions;
  }

  async #ask(marks: Marks): Promise<ReadonlySet<string>> {
    return new Set<VaultPath>(await (await this.#keeper.store()).marked(marks));
  }

  #of(marks: Marks): KnownMarks {
    const key = JSON.stringify(marks);
    const known = this.#known.get(key) ?? {
      isStale: true,
      paths: Promise.resolve(undefined),
      versions: new Map(),
    };
    if (!this.#known.has(key) && this.#known.size >= limits.markSetsMax) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }
}

interface KnownMarks {
  isStale: boolean;
  paths: Promise<ReadonlySet<string> | undefined>;
  readonly versions: Map<string, boolean>;
}
