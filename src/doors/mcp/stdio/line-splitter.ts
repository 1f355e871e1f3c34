/** A line without its line feed, or the report that a line is too long and is skipped. */
export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  | { readonly kind: 'overlong' };

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines. A line over the limit is reported as soon as it is too long,
 * and the rest of it is thrown away. Works on bytes: in UTF-8, a line feed is never part of a
 * character.
 */
export class LineSplitter {
  readonly #bytesMax: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that this chunk completes. */
  *push(chunk: Buffer): Generator<Line> {
    let rest = chunk;
    while (rest.length > 0) {
      const end = rest.indexOf(newline);
      const piece = end === -1 ? rest : rest.subarray(0, end);
      if (!this.#skipping) {
        this.#pieces.push(piece);
        this.#bytes += piece.length;
        if (this.#bytes > this.#bytesMax) {
          this.#take();
          this.#skipping = true;
          yield { kind: 'overlong' };
        }
      }
      if (end === -1) return;
      if (!this.#skipping) yield { kind: 'line', bytes: this.#take() };
      this.#skipping = false;
      rest = rest.subarray(end + 1);
    }
  }

  /** The last line, if it does not end with a line feed. */
  *end(): Generator<Line> {
    if (this.#bytes > 0) yield { kind: 'line', bytes: this.#take() };
  }

  #take(): Buffer {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return bytes;
  }
}
