import type { Timers } from '../ports/ports.ts';
import type { CommitLock } from '../ports/state-store.ts';

/** A plan that takes longer is made without the lock: others may want to write meanwhile. */
const planMaxMs = 20;

/**
 * The commit lock, asked for while a plan is still being made: to ask takes about as long as a small
 * plan. Whoever makes one either takes it or gives it back.
 */
export class EarlyLock {
  readonly #lock: CommitLock;
  readonly #asked: Promise<boolean>;
  readonly #stopClock: () => void;
  #givenBack: Promise<void> | undefined;

  constructor({ lock, timers }: { readonly lock: CommitLock; readonly timers: Timers }) {
    this.#lock = lock;
    this.#asked = lock.tryTake();
    this.#asked.catch(() => undefined); // Whoever takes it is told.
    this.#stopClock = timers.after(planMaxMs, () => void this.giveBack());
  }

  /** Whether it is held; then it is the caller's to release. Fails as taking it fails. */
  async take(): Promise<boolean> {
    this.#stopClock();
    if (this.#givenBack === undefined) return this.#asked;
    await this.#givenBack;
    return false;
  }

  /** Never rejects. */
  giveBack(): Promise<void> {
    this.#stopClock();
    this.#givenBack ??= this.#release();
    return this.#givenBack;
  }

  async #release(): Promise<void> {
    const isHeld = await this.#asked.catch(() => false);
    if (isHeld) await this.#lock.release().catch(() => this.#lock.release().catch(() => undefined));
  }
}
