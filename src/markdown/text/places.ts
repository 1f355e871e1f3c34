import { Code } from './characters.ts';

/** The part of a text from `start` to `end`. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * All places in a piece of text where something is, found in one pass when they are first asked
 * for. Unlike a `ForwardSearch`, it costs no more when it is asked for them in any order.
 */
export class Places {
  readonly #piece: Piece;
  readonly #find: (piece: Piece) => number[];
  #found: readonly number[] | undefined;

  constructor(piece: Piece, find: (piece: Piece) => number[]) {
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
export function unescapedPlaces(wanted: (code: number) => boolean): (piece: Piece) => number[] {
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

/** Finds a fixed character. */
export function literalPlaces(wanted: string): (piece: Piece) => number[] {
  return ({ text, start, end }) => {
    const found: number[] = [];
    for (let i = text.indexOf(wanted, start); i !== -1 && i < end; ) {
      found.push(i);
      i = text.indexOf(wanted, i + 1);
    }
    return found;
  };
}
