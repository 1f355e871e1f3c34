/**
 * A Huffman code: for each sequence of 16 bits, how long the code at its beginning is (upper byte)
 * and what it stands for (lower byte); 0 where no code is.
 */
export type HuffmanTable = Uint16Array;

/** A Huffman code as a JPEG states it: how many codes there are of each length, and their meanings. */
export function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const table = new Uint16Array(65_536);
  let from = 0;
  let at = 0;
  counts.forEach((count, index) => {
    const length = index + 1;
    for (let left = count; left > 0; left--, at++) {
      const end = from + 2 ** (16 - length);
      table.fill((length << 8) | (symbols[at] ?? 0), from, end);
      from = end;
    }
  });
  return table;
}

/**
 * Reads the bits of a scan of a JPEG. At the next marker, or where the file ends, it goes on with
 * zeros.
 */
export class JpegBits {
  readonly #bytes: Uint8Array;
  #at: number;
  /** The last `#count` of these bits are still to be read; of them, the last `#added` are not in the file. */
  #bits = 0;
  #count = 0;
  #added = 0;
  #isDamaged = false;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** Whether bits were read that are not in the file, or that are no code. */
  get isOver(): boolean {
    return this.#isDamaged || this.#count < this.#added;
  }

  /** Reads a code and returns what it stands for. */
  symbol(table: HuffmanTable): number {
    if (this.#count < 16) this.#fill();
    const entry = table[(this.#bits >>> (this.#count - 16)) & 0xffff] as number;
    if (entry === 0) this.#isDamaged = true;
    this.#count -= entry >>> 8;
    return entry & 255;
  }

  /** Reads up to 16 bits as a number. */
  take(count: number): number {
    if (this.#count < count) this.#fill();
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }

  /** Reads a number of so many bits that begin with 0 if it is negative. */
  takeSigned(count: number): number {
    const value = this.take(count);
    return count > 0 && value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
  }

  /** Goes to the next marker. Returns where it is, which is the length of the file if there is none. */
  toMarker(): number {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && !this.#isAtMarker()) this.#at++;
    return this.#at;
  }

  /** Goes on after the next restart marker. Returns false if another marker comes first. */
  restart(): boolean {
    const kind = this.#bytes[this.toMarker() + 1] ?? 0;
    if (kind < 0xd0 || kind > 0xd7) return false;
    this.#at += 2;
    this.#count = 0;
    this.#added = 0;
    this.#isDamaged = false;
    return true;
  }

  #isAtMarker(): boolean {
    const next = this.#bytes[this.#at + 1];
    return this.#bytes[this.#at] === 0xff && next !== 0 && next !== 0xff;
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || (byte === 0xff && this.#bytes[this.#at + 1] !== 0)) {
        this.#bits <<= 8;
        this.#added += 8;
      } else {
        // A byte 0xff is followed by a zero, so that it is no marker.
        this.#at += byte === 0xff ? 2 : 1;
        this.#bits = (this.#bits << 8) | byte;
      }
      this.#count += 8;
    }
  }
}
