import type { IndexStore } from '../ports/index-store.ts';
import type { Clock } from '../ports/ports.ts';

/** A burst is left to the process that holds the lease for this long. */
const patienceMs = 10_000;
/** How often the lease is tried meanwhile. */
const retryMs = 20;

/** Decides which of several processes looks at a burst: the one that holds the lease. */
export class BurstTurn {
  readonly #clock: Clock;
  /** Since when the burst is left to another process. */
  #leftMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Looks at `all` files of the burst with the lease. While another process has it, waits a moment; if
   * that one has had it for so long that it may be suspended, looks at `some` files without the lease.
   */
  async take(
    store: IndexStore,
    does: {
      readonly all: () => Promise<void>;
      readonly some: () => Promise<void>;
      readonly wait: (ms: number) => Promise<unknown>;
    },
  ): Promise<void> {
    if (await store.tryLease()) {
      this.#leftMs = undefined;
      return does.all().finally(() => store.releaseLease());
    }
    const nowMs = this.#clock.nowMs();
    this.#leftMs ??= nowMs;
    if (nowMs - this.#leftMs > patienceMs) await does.some();
    else await does.wait(retryMs);
  }
}
