import type { Timers } from '../ports/ports.ts';

/** Lets many wait for the next time that something is told. */
export class News {
  readonly #timers: Timers;
  readonly #waiting = new Set<() => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  tell(): void {
    for (const wake of Array.from(this.#waiting)) wake();
  }

  /** Until something is told, or the time is over. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        cancel();
        resolve();
      };
      const cancel = this.#timers.after(ms, wake);
      this.#waiting.add(wake);
    });
  }
}
