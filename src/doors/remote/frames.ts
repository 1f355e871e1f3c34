/** What is wrong with a stream of frames; nothing after it can be read. */
export type FrameFault =
  | 'head too long'
  | 'line without a colon'
  | 'no length'
  | 'length is no number'
  | 'body too long';

const newline = 0x0a;
const carriageReturn = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into frames: header lines, an empty line, and as many bytes as
 * `Content-Length` says. It is ours because vscode-jsonrpc, which has the same framing, knows no limit
 * for a head or a body, takes no bare line feed, and reads in a loop of its own that cannot be held.
 */
export class FrameReader {
  readonly #headBytesMax: number;
  readonly #bodyBytesMax: number;
  /** What came and was not looked at; short whenever more comes. */
  #rest: Buffer = nothing;
  #headBytes = 0;
  /** What the head has said so far; after it, the length of the body. */
  #length: number | undefined;
  #isInBody = false;
  /** A body that came in several chunks, and how much of it is there. */
  #body: Buffer | undefined;
  #filled = 0;
  #fault: FrameFault | undefined;
  #bytesTaken = 0;

  constructor(max: { readonly headBytes: number; readonly bodyBytes: number }) {
    this.#headBytesMax = max.headBytes;
    this.#bodyBytesMax = max.bodyBytes;
  }

  /** Why there is no next frame, and will be none. */
  get fault(): FrameFault | undefined {
    return this.#fault;
  }

  /** How many bytes were looked at, of all frames together. */
  get bytesTaken(): number {
    return this.#bytesTaken;
  }

  /** Whether a frame has begun and is not whole. */
  get isInside(): boolean {
    return this.#isInBody || this.#headBytes + this.#rest.length > 0;
  }

  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
  }

  /** The body of the next frame; undefined while it is not whole, and for ever after a fault. */
  next(): Buffer | undefined {
    if (!this.#isInBody) this.#readHead();
    return this.#isInBody ? this.#readBody(this.#length ?? 0) : undefined;
  }

  /** Takes lines up to the empty one, or as many as there are. */
  #readHead(): void {
    while (!this.#isInBody && this.#fault === undefined) {
      const end = this.#rest.indexOf(newline);
      const bytes = end < 0 ? this.#rest.length : end + 1;
      if (this.#headBytes + bytes > this.#headBytesMax) this.#fault = 'head too long';
      if (end < 0) return;
      this.#headBytes += bytes;
      const line = lineText(this.#take(bytes).subarray(0, end));
      this.#fault ??= line === '' ? this.#endHead() : this.#readLine(line);
    }
  }

  /** Where a length is said twice, the last one holds. */
  #readLine(line: string): FrameFault | undefined {
    const colon = line.indexOf(':');
    if (colon < 0) return 'line without a colon';
    if (line.slice(0, colon).trim().toLowerCase() !== 'content-length') return undefined;
    const value = line.slice(colon + 1).trim();
    if (!/^\+?\d+$/.test(value)) return 'length is no number';
    this.#length = Number(value);
    return undefined;
  }

  #endHead(): FrameFault | undefined {
    if (this.#length === undefined) return 'no length';
    if (this.#length > this.#bodyBytesMax) return 'body too long';
    this.#isInBody = true;
    return undefined;
  }

  /** One that came whole is not copied; of any other, each byte is copied once. */
  #readBody(length: number): Buffer | undefined {
    const piece = this.#take(Math.min(length - this.#filled, this.#rest.length));
    if (piece.length === length) return this.#endBody(piece);
    this.#body ??= Buffer.allocUnsafeSlow(length); // The system gives room as it is filled.
    this.#filled += piece.copy(this.#body, this.#filled);
    return this.#filled === length ? this.#endBody(this.#body) : undefined;
  }

  #endBody(body: Buffer): Buffer {
    this.#isInBody = false;
    this.#length = undefined;
    this.#headBytes = 0;
    this.#body = undefined;
    this.#filled = 0;
    return body;
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes);
    this.#rest = bytes === this.#rest.length ? nothing : this.#rest.subarray(bytes);
    this.#bytesTaken += bytes;
    return taken;
  }
}

/** Without the carriage returns at its end. A regular expression would try at each of those before. */
function lineText(line: Buffer): string {
  let end = line.length;
  while (line[end - 1] === carriageReturn) end--;
  return line.toString('latin1', 0, end);
}
