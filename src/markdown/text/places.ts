import { Code } from './characters.ts';

/** The part of a text from `start` to `end`. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Finds all places in a piece of text where something is, in order. */
type Finder = (piece: Piece) => number[];

/**
 * All places in a piece of text where something is, found in one pass when they are first asked
 * for. Without it, hostile notes would make the scan quadratic: a token that is not closed reads to
 * the end of its block, and so does the next one.
 */
export class Places {
  readonly #piece: Piece;
  readonly #find: Finder;
  #found: readonly number[] | undefined;

  constructor(piece: Piece, find: Finder) {
    this.#piece = piece;
    this.#find = find;
  }

  /** The first place at or after `from`; -1 when there is none. */
  next(from: number): number {
    this.#found ??= this.#find(this.#piece);
    const found = this.#found;
    let low = 0;
    let high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] as number) < from) low = middle + 1;
      else high = middle;
    }
    return found[low] ?? -1;
  }
}

/** Finds a character of one kind that has no backslash before it. */
export function unescaped(wanted: (code: number) => boolean): Finder {
  return ({ text, start, end }) => {
    const found: number[] = [];
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i);
      if (wanted(code)) found.push(i);
      else if (code === Code.backslash) i++;
    }
    return found;
  };
}

/** Finds a fixed string; two may overlap. */
export function literal(wanted: string): Finder {
  return ({ text, start, end }) => {
    const found: number[] = [];
    // In a slice, because `indexOf` would search to the end of the whole text.
    const slice = text.slice(start, end);
    for (let i = slice.indexOf(wanted); i !== -1; i = slice.indexOf(wanted, i + 1)) {
      found.push(start + i);
    }
    return found;
  };
}
