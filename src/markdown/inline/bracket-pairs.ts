import { Code } from '../text/characters.ts';

/**
 * The square brackets of a piece of text, paired in one pass, so that a thousand brackets that
 * nothing closes cost no more than a thousand characters. Escaped brackets do not count, those in
 * code do, as in the app.
 */
export class BracketPairs {
  readonly #closing = new Map<number, number>();
  /** Brackets that hold another one. */
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

  /** Whether another pair stands inside the one that opens at `open`. */
  nests(open: number): boolean {
    return this.#nesting.has(open);
  }
}
