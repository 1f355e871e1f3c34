import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** A PNG with a colour for each pixel. */
export function makePng(
  { width, height }: { readonly width: number; readonly height: number },
  colourAt: (x: number, y: number) => Colour = () => [128, 128, 128, 255],
): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + width * 4) + 1 + x * 4);
  }
  return pngOf({ width, height, depth: 8, colourType: 6, rows });
}

/** A black PNG of one bit for each pixel: large, and quickly made. */
export function makeBlackPng(side: number): Uint8Array {
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  return pngOf({ width: side, height: side, depth: 1, colourType: 0, rows });
}

/** The beginning of a PNG of any size, and nothing to decode. */
export function makePngHeader(width: number, height: number): Uint8Array {
  return pngOf({ width, height, depth: 8, colourType: 6, rows: Buffer.alloc(0) });
}

function pngOf(png: {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly rows: Buffer;
}): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(png.width, 0);
  header.writeUInt32BE(png.height, 4);
  header.set([png.depth, png.colourType], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(png.rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
