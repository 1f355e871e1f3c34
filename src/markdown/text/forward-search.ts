import { Code } from './characters.ts';

/** Finds the first place from `from` on; -1 when there is none. */
type Finder = (text: string, from: number) => number;

/**
 * Remembers the last answer of a search that only looks forward, so that asking from each of many
 * places costs one pass over the text: hostile notes make such questions quadratic otherwise.
 */
export class ForwardSearch {
  readonly #find: Finder;
  #text: string | undefined;
  #from = 0;
  #at = -1;

  constructor(find: Finder) {
    this.#find = find;
  }

  /** The first place from `from` on; -1 when there is none. */
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

/** A finder of one character that no backslash precedes. */
export function unescaped(wanted: (code: number) => boolean): Finder {
  return (text, from) => {
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (wanted(code)) return i;
      if (code === Code.backslash) i++;
    }
    return -1;
  };
}

/** A finder of a fixed string. */
export function literal(wanted: string): Finder {
  return (text, from) => text.indexOf(wanted, from);
}
