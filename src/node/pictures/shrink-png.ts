import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { pngChunks, viewOf } from './image-blocks.ts';
import type { Pixels } from './turn-upright.ts';

/** How many numbers a pixel has, for each colour type: grey, RGB, palette, grey and RGB with alpha. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Header {
  readonly width: number;
  readonly height: number;
  /** The bits of one number. */
  readonly depth: number;
  readonly type: number;
  readonly channels: number;
}

/** Whether a PNG is stored in several passes, so that its rows do not come in order. */
export function isInterlaced(png: Uint8Array): boolean {
  return png[28] === 1;
}

/**
 * Decodes a PNG and makes it so many times smaller, row by row: each pixel is the average of a square
 * of `times` by `times`. The colours are multiplied by alpha, as `weighByAlpha` does. Two rows and
 * the small picture are in memory. Fails for an interlaced PNG, and for one that is damaged.
 */
export async function shrinkPng(source: Uint8Array, times: number): Promise<Pixels> {
  const header = headerOf(source);
  const { width, height, depth, channels } = header;
  const step = Math.max(1, (channels * depth) / 8);
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const colours = rowReader(source, header, step);
  const average = new RowAverages(width, height, times);
  // Before its first pixel, a row has room for a pixel that is zero. The last byte of that room is
  // where the number of the filter is put.
  let row = new Uint8Array(step + rowBytes);
  let above = new Uint8Array(step + rowBytes);
  let filled = step - 1;
  let rows = 0;
  const inflate = Readable.from(imageData(source)).pipe(createInflate({ chunkSize: 256 * 1024 }));
  for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length && rows < height; ) {
      const part = chunk.subarray(at, at + row.length - filled);
      row.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < row.length) break;
      const filter = row[step - 1] as number;
      row[step - 1] = 0;
      unfilter(filter, { row, above, step });
      average.add(colours(row));
      [row, above] = [above, row];
      filled = step - 1;
      rows++;
    }
    if (rows === height) break;
  }
  if (rows < height) throw new Error('The PNG ends before its last row.');
  return average.picture;
}

function headerOf(source: Uint8Array): Header {
  const view = viewOf(source);
  const [depth, type] = [source[24] ?? 0, source[25] ?? 0];
  const channels = channelsOf[type];
  const depths = type === 3 ? [1, 2, 4, 8] : type === 0 ? [1, 2, 4, 8, 16] : [8, 16];
  if (channels === undefined || !depths.includes(depth) || isInterlaced(source)) {
    throw new Error('The PNG is of a kind that is not decoded row by row.');
  }
  return { width: view.getUint32(16), height: view.getUint32(20), depth, type, channels };
}

function* imageData(source: Uint8Array): Generator<Uint8Array> {
  for (const { kind, data } of pngChunks(source)) if (kind === 'IDAT') yield data;
}

/** Undoes the filter of a row: what is stored is the difference to what its neighbours suggest. */
function unfilter(
  filter: number,
  { row, above, step }: { row: Uint8Array; above: Uint8Array; step: number },
): void {
  for (let at = step; filter > 0 && at < row.length; at++) {
    const left = row[at - step] as number;
    const up = above[at] as number;
    let guess = left;
    if (filter === 2) guess = up;
    else if (filter === 3) guess = (left + up) >> 1;
    else if (filter === 4) guess = nearestOf(left, up, above[at - step] as number);
    row[at] = (row[at] as number) + guess;
  }
}

/** Of three neighbours, the one nearest to `left + up - corner` (Paeth). */
function nearestOf(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** The palette, and which of its colours or which one colour is clear; both come before the pixels. */
function colourChunks(source: Uint8Array): { palette?: Uint8Array; clear?: Uint8Array } {
  const found: { palette?: Uint8Array; clear?: Uint8Array } = {};
  for (const { kind, data } of pngChunks(source)) {
    if (kind === 'PLTE') found.palette = data;
    else if (kind === 'tRNS') found.clear = data;
    else if (kind === 'IDAT') break;
  }
  return found;
}

/** A function that turns a row as it is stored into pixels of four bytes each. */
function rowReader(
  source: Uint8Array,
  { width, depth, type, channels }: Header,
  step: number,
): (row: Uint8Array) => Uint8Array {
  const { palette, clear } = colourChunks(source);
  const pixels = new Uint8Array(4 * width);
  if (channels === 1 && depth <= 8) {
    const table = colourTable(depth, palette, { isGrey: type === 0, clear });
    const words = new Uint32Array(pixels.buffer);
    const mask = 2 ** depth - 1;
    return (row) => {
      for (let x = 0, bit = 8 * step; x < width; x++, bit += depth) {
        const packed = (row[bit >> 3] as number) >> (8 - depth - (bit & 7));
        words[x] = table[packed & mask] as number;
      }
      return pixels;
    };
  }
  const bytes = depth / 8;
  const [green, blue] = channels < 3 ? [0, 0] : [bytes, 2 * bytes];
  const alpha = channels % 2 === 0 ? (channels - 1) * bytes : -1;
  // The one colour that cannot be seen; it is stated in two bytes for each number.
  const isClear = alpha < 0 && clear?.length === 2 * channels;
  const hidden = isClear ? clear.filter((_, at) => bytes === 2 || at % 2 === 1) : undefined;
  return (row) => {
    for (let x = 0, from = step, to = 0; x < width; x++, from += step, to += 4) {
      pixels[to] = row[from] as number;
      pixels[to + 1] = row[from + green] as number;
      pixels[to + 2] = row[from + blue] as number;
      const isHidden = hidden?.every((value, at) => row[from + at] === value) === true;
      pixels[to + 3] = isHidden ? 0 : alpha < 0 ? 255 : (row[from + alpha] as number);
    }
    return pixels;
  };
}

/** The colours of a palette, or of up to 256 greys, as words of four bytes. */
function colourTable(
  depth: number,
  palette: Uint8Array | undefined,
  { isGrey, clear }: { readonly isGrey: boolean; readonly clear: Uint8Array | undefined },
): Uint32Array {
  const table = new Uint8Array(4 * 256).fill(255);
  const most = 2 ** depth - 1;
  for (let at = 0; at <= most; at++) {
    if (isGrey) table.fill((255 * at) / most, 4 * at, 4 * at + 3);
    else table.set(palette?.subarray(3 * at, 3 * at + 3) ?? [], 4 * at);
    const isHidden = isGrey && clear?.[1] === at;
    table[4 * at + 3] = isHidden ? 0 : isGrey ? 255 : (clear?.[at] ?? 255);
  }
  return new Uint32Array(table.buffer);
}

/** A picture that is so many times smaller: each pixel is the average of a square, as in `shrinkPng`. */
export function averaged({ data, width, height }: Pixels, times: number): Pixels {
  const average = new RowAverages(width, height, times);
  for (let y = 0; y < height; y++) average.add(data.subarray(4 * width * y, 4 * width * (y + 1)));
  return average.picture;
}

/** Makes a small picture of the rows of a large one. */
class RowAverages {
  readonly picture: Pixels;
  readonly #source: { readonly width: number; readonly height: number; readonly times: number };
  readonly #pixels: Uint8ClampedArray;
  /** For each small pixel, the sums of its colours times alpha, and of its alphas. */
  readonly #sums: Float64Array;
  #rows = 0;

  constructor(width: number, height: number, times: number) {
    const small = { width: Math.ceil(width / times), height: Math.ceil(height / times) };
    this.#source = { width, height, times };
    this.#pixels = new Uint8ClampedArray(4 * small.width * small.height);
    this.#sums = new Float64Array(4 * small.width);
    this.picture = { ...small, data: new Uint8Array(this.#pixels.buffer) };
  }

  /** Adds the next row; after the last one, `picture` is complete. */
  add(row: Uint8Array): void {
    const { width, height, times } = this.#source;
    const sums = this.#sums;
    for (let x = 0, at = 0, to = 0; x < width; to += 4) {
      for (const end = Math.min(width, x + times); x < end; x++, at += 4) {
        const alpha = row[at + 3] as number;
        sums[to] = (sums[to] as number) + (row[at] as number) * alpha;
        sums[to + 1] = (sums[to + 1] as number) + (row[at + 1] as number) * alpha;
        sums[to + 2] = (sums[to + 2] as number) + (row[at + 2] as number) * alpha;
        sums[to + 3] = (sums[to + 3] as number) + 255 * alpha;
      }
    }
    this.#rows++;
    const inSquare = this.#rows % times || times;
    if (inSquare < times && this.#rows < height) return;
    const first = (Math.ceil(this.#rows / times) - 1) * sums.length;
    for (let at = 0; at < sums.length; at++) {
      const columns = Math.min(times, width - (at >> 2) * times);
      this.#pixels[first + at] = (sums[at] as number) / (255 * columns * inSquare);
    }
    sums.fill(0);
  }
}
