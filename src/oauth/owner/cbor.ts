/** What CBOR can say, as far as authenticators say it: no fractions, no tags, no open lengths. */
export type Cbor =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>;

const depthMax = 8;

/**
 * Reads the CBOR value at the beginning of some bytes; `length` says how many bytes it takes.
 * Undefined for anything that is cut off, nested too deep, or not in the short list above. Looks at
 * each byte once.
 */
export function readCbor(
  bytes: Uint8Array,
): { readonly value: Cbor; readonly length: number } | undefined {
  const reader = new CborReader(bytes);
  const value = reader.value(depthMax);
  return value === undefined ? undefined : { value, length: reader.at };
}

/** The methods answer undefined where the bytes make no sense. */
class CborReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(depth: number): Cbor | undefined {
    const first = this.#bytes[this.at++];
    if (first === undefined || depth === 0) return undefined;
    const kind = first >> 5;
    if (kind === 7) return simple.get(first);
    const size = this.#size(first & 31);
    if (size === undefined) return undefined;
    switch (kind) {
      case 0:
        return size;
      case 1:
        return -1 - size;
      case 2:
        return this.#take(size);
      case 3:
        return this.#text(size);
      case 4:
        return this.#list(size, depth);
      case 5:
        return this.#map(size, depth);
      default:
        return undefined;
    }
  }

  /** The number after the first byte of a value: a length, or the value itself. */
  #size(short: number): number | undefined {
    if (short < 24) return short;
    const length = sizeBytes.get(short);
    const bytes = length === undefined ? undefined : this.#take(length);
    return bytes?.reduce((size, byte) => size * 256 + byte, 0);
  }

  #take(length: number): Uint8Array | undefined {
    const end = this.at + length;
    if (end > this.#bytes.length) return undefined;
    const taken = this.#bytes.slice(this.at, end);
    this.at = end;
    return taken;
  }

  #text(length: number): string | undefined {
    const bytes = this.#take(length);
    try {
      return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  #list(length: number, depth: number): readonly Cbor[] | undefined {
    const list: Cbor[] = [];
    while (list.length < length) {
      const value = this.value(depth - 1);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  }

  #map(length: number, depth: number): ReadonlyMap<number | string, Cbor> | undefined {
    const map = new Map<number | string, Cbor>();
    while (map.size < length) {
      const key = this.value(depth - 1);
      if ((typeof key !== 'number' && typeof key !== 'string') || map.has(key)) return undefined;
      const value = this.value(depth - 1);
      if (value === undefined) return undefined;
      map.set(key, value);
    }
    return map;
  }
}

const simple: ReadonlyMap<number, Cbor> = new Map<number, Cbor>([
  [0xf4, false],
  [0xf5, true],
  [0xf6, null],
]);
/** The lengths of eight bytes are left out: nothing here is that large. */
const sizeBytes: ReadonlyMap<number, number> = new Map([
  [24, 1],
  [25, 2],
  [26, 4],
]);
