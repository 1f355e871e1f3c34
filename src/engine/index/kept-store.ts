import type { IndexStore } from '../ports/index-store.ts';

/** The store of `IndexKeeper`: opened when it is needed, also again after it was closed. */
export class KeptStore {
  readonly #open: (options: { fresh: boolean }) => Promise<IndexStore>;
  #store: IndexStore | undefined;
  #opening: Promise<IndexStore> | undefined;
  /** Resolves when the store that was there before is closed. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(open: (options: { fresh: boolean }) => Promise<IndexStore>) {
    this.#open = open;
  }

  /** The store. Callers who come while it is being opened get the same. */
  async get(): Promise<IndexStore> {
    if (this.#store !== undefined) return this.#store;
    this.#opening ??= this.#begin({ fresh: false });
    return this.#opening;
  }

  /** Throws the index away and opens an empty one. */
  async renew(): Promise<void> {
    await this.close().catch(() => undefined); // A damaged index may refuse to close.
    this.#opening = this.#begin({ fresh: true });
    await this.#opening;
  }

  /** Closes the store, if there is one. The next `get` opens it again. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const closing = this.#store?.close();
    this.#store = undefined;
    if (closing !== undefined) this.#closing = closing.catch(() => undefined);
    await closing;
  }

  async #begin(options: { fresh: boolean }): Promise<IndexStore> {
    try {
      await this.#closing;
      this.#store = await this.#open(options);
      return this.#store;
    } finally {
      this.#opening = undefined;
    }
  }
}
