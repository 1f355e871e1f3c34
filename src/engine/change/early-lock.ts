import type { Timers } from '../ports/ports.ts';
import type { CommitLock } from '../ports/state-store.ts';

/** When a plan takes longer, the lock is given back, so that other processes can write. */
const planMaxMs = 20;

/**
 * The commit lock, asked for while a plan is still being made: asking for it takes about as long as
 * making a small plan, so the two run at the same time. The owner must call `take` or `giveBack`.
 */
export class EarlyLock {
  readonly #lock: CommitLock;
  readonly #asked: Promise<boolean>;
  readonly #stopClock: () => void;
  #givenBack: Promise<void> | undefined;

  constructor({ lock, timers }: { readonly lock: CommitLock; readonly timers: Timers }) {
    this.#lock = lock;
    this.#asked = lock.tryTake();
    this.#asked.catch(() => undefined); // `take` passes the failure on.
    this.#stopClock = timers.after(planMaxMs, () => void this.giveBack());
  }

  /**
   * Answers whether this process has the lock now; if so, the caller has to release it. False:
   * another process holds it, or it was given back after `planMaxMs`; the caller must then ask for it
   * again itself.
   */
  async take(): Promise<boolean> {
    this.#stopClock();
    if (this.#givenBack === undefined) return this.#asked;
    await this.#givenBack;
    return false;
  }

  /** Releases the lock if it is held. Never rejects. */
  giveBack(): Promise<void> {
    this.#stopClock();
    this.#givenBack ??= this.#release();
    return this.#givenBack;
  }

  async #release(): Promise<void> {
    const isHeld = await this.#asked.catch(() => false);
    // A failing release is tried once more.
    if (isHeld) await this.#lock.release().catch(() => this.#lock.release().catch(() => undefined));
  }
}
