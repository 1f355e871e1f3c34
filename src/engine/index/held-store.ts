import type { IndexStore } from '../ports/index-store.ts';
import type { IndexKeeperPorts } from './keeper-ports.ts';

/** For `IndexKeeper`: the index that is open, in its file or in memory. */
export class HeldStore {
  readonly #open: IndexKeeperPorts['openStore'];
  #store: IndexStore | undefined;
  #opening: Promise<IndexStore> | undefined;
  /** Whether the index is in memory, because its file cannot be written. */
  #inMemory = false;

  constructor(open: IndexKeeperPorts['openStore']) {
    this.#open = open;
  }

  /** The index, opened at the first call. */
  async get(): Promise<IndexStore> {
    return this.#store ?? this.#begin({ fresh: false });
  }

  /** Throws the index away and opens an empty one. */
  async replace(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const before = this.#store;
    this.#store = undefined;
    await this.#begin({ fresh: true }, before);
  }

  /**
   * Opens the index once for all who ask meanwhile: two indexes in memory would not be the same.
   * `before` is closed first.
   */
  #begin(how: { readonly fresh: boolean }, before?: IndexStore): Promise<IndexStore> {
    const open = async (): Promise<IndexStore> => {
      await before?.close().catch(() => undefined); // A damaged index may refuse to close.
      this.#store = await this.#open({ ...how, inMemory: this.#inMemory });
      return this.#store;
    };
    this.#opening ??= open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /**
   * The next index is opened in memory. Answers false if this one is there already: it has a limit,
   * beyond which indexing fails.
   */
  moveToMemory(): boolean {
    if (this.#inMemory) return false;
    this.#inMemory = true;
    return true;
  }

  /** Gives up an index in memory; its file is tried again. */
  leaveMemory(): void {
    if (!this.#inMemory) return;
    this.#store?.close().catch(() => undefined);
    this.#store = undefined;
    this.#inMemory = false;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#store?.close();
  }
}
