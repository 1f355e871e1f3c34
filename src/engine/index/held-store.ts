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
    if (this.#store !== undefined) return this.#store;
    this.#opening ??= this.#open({ fresh: false, inMemory: this.#inMemory }).finally(() => {
      this.#opening = undefined;
    });
    this.#store = await this.#opening;
    return this.#store;
  }

  /** Throws the index away and opens an empty one. */
  async replace(): Promise<void> {
    await this.#store?.close().catch(() => undefined); // A damaged index may refuse to close.
    this.#store = undefined;
    this.#store = await this.#open({ fresh: true, inMemory: this.#inMemory });
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
