import { abortReason } from './vault-error.ts';

/** Lets at most `atOnce` pieces of work run in parallel; the others wait in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Runs the work as soon as there is room for it. When the signal aborts while the work still
   * waits, the work is never begun, and this fails with the signal's reason.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw abortReason(signal);
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiting.delete(begin);
        if (signal !== undefined) reject(abortReason(signal));
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(begin);
    });
  }

  /** Lets the work begin that has waited longest; when none waits, frees the place. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
