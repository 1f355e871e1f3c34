import { Code } from '../text/characters.ts';

/**
 * The square brackets of a piece of text, paired in one pass, so that a text full of unclosed
 * brackets is not searched again for each of them. Escaped brackets do not count; brackets in code
 * do, as in the app.
 */
export class BracketPairs {
  /** The closing bracket of each opening one. */
  readonly #closing = new Map<number, number>();
  /** Brackets that contain another one. */
  readonly #nesting = new Set<number>();

  constructor(text: string, start: number, end: number) {
    const stack: number[] = [];
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.backslash) i++;
      else if (code === Code.openBracket) {
        stack.push(i);
      } else if (code === Code.closeBracket) {
        const open = stack.pop();
        if (open === undefined) continue;
        this.#closing.set(open, i);
        const outer = stack.at(-1);
        if (outer !== undefined) this.#nesting.add(outer);
      }
    }
  }

  /** The bracket that closes the one at `open`, before `end`; -1 when there is none. */
  closing(open: number, end: number): number {
    const close = this.#closing.get(open);
    return close === undefined || close >= end ? -1 : close;
  }

  /** Whether there is another pair inside the one that opens at `open`. */
  nests(open: number): boolean {
    return this.#nesting.has(open);
  }
}

/**
 * The runs of backticks in a piece of text, by length, so that the end of inline code is a single
 * lookup.
 */
export class BacktickRuns {
  /** Where the runs of each length begin, in order. */
  readonly #starts = new Map<number, number[]>();
  readonly #text: string;
  readonly #end: number;
  /** The run that was measured last, because the next call is mostly about the same run. */
  #runStart = -1;
  #runEnd = -1;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    for (let i = text.indexOf('`', start); i !== -1 && i < end; i = text.indexOf('`', i)) {
      const run = i;
      while (i < end && text.charCodeAt(i) === Code.backtick) i++;
      const starts = this.#starts.get(i - run);
      if (starts === undefined) this.#starts.set(i - run, [run]);
      else starts.push(run);
    }
  }

  /**
   * Where the inline code that opens at `at` ends, before `end`; -1 when there is none. If a run is
   * not closed, the caller asks again at its second backtick: a shorter run may be closed.
   */
  codeEnd(at: number, end: number): number {
    const length = this.#runEndAt(at) - at;
    const starts = this.#starts.get(length);
    if (starts === undefined) return -1;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) < at + length) low = middle + 1;
      else high = middle;
    }
    const close = starts[low];
    return close === undefined || close + length > end ? -1 : close + length;
  }

  #runEndAt(at: number): number {
    if (at < this.#runStart || at >= this.#runEnd) {
      let i = at;
      while (i < this.#end && this.#text.charCodeAt(i) === Code.backtick) i++;
      this.#runStart = at;
      this.#runEnd = i;
    }
    return this.#runEnd;
  }
}
