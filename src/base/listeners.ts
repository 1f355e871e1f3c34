/** Those who want to be told of something each time that it happens. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** The answer ends it. Adding one listener twice is two. */
  add(listener: (value: T) => void): () => void {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(value: T): void {
    for (const listener of Array.from(this.#listeners)) listener(value);
  }
}
