/**
 * The parts that picture files are made of, up to where a file ends or stops making sense. What a
 * block lacks because the file ends is lacking in its data too. None of these ever throws.
 */
export interface ImageBlock<Kind> {
  readonly kind: Kind;
  readonly data: Uint8Array;
}

const startOfScan = 0xda;

/** The segments of a JPEG by their markers, up to the first scan: what follows is no structure. */
export function* jpegSegments(bytes: Uint8Array): Generator<ImageBlock<number>> {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 4 <= bytes.length && view.getUint8(at) === 0xff) {
    const kind = view.getUint8(at + 1);
    if (kind === startOfScan) return;
    // Any number of these may stand before a marker; those without data are not met before a scan.
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

/** The chunks of a PNG by their names. */
export function* pngChunks(bytes: Uint8Array): Generator<ImageBlock<string>> {
  const view = viewOf(bytes);
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    yield { kind: nameAt(bytes, at + 4), data: bytes.subarray(at + 8, end) };
    at = end + 4; // A checksum.
  }
}

/** The chunks of a WebP by their names, those in animation frames aside. */
export function* webpChunks(bytes: Uint8Array): Generator<ImageBlock<string>> {
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    yield { kind: nameAt(bytes, at), data: bytes.subarray(at + 8, end) };
    at = end + (end % 2); // They begin at even places.
  }
}

/** The screen of a GIF, and the descriptor of its first frame, where there is one. */
export function* gifBlocks(bytes: Uint8Array): Generator<ImageBlock<'screen' | 'frame'>> {
  const flags = bytes[10] ?? 0;
  yield { kind: 'screen', data: bytes.subarray(6, 13) };
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  while (bytes[at] === 0x21) {
    at += 2;
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return;
      at += 1 + length;
    }
    at += 1;
  }
  if (bytes[at] === 0x2c) yield { kind: 'frame', data: bytes.subarray(at + 1, at + 10) };
}

/** For numbers of several bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The four letters at a place; shorter at the end. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
