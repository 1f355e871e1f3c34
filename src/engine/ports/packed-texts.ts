/**
 * Several texts in one buffer, as UTF-8. Threads pass the buffer on without copying it, and SQLite
 * takes the bytes as they are; strings would be copied and converted at each of these steps.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  /** Where each text ends; the next one begins there. */
  readonly ends: readonly number[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** The least that a buffer has. */
const bufferBytesMin = 4 * 1024;
/** UTF-8 needs at most this many bytes for one UTF-16 unit. */
const bytesPerUnitMax = 3;

/** Packs texts one by one. Its buffer is used again after `take`. */
export class TextPacker {
  #buffer = new Uint8Array();
  #length = 0;
  #ends: number[] = [];

  add(text: string): void {
    const needed = this.#length + text.length * bytesPerUnitMax;
    if (needed > this.#buffer.length) this.#grow(needed);
    const free = this.#buffer.subarray(this.#length);
    this.#length += encoder.encodeInto(text, free).written;
    this.#ends.push(this.#length);
  }

  /** Hands over the texts since the last call, as a copy, and starts again with none. */
  take(): PackedTexts {
    const packed = { bytes: this.#buffer.slice(0, this.#length), ends: this.#ends };
    this.#length = 0;
    this.#ends = [];
    return packed;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2, bufferBytesMin));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** The bytes of one text. */
export function packedBytes({ bytes, ends }: PackedTexts, at: number): Uint8Array {
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
}

/** One text as a string. */
export function packedText(packed: PackedTexts, at: number): string {
  return decoder.decode(packedBytes(packed, at));
}
