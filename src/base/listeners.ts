/** Functions that are called each time something happens. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /**
   * Adds a listener and returns a function that removes it. A listener that is added twice is
   * called twice.
   */
  add(listener: (value: T) => void): () => void {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Calls all listeners. */
  tell(value: T): void {
    for (const listener of Array.from(this.#listeners)) listener(value);
  }
}
