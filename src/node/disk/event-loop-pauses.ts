import { setImmediate } from 'node:timers/promises';
import { abortReason } from '../../base/vault-error.ts';

/** How long synchronous calls may run before other work on this thread gets its turn. */
const runMsMax = 4;

/** Keeps a long piece of work that makes synchronous calls from blocking everything else. */
export class EventLoopPauses {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether `pause` would let other work run. */
  get isDue(): boolean {
    return performance.now() - this.#since > runMsMax;
  }

  /**
   * Lets other work run when 4 ms have passed since the last pause, and returns at once otherwise, so
   * it may be called often. Fails when the signal is aborted.
   */
  async pause(): Promise<void> {
    if (this.isDue) {
      await setImmediate();
      this.#since = performance.now();
    }
    if (this.#signal?.aborted) throw abortReason(this.#signal);
  }
}
