const openMax = 1_000;

interface OpenWalk {
  readonly begunAt: number;
  /** The highest file id when the walk began. */
  readonly lastId: number;
}

/**
 * Remembers which files the walks of this process have seen. In memory and not in the index, so that
 * a walk over an unchanged vault writes nothing, and two processes can walk at the same time.
 */
export class Walks {
  readonly #open = new Map<number, OpenWalk>();
  /** For each file id, the number of the batch in which the file was last seen. */
  #seenAt = new Uint32Array(1_024);
  #batches = 0;
  /** The highest number of a walk that was dropped because too many walks were open. */
  #givenUp = Number.NEGATIVE_INFINITY;

  /** Begins a walk at its first batch. `lastId` returns the highest file id at that moment. */
  begin(walk: number, lastId: () => number): void {
    if (this.#open.has(walk)) return;
    // A look at single files uses a walk number of its own, and is never ended.
    for (const oldest of this.#open.keys()) {
      if (this.#open.size < openMax) break;
      this.#open.delete(oldest);
      this.#givenUp = Math.max(this.#givenUp, oldest);
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
   * Ends a walk. `missed` tells for a file id whether the file is gone: it was known when the walk
   * began, and neither this walk nor another has seen it since. Undefined when the walk was dropped.
   * A walk without a single batch has found an empty folder, so it has missed all files.
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
