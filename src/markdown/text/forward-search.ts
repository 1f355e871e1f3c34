/** Finds the first match at or after `from`; -1 when there is none. */
type Finder = (text: string, from: number) => number;

/**
 * Remembers the last result of a search that only looks forward, so that asking from many places
 * costs a single pass over the text. Without it, hostile notes would make the scan quadratic.
 */
export class ForwardSearch {
  readonly #find: Finder;
  #text: string | undefined;
  #from = 0;
  #at = -1;

  constructor(find: Finder) {
    this.#find = find;
  }

  /** The first match at or after `from`; -1 when there is none. */
  next(text: string, from: number): number {
    if (text === this.#text && from >= this.#from && (this.#at >= from || this.#at === -1)) {
      return this.#at;
    }
    this.#text = text;
    this.#from = from;
    this.#at = this.#find(text, from);
    return this.#at;
  }
}

/** Finds a fixed string. */
export function literal(wanted: string): Finder {
  return (text, from) => text.indexOf(wanted, from);
}
