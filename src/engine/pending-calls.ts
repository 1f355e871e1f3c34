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

  /**
   * Does a piece of work for everyone who waits now. Those go on waiting when it answers that
   * there is more to do.
   */
  async serve(work: () => Promise<'done' | 'more'>): Promise<void> {
    const calls = this.#calls.splice(0);
    try {
      if ((await work()) === 'more') this.#calls.unshift(...calls);
      else for (const { resolve } of calls) resolve();
    } catch (error) {
      for (const { reject } of calls) reject(error);
      throw error;
    }
  }
}
