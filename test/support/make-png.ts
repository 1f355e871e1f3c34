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
export function makePngHeader(
  width: number,
  height: number,
  { isInterlaced = false } = {},
): Uint8Array {
  const rows = Buffer.alloc(0);
  return pngOf({ width, height, depth: 8, colourType: 6, isInterlaced, rows });
}

/**
 * A PNG of any kind: `rows` have the numbers of its pixels as they are stored, without filters. The
 * rows get each of the five filters in turn.
 */
export function makeFilteredPng(png: Omit<Png, 'isInterlaced'>): Uint8Array {
  const { width, height, depth, colourType, rows } = png;
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType] ?? 1;
  const step = Math.max(1, (channels * depth) / 8);
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const filtered = Buffer.alloc(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    const to = y * (rowBytes + 1);
    filtered[to] = y % 5;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < step ? 0 : (rows[at - step] ?? 0);
      const up = y === 0 ? 0 : (rows[at - rowBytes] ?? 0);
      const corner = x < step || y === 0 ? 0 : (rows[at - rowBytes - step] ?? 0);
      const distance = (value: number): number => Math.abs(left + up - corner - value);
      const [paeth = 0] = [left, up, corner].sort((a, b) => distance(a) - distance(b));
      const guess = [0, left, up, (left + up) >> 1, paeth][y % 5] ?? 0;
      filtered[to + 1 + x] = (rows[at] ?? 0) - guess;
    }
  }
  return pngOf({ ...png, rows: filtered });
}

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly isInterlaced?: boolean;
  readonly rows: Uint8Array;
  /** The chunks PLTE and tRNS. */
  readonly palette?: Uint8Array;
  readonly clear?: Uint8Array;
}

/** A PNG of rows that have their filters. */
export function pngOf(png: Png): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(png.width, 0);
  header.writeUInt32BE(png.height, 4);
  header.set([png.depth, png.colourType, 0, 0, png.isInterlaced === true ? 1 : 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(png.palette === undefined ? [] : [chunk('PLTE', png.palette)]),
    ...(png.clear === undefined ? [] : [chunk('tRNS', png.clear)]),
    chunk('IDAT', deflateSync(png.rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
