import { Code } from '../text/characters.ts';

/** The runs of backticks in a piece of text, by length: what closes an inline code is one lookup. */
export class BacktickRuns {
  readonly #starts = new Map<number, number[]>();
  /** Where the run that holds an opener ends: runs are asked for from left to right, mostly. */
  readonly #text: string;
  readonly #end: number;
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
   * Where the inline code that opens at `at` ends, before `end`; -1 when it is none. A run that
   * nothing closes is tried again one backtick shorter by asking at its next one.
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
