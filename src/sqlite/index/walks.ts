/** When this many walks are open, the oldest is dropped. */
const openMax = 1_000;

interface OpenWalk {
  /** How many batches had been seen when the walk began. */
  readonly begunAt: number;
  /** The highest file id when the walk began. */
  readonly lastId: number;
}

/**
 * Remembers which files the walks of this process have seen, so that the end of a walk shows which
 * files are gone. In memory and not in the index: a walk over an unchanged vault writes nothing, and
 * two processes can walk at the same time.
 */
export class Walks {
  readonly #open = new Map<number, OpenWalk>();
  /** For each file id, the number of the batch in which the file was last seen. */
  #seenAt = new Uint32Array(1_024);
  #batches = 0;
  /** The highest number of a walk that was dropped because too many walks were open. */
  #dropped = Number.NEGATIVE_INFINITY;

  /** Begins a walk at its first batch. `lastId` returns the highest file id at that moment. */
  begin(walk: number, lastId: () => number): void {
    if (this.#open.has(walk)) return;
    // Looking at single files also uses a walk number, and no such walk is ever ended.
    for (const oldest of this.#open.keys()) {
      if (this.#open.size < openMax) break;
      this.#open.delete(oldest);
      this.#dropped = Math.max(this.#dropped, oldest);
    }
    this.#open.set(walk, { begunAt: this.#batches, lastId: lastId() });
  }

  /** Records for all open walks that these files were just seen. */
  saw(ids: readonly number[]): void {
    this.#batches++;
    for (const id of ids) {
      if (id >= this.#seenAt.length) this.#grow(id);
      this.#seenAt[id] = this.#batches;
    }
  }

  /**
   * Says of a file id whether a walk that is over has missed the file, so that it is gone: it was known
   * when the walk began, and neither this walk nor another has seen it since. Undefined when the walk
   * was dropped. A walk without a single batch has found an empty folder, so it has missed all files.
   */
  missedBy(walk: number): ((id: number) => boolean) | undefined {
    const ended = this.#open.get(walk);
    if (ended === undefined) return walk <= this.#dropped ? undefined : () => true;
    return (id) => id <= ended.lastId && (this.#seenAt[id] ?? 0) <= ended.begunAt;
  }

  /** Forgets a walk. Comes last: what its end removes may be repeated while another process writes. */
  end(walk: number): void {
    this.#open.delete(walk);
  }

  #grow(id: number): void {
    const grown = new Uint32Array(Math.max(id + 1, this.#seenAt.length * 2));
    grown.set(this.#seenAt);
    this.#seenAt = grown;
  }
}
