/** What is wrong with a stream of frames. Nothing after a fault can be read. */
type FrameFault =
  | 'head too long'
  | 'line without a colon'
  | 'no length'
  | 'length is no number'
  | 'body too long';

const newline = 0x0a;
const carriageReturn = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into frames: header lines, an empty line, and a body of `Content-Length`
 * bytes. vscode-jsonrpc, which has the same framing, is not used: it has no limits for heads and
 * bodies, does not accept a bare line feed, and its reading cannot be paused.
 */
export class FrameReader {
  readonly #headBytesMax: number;
  readonly #bodyBytesMax: number;
  /** The bytes that were not read yet; when a new chunk comes, at most an incomplete line. */
  #rest: Buffer = nothing;
  #headBytes = 0;
  /** The Content-Length of the current frame; undefined until its header line was read. */
  #length: number | undefined;
  #isInBody = false;
  /** A body that comes in several chunks. `#filled` is how many of its bytes have come. */
  #body: Buffer | undefined;
  #filled = 0;
  #fault: FrameFault | undefined;
  #bytesTaken = 0;

  constructor(max: { readonly headBytes: number; readonly bodyBytes: number }) {
    this.#headBytesMax = max.headBytes;
    this.#bodyBytesMax = max.bodyBytes;
  }

  /**
   * What is wrong with the stream, after which there are no more frames; undefined if nothing is.
   */
  get fault(): FrameFault | undefined {
    return this.#fault;
  }

  /** How many bytes have been read, of all frames together. */
  get bytesTaken(): number {
    return this.#bytesTaken;
  }

  /** Whether a frame has begun and is not complete. */
  get isInside(): boolean {
    return this.#isInBody || this.#headBytes + this.#rest.length > 0;
  }

  /** Adds bytes. Then `next` must be called until it answers undefined. */
  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
  }

  /** The body of the next frame; undefined until it is complete, and always after a fault. */
  next(): Buffer | undefined {
    if (!this.#isInBody) this.#readHead();
    return this.#isInBody ? this.#readBody(this.#length ?? 0) : undefined;
  }

  /** Reads header lines up to the empty line, or as many as have come. */
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

  /** Reads a header line. If there are two lengths, the last one counts. */
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

  /** A body that comes in one chunk is not copied; otherwise each byte is copied once. */
  #readBody(length: number): Buffer | undefined {
    const piece = this.#take(Math.min(length - this.#filled, this.#rest.length));
    if (piece.length === length) return this.#endBody(piece);
    this.#body ??= Buffer.allocUnsafeSlow(length); // Memory is used only as it is filled.
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

/**
 * The line without carriage returns at its end. A regular expression would take quadratic time
 * here.
 */
function lineText(line: Buffer): string {
  let end = line.length;
  while (line[end - 1] === carriageReturn) end--;
  return line.toString('latin1', 0, end);
}

/** The frame of a message. `bytes` is the length of the JSON in UTF-8, if it is known. */
export function writeFrame(json: string, bytes = Buffer.byteLength(json)): Buffer {
  const head = `Content-Length: ${bytes}\r\n\r\n`;
  const frame = Buffer.allocUnsafe(head.length + bytes);
  frame.write(head, 0, 'latin1');
  frame.write(json, head.length, 'utf8');
  return frame;
}
