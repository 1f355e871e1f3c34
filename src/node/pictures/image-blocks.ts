import { limits } from '../../base/limits.ts';

/**
 * One part of a picture file: what kind it is, and its bytes. The functions below list the parts of
 * a file up to its end, or up to the first part that makes no sense. If the file ends inside a
 * part, `data` ends there too. They never throw. But for the chunks of a PNG, in which its pixels are,
 * they look at no more than `limits.thumbnailPartsMax` parts.
 */
export interface ImageBlock<Kind> {
  readonly kind: Kind;
  readonly data: Uint8Array;
}

const startOfScan = 0xda;
const partsMax = limits.thumbnailPartsMax;

/**
 * The segments of a JPEG before its first scan, where the pixels begin. Their kind is their marker.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<ImageBlock<number>> {
  const view = viewOf(bytes);
  let at = 2;
  for (let left = partsMax; left > 0; left--) {
    if (at + 4 > bytes.length || view.getUint8(at) !== 0xff) return;
    const kind = view.getUint8(at + 1);
    if (kind === startOfScan) return;
    // Any number of bytes 0xff may come before a marker. Markers without data only come after a
    // scan.
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4) return;
    yield { kind, data: bytes.subarray(at + 4, end) };
    at = end;
  }
}

/** The chunks of a PNG, whose kind is their name. */
export function* pngChunks(bytes: Uint8Array): Generator<ImageBlock<string>> {
  const view = viewOf(bytes);
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    yield { kind: nameAt(bytes, at + 4), data: bytes.subarray(at + 8, end) };
    at = end + 4; // Skips the checksum.
  }
}

/** The chunks of a WebP, whose kind is their name, without the chunks inside animation frames. */
export function* webpChunks(bytes: Uint8Array): Generator<ImageBlock<string>> {
  const view = viewOf(bytes);
  for (let at = 12, left = partsMax; at + 8 <= bytes.length && left > 0; left--) {
    const end = at + 8 + view.getUint32(at + 4, true);
    yield { kind: nameAt(bytes, at), data: bytes.subarray(at + 8, end) };
    at = end + (end % 2); // Chunks begin at even positions.
  }
}

/** The screen descriptor of a GIF, and the descriptor of its first frame if there is one. */
export function* gifBlocks(bytes: Uint8Array): Generator<ImageBlock<'screen' | 'frame'>> {
  const flags = bytes[10] ?? 0;
  yield { kind: 'screen', data: bytes.subarray(6, 13) };
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  // Skips extensions, such as comments.
  let left = partsMax;
  while (bytes[at] === 0x21) {
    at += 2;
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined || left-- === 0) return;
      at += 1 + length;
    }
    at += 1;
    if (left-- <= 0) return;
  }
  if (bytes[at] === 0x2c) yield { kind: 'frame', data: bytes.subarray(at + 1, at + 10) };
}

/** A view on the same bytes that reads numbers of several bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The four characters at a position; fewer at the end of the bytes. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
