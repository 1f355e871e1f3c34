import { limits } from '../../base/limits.ts';
import type { LastCall } from '../../doors/console/console-wire.ts';

/** When each token or grant was last used, since the server has started. */
export class LastCalls {
  readonly #calls = new Map<string, LastCall>();

  add(token: string, call: LastCall): void {
    this.#calls.delete(token); // Becomes the last one.
    this.#calls.set(token, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > limits.lastCallsMax && oldest !== undefined) this.#calls.delete(oldest);
  }

  of(token: string): LastCall | undefined {
    return this.#calls.get(token);
  }
}
