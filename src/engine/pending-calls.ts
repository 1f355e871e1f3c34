/** Calls that wait for the same piece of work. */
export class PendingCalls {
  #calls: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];

  /** Resolves, or fails, with the next piece of work that is done for those who wait. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ resolve, reject });
    });
  }

  fail(error: unknown): void {
    for (const { reject } of this.#calls.splice(0)) reject(error);
  }

  /** Does a piece of work for everyone who waits now; they go on waiting where it says so. */
  async serve(work: () => Promise<PendingCalls | undefined>): Promise<void> {
    const calls = this.#calls.splice(0);
    try {
      const next = await work();
      if (next === undefined) for (const { resolve } of calls) resolve();
      else next.#calls.unshift(...calls);
    } catch (error) {
      for (const { reject } of calls) reject(error);
      throw error;
    }
  }
}
