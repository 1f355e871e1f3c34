import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** How some bytes differ from others: the lengths of the common beginning and end, and the middle. */
interface Delta {
  readonly prefix: number;
  readonly suffix: number;
  readonly middle: Uint8Array;
}

/** Bytes as they are stored: compressed or not. */
interface Packed {
  readonly packed: boolean;
  readonly bytes: Uint8Array;
}

/** Fewer bytes are not worth compressing. */
const packBytesMin = 64;

/** How `bytes` differ from `base`; undefined when the difference is more than half of `bytes`. */
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

/** The `bytes` that `deltaFrom` was called with. */
export function applyDelta(base: Uint8Array, { prefix, suffix, middle }: Delta): Uint8Array {
  const bytes = new Uint8Array(prefix + middle.length + suffix);
  bytes.set(base.subarray(0, prefix));
  bytes.set(middle, prefix);
  bytes.set(base.subarray(base.length - suffix), prefix + middle.length);
  return bytes;
}

/** Compresses the bytes if that saves a tenth. Fast rather than small, since a write waits for it. */
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
