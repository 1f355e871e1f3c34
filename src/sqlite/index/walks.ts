const openMax = 1_000;

interface OpenWalk {
  readonly begunAt: number;
  /** The newest file when it began. */
  readonly lastId: number;
}

/**
 * Which files the walks of this process have seen. Kept in memory and not in the index: a walk
 * over an unchanged vault then writes nothing, and two processes can walk at once.
 */
export class Walks {
  readonly #open = new Map<number, OpenWalk>();
  /** When each file was seen last, by its id, counted in batches. */
  #seenAt = new Uint32Array(1_024);
  #batches = 0;
  /** The highest number of a walk that was given up because too many others were begun. */
  #givenUp = Number.NEGATIVE_INFINITY;

  /** Begins a walk at its first batch; `lastId` is asked for the newest file known then. */
  begin(walk: number, lastId: () => number): void {
    if (this.#open.has(walk)) return;
    // Callers look at single files under a number of their own and never end that walk.
    for (const oldest of this.#open.keys()) {
      if (this.#open.size < openMax) break;
      this.#open.delete(oldest);
      this.#givenUp = Math.max(this.#givenUp, oldest);
    }
    this.#open.set(walk, { begunAt: this.#batches, lastId: lastId() });
  }

  /** Notes that these files were there just now, for every walk under way. */
  saw(ids: readonly number[]): void {
    this.#batches++;
    for (const id of ids) {
      if (id >= this.#seenAt.length) this.#grow(id);
      this.#seenAt[id] = this.#batches;
    }
  }

  /**
   * Ends a walk. Answers which files are gone: those that were known when it began and that
   * neither it nor another look has seen since. Undefined when that is not known any more. A
   * walk without a single batch has seen that nothing is there.
   */
  end(walk: number): { readonly missed: (id: number) => boolean } | undefined {
    const ended = this.#open.get(walk);
    this.#open.delete(walk);
    if (ended === undefined) return walk <= this.#givenUp ? undefined : { missed: () => true };
    return {
      missed: (id) => id <= ended.lastId && (this.#seenAt[id] ?? 0) <= ended.begunAt,
    };
  }

  #grow(id: number): void {
    const grown = new Uint32Array(Math.max(id + 1, this.#seenAt.length * 2));
    grown.set(this.#seenAt);
    this.#seenAt = grown;
  }
}
