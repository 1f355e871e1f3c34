import { VaultError } from '../../base/vault-error.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { IndexKeeperPorts } from './keeper-ports.ts';

/**
 * The store of `IndexKeeper`: opened when it is needed, also again after it was closed. Calls
 * `onOther` before it hands out a store that is not the one which was closed: while it was closed, its
 * file may have been deleted or replaced.
 */
export class KeptStore {
  readonly #open: IndexKeeperPorts['openStore'];
  readonly #onOther: () => void;
  #store: IndexStore | undefined;
  #opening: Promise<IndexStore> | undefined;
  /** Resolves when the store that was there before is closed. */
  #closing: Promise<unknown> = Promise.resolve();
  /** The identity of the store that was open last. */
  #identity: string | undefined;
  /** See `move`. */
  #first: IndexStore | undefined;
  #isInMemory = false;
  #isBuilt = false;
  #isEnded = false;

  constructor(open: IndexKeeperPorts['openStore'], onOther: () => void) {
    this.#open = open;
    this.#onOther = onOther;
  }

  /** Whether the index is in memory, because its file cannot be written. */
  get isInMemory(): boolean {
    return this.#isInMemory;
  }

  /** The next store is in memory; returns false if this one is. */
  moveToMemory(): boolean {
    const isMoved = !this.#isInMemory;
    this.#isInMemory = true;
    return isMoved;
  }

  /** Gives an index in memory up: the next store is in its file. */
  leaveMemory(): void {
    if (this.#isInMemory) this.close().catch(() => undefined);
    this.#isInMemory = false;
  }

  /** The store. Callers who come while it is being opened get the same. */
  async get(): Promise<IndexStore> {
    if (this.#isEnded) throw new VaultError('cancelled', 'The vault is being closed.');
    if (this.#store !== undefined) return this.#store;
    this.#opening ??= this.#begin({ fresh: false });
    return this.#opening;
  }

  /** Throws the index away and opens an empty one. */
  async renew(): Promise<void> {
    await this.close().catch(() => undefined); // A damaged index may refuse to close.
    this.#identity = undefined;
    this.#isBuilt = false;
    this.#opening ??= this.#begin({ fresh: true });
    await this.#opening;
  }

  /**
   * To be called when the index is complete: opens a second store, as one that is built, and hands out
   * that one from now on. The first one, which questions may still be using, stays open until
   * `closeFirst`. Answers whether there is such a one.
   */
  async move(): Promise<boolean> {
    if (this.#isBuilt || this.#store === undefined || this.#isInMemory) return false;
    this.#isBuilt = true;
    const first = this.#store;
    this.#opening ??= this.#begin({ fresh: false });
    await this.#opening;
    this.#first = first;
    return true;
  }

  async closeFirst(): Promise<void> {
    const first = this.#first;
    this.#first = undefined;
    await first?.close().catch(() => undefined);
  }

  /** Closes the store, if there is one. The next `get` opens it again. */
  async close(): Promise<void> {
    if (this.#opening !== undefined) await this.#opening.catch(() => undefined);
    const closing = this.#store?.close();
    this.#store = undefined;
    if (closing !== undefined) this.#closing = closing.catch(() => undefined);
    await this.closeFirst();
    await closing;
  }

  /** Closes the store for good. */
  end(): Promise<void> {
    this.#isEnded = true;
    return this.close();
  }

  async #begin({ fresh }: { fresh: boolean }): Promise<IndexStore> {
    try {
      await this.#closing;
      const store = await this.#open({ fresh, inMemory: this.#isInMemory, isBuilt: this.#isBuilt });
      const identity = await store.identity();
      if (this.#identity !== undefined && this.#identity !== identity) this.#onOther();
      this.#identity = identity;
      this.#store = store;
      return store;
    } finally {
      this.#opening = undefined;
    }
  }
}
