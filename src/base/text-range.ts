/** A piece of a text: `start` inclusive, `end` exclusive, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A place in a text: `line` and `col` from 0, `offset` in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly col: number;
  readonly offset: number;
}

/** Finds lines in a text. A line ends with LF, CRLF or a lone CR. */
export class LineIndex {
  readonly #starts: number[];

  constructor(text: string) {
    this.#starts = text.includes('\r') ? startsByEveryEnd(text) : startsByLineFeed(text);
  }

  /** How many lines there are; a text that ends with a line end has an empty last line. */
  get count(): number {
    return this.#starts.length;
  }

  /** The offset at which a line begins; 0 for a line that does not exist. */
  startOf(line: number): number {
    return this.#starts[line] ?? 0;
  }

  /** The line that holds an offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Line and column of an offset. */
  positionAt(offset: number): TextPosition {
    const line = this.lineAt(offset);
    return { line, col: offset - this.startOf(line), offset };
  }
}

function startsByLineFeed(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function startsByEveryEnd(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}
