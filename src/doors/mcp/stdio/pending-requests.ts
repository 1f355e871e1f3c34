import type { RequestId } from '@modelcontextprotocol/server';

/**
 * The requests that are not answered yet. A client may use an id twice, so the requests of each id
 * are counted, and each answer settles one of them.
 */
export class PendingRequests {
  readonly #counts = new Map<RequestId, number>();
  #total = 0;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  get size(): number {
    return this.#total;
  }

  add(id: RequestId): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#total++;
  }

  /** One request with this id is answered or cancelled; has no effect when there is none. */
  settle(id: RequestId): void {
    const count = this.#counts.get(id);
    if (count === undefined) return;
    if (count === 1) this.#counts.delete(id);
    else this.#counts.set(id, count - 1);
    this.#total--;
    this.#wake();
  }

  /** Forgets all requests, when the client can no longer be answered. */
  clear(): void {
    this.#counts.clear();
    this.#total = 0;
    this.#wake();
  }

  /** Resolves as soon as fewer than this many requests are open. */
  fewerThan(count: number): Promise<void> {
    if (this.#total < count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  #wake(): void {
    const ready = this.#waiting.filter(({ count }) => this.#total < count);
    this.#waiting = this.#waiting.filter(({ count }) => this.#total >= count);
    for (const { resolve } of ready) resolve();
  }
}
