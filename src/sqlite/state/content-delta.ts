import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Bytes as parts of other ones: what both begin and end with, and what is between. */
interface Delta {
  readonly prefix: number;
  readonly suffix: number;
  readonly middle: Uint8Array;
}

/** Bytes as they are stored. */
interface Packed {
  readonly packed: boolean;
  readonly bytes: Uint8Array;
}

/** Smaller ones are not worth the time. */
const packBytesMin = 64;

/** How `bytes` differ from `base`; undefined when that takes more than half of them. */
export function deltaFrom(base: Uint8Array, bytes: Uint8Array): Delta | undefined {
  const shared = Math.min(base.length, bytes.length);
  let prefix = 0;
  while (prefix < shared && base[prefix] === bytes[prefix]) prefix++;
  let suffix = 0;
  const room = shared - prefix;
  while (suffix < room && base[base.length - 1 - suffix] === bytes[bytes.length - 1 - suffix]) {
    suffix++;
  }
  const middle = bytes.subarray(prefix, bytes.length - suffix);
  return middle.length * 2 > bytes.length ? undefined : { prefix, suffix, middle };
}

/** The bytes that `deltaFrom` was asked about. */
export function applyDelta(base: Uint8Array, { prefix, suffix, middle }: Delta): Uint8Array {
  const bytes = new Uint8Array(prefix + middle.length + suffix);
  bytes.set(base.subarray(0, prefix));
  bytes.set(middle, prefix);
  bytes.set(base.subarray(base.length - suffix), prefix + middle.length);
  return bytes;
}

/** Compresses where that helps. Fast rather than small: a write waits for it. */
export function pack(bytes: Uint8Array): Packed {
  if (bytes.length < packBytesMin) return { packed: false, bytes };
  const deflated = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED + 1 });
  return deflated.length < bytes.length * 0.9
    ? { packed: true, bytes: deflated }
    : { packed: false, bytes };
}

/** The bytes that `pack` was given. */
export function unpack({ packed, bytes }: Packed): Uint8Array {
  return packed ? inflateRawSync(bytes) : bytes;
}
