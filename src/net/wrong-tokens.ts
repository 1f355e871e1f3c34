import { limits } from '../base/limits.ts';

const windowMs = 60_000;

/**
 * Counts the wrong tokens that each address sends within a minute. It remembers a limited number of
 * addresses; all others are counted together.
 */
export class WrongTokens {
  readonly #nowMs: () => number;
  readonly #counts = new Map<string, number>();
  #startMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Counts one more. Answers how many seconds the sender must wait; undefined while it may go on.
   */
  add(address: string): number | undefined {
    const nowMs = this.#nowMs();
    const passedMs = nowMs - this.#startMs;
    // A clock that was set back also begins a new minute.
    if (passedMs < 0 || passedMs >= windowMs) {
      this.#startMs = nowMs;
      this.#counts.clear();
    }
    const isCounted =
      this.#counts.has(address) || this.#counts.size < limits.wrongTokenAddressesMax;
    const key = isCounted ? address : 'others';
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= limits.wrongTokensMax) return undefined;
    return Math.ceil((this.#startMs + windowMs - nowMs) / 1_000);
  }
}
