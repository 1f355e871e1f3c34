import { setImmediate } from 'node:timers/promises';
import { abortReason } from '../../base/vault-error.ts';

/** How long one piece of work may keep everything else waiting. */
const turnMs = 4;

/** Lets others have their turn while something long is done with calls that do not wait. */
export class FairTurns {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** To be awaited often: it costs little while the turn lasts. Fails when the call is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since > turnMs) {
      await setImmediate();
      this.#since = performance.now();
    }
    if (this.#signal?.aborted) throw abortReason(this.#signal);
  }
}
