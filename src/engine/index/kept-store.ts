import type { IndexStore } from '../ports/index-store.ts';
import { closing, type IndexKeeperPorts } from './keeper-ports.ts';

interface KeptStoreEvents {
  /**
   * Called before a store is handed out that is not the one which was closed: it is a new one, or its
   * file was deleted or replaced while it was closed.
   */
  readonly onOther: () => void;
  /** Called when the thread of the store that is handed out has died. The next `get` opens another. */
  readonly onDeath: () => void;
}

/**
 * The store of `IndexKeeper`: opened when it is needed, also again after it was closed. All who come
 * while it is being opened get the same, because an index in memory that is opened twice is two.
 */
export class KeptStore {
  readonly #open: IndexKeeperPorts['openStore'];
  readonly #tell: KeptStoreEvents;
  /** The store, perhaps still being opened. */
  #opened: Promise<IndexStore> | undefined;
  /** Resolves when the stores that were there before are closed. */
  #closing: Promise<unknown> = Promise.resolve();
  /** The identity of the store that was open last. */
  #identity: string | undefined;
  /** See `move`. */
  #first: IndexStore | undefined;
  #isInMemory = false;
  #isBuilt = false;
  #isDiscarded = false;
  #isEnded = false;

  constructor(open: IndexKeeperPorts['openStore'], tell: KeptStoreEvents) {
    this.#open = open;
    this.#tell = tell;
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

  /** Whether the store that is opened next will be an empty one. */
  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** To be called when the index is of no use: `renew`, or the next opening, replaces it. */
  discard(): void {
    this.#isDiscarded = true;
  }

  async get(): Promise<IndexStore> {
    if (this.#isEnded) throw closing();
    this.#opened ??= this.#begin();
    return this.#opened;
  }

  /** Throws the index away and opens an empty one. */
  async renew(): Promise<void> {
    this.#isDiscarded = true;
    this.close().catch(() => undefined); // A damaged index may refuse to close.
    await this.get();
  }

  /**
   * To be called when the index is complete: opens a second store, as one that is built, and hands out
   * that one from now on. The first one, which questions may still be using, stays open until
   * `closeFirst`. Answers whether there is such a one.
   */
  async move(): Promise<boolean> {
    const opened = this.#opened;
    if (this.#isBuilt || opened === undefined || this.#isInMemory) return false;
    this.#isBuilt = true;
    const first = await opened;
    const opening = this.#openNow(false, () => this.#died(opening));
    const second = await opening;
    if (this.#opened !== opened) {
      await second.close(); // The first one was closed meanwhile, or its thread has died.
      return false;
    }
    this.#opened = opening;
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
    const opened = this.#opened?.catch(() => undefined); // What failed needs no closing.
    this.#opened = undefined;
    const closed = opened?.then((store) => store?.close());
    this.#closing = Promise.allSettled([this.#closing, closed, this.closeFirst()]);
    await this.#closing;
    await closed;
  }

  /** Closes the store for good. */
  end(): Promise<void> {
    this.#isEnded = true;
    return this.close();
  }

  #begin(): Promise<IndexStore> {
    const fresh = this.#isDiscarded;
    this.#isDiscarded = false;
    if (fresh) this.#isBuilt = false;
    const opened = this.#closing.then(() => this.#openNow(fresh, () => this.#died(opened)));
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined; // The next call tries again.
    });
    return opened;
  }

  /** Forgets a store whose thread has died. Another one may have been opened since. */
  #died(dead: Promise<IndexStore>): void {
    if (this.#opened !== dead) return;
    this.#opened = undefined;
    this.#tell.onDeath();
  }

  async #openNow(fresh: boolean, onDeath: () => void): Promise<IndexStore> {
    const how = { fresh, inMemory: this.#isInMemory, isBuilt: this.#isBuilt, onDeath };
    const store = await this.#open(how);
    const identity = await store.identity();
    const isSame = this.#identity === undefined || this.#identity === identity;
    if (fresh || !isSame) this.#tell.onOther();
    this.#identity = identity;
    return store;
  }
}
