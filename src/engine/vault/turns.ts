import { limits } from '../../base/limits.ts';
import { abortReason } from '../../base/vault-error.ts';
import type { BoundVault } from './bound-vault.ts';

/** For long work on the main thread: lets other calls run from time to time, and ends with the call. */
export class Turns {
  readonly #vault: BoundVault;
  #sinceMs: number;

  constructor(vault: BoundVault) {
    this.#vault = vault;
    this.#sinceMs = vault.vault.parts.clock.nowMs();
  }

  /**
   * Lets other calls run when `limits.turnMs` have passed since the last time, and returns at once
   * otherwise, so it may be called often. Fails when the call was cancelled or its time is over.
   */
  async next(): Promise<void> {
    const { clock, turn } = this.#vault.vault.parts;
    if (clock.nowMs() - this.#sinceMs >= limits.turnMs) {
      await turn();
      this.#sinceMs = clock.nowMs();
    }
    const { signal } = this.#vault.caller;
    if (signal.aborted) throw abortReason(signal);
  }
}
