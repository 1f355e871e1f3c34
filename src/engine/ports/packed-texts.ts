/**
 * Texts one after the other as UTF-8. Threads hand the bytes on without a copy, and SQLite takes
 * them as they are: a string would be copied and converted at each of these steps.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  /** Where each text ends; it begins where the one before it ends. */
  readonly ends: readonly number[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** UTF-8 takes at most this many bytes for one unit of UTF-16. */
const bytesPerUnitMax = 3;

/** Packs texts as they come, in one buffer that is used again for the next lot. */
export class TextPacker {
  #buffer = new Uint8Array(64 * 1024);
  #length = 0;
  #ends: number[] = [];

  add(text: string): void {
    const needed = this.#length + text.length * bytesPerUnitMax;
    if (needed > this.#buffer.length) this.#grow(needed);
    const free = this.#buffer.subarray(this.#length);
    this.#length += encoder.encodeInto(text, free).written;
    this.#ends.push(this.#length);
  }

  /** The texts since the last call, in bytes of their own. */
  take(): PackedTexts {
    const packed = { bytes: this.#buffer.slice(0, this.#length), ends: this.#ends };
    this.#length = 0;
    this.#ends = [];
    return packed;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
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
