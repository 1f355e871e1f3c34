import { viewOf } from './image-blocks.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { type HuffmanTable, huffmanTable, JpegBits } from './jpeg-bits.ts';

/**
 * One of the one, three or four planes of a JPEG, such as its brightness, in blocks of eight by eight
 * pixels, each of which is stored as 64 coefficients.
 */
export interface JpegPlane {
  readonly id: number;
  /** How fine it is, beside the other planes: blocks in each direction for the same part of the picture. */
  readonly across: number;
  readonly down: number;
  /** Blocks in a row, and rows of blocks, up to the end of the last unit of all planes. */
  readonly columns: number;
  readonly rows: number;
  /** By which table its coefficients are multiplied (`JpegCoefficients.steps`). */
  readonly table: number;
  /** Those that are kept of each block: row by row, the lowest frequencies. */
  readonly kept: Int16Array;
  /** For each block, 64 bits that say which coefficients are not zero; only in a progressive JPEG. */
  readonly seen: Uint32Array | undefined;
}

export interface JpegCoefficients {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly JpegPlane[];
  readonly acrossMax: number;
  readonly downMax: number;
  /** What the coefficients are multiplied by, in the order in which the file has them. */
  readonly steps: readonly (Uint16Array | undefined)[];
  /** Which colours the planes are, as Adobe's programs state it; undefined where they do not. */
  readonly adobe: number | undefined;
}

/** The place (8 × row + column) of each coefficient in its block, in the order of the file. */
export const zigzag: Uint8Array = Uint8Array.from(
  Array.from({ length: 64 }, (_, at) => at).sort((one, other) => turnOf(one) - turnOf(other)),
);

/** Diagonal by diagonal, down and up in turns. */
function turnOf(place: number): number {
  const [row, column] = [place >> 3, place & 7];
  return 8 * (row + column) + ((row + column) % 2 === 0 ? column : row);
}

/**
 * Reads a JPEG, sequential or progressive, and keeps of each block only the `side` by `side`
 * coefficients of the lowest frequencies: a picture of `side` eighths of the size is made of them.
 * What is missing or damaged is zero. Fails for the rare kinds (arithmetic codes, lossless, 12 bits).
 */
export function jpegCoefficients(bytes: Uint8Array, side: number): JpegCoefficients {
  return new JpegReader(bytes, side).read();
}

const damaged = (): Error => new Error('The JPEG is damaged, or of a rare kind.');

class JpegReader {
  readonly #bytes: Uint8Array;
  readonly #side: number;
  readonly #steps: (Uint16Array | undefined)[] = [];
  readonly #codes = new Map<number, HuffmanTable>();
  #frame: Omit<JpegCoefficients, 'steps' | 'adobe'> | undefined;
  #adobe: number | undefined;
  #restartAfter = 0;

  constructor(bytes: Uint8Array, side: number) {
    this.#bytes = bytes;
    this.#side = side;
  }

  read(): JpegCoefficients {
    const view = viewOf(this.#bytes);
    for (let at = 2; at + 4 <= view.byteLength; ) {
      const kind = view.getUint8(at + 1);
      // Between the segments, only filling is allowed; anything else is skipped up to the next one, also
      // markers that stand alone, such as a restart after the last block of a scan.
      const isAlone = kind <= 1 || kind === 0xff || (kind >= 0xd0 && kind <= 0xd8);
      if (view.getUint8(at) !== 0xff || isAlone) {
        at++;
        continue;
      }
      if (kind === 0xd9) break;
      const end = at + 2 + view.getUint16(at + 2);
      const data = this.#bytes.subarray(at + 4, end);
      at = kind === 0xda ? this.#readScan(data, end) : end;
      this.#readSegment(kind, data);
    }
    if (this.#frame === undefined) throw damaged();
    return { ...this.#frame, steps: this.#steps, adobe: this.#adobe };
  }

  #readSegment(kind: number, data: Uint8Array): void {
    if (kind === 0xdb) this.#readSteps(data);
    else if (kind === 0xc4) this.#readCodes(data);
    else if (kind === 0xdd && data.length >= 2) this.#restartAfter = viewOf(data).getUint16(0);
    else if (kind === 0xee && data.length >= 12 && data[0] === 0x41) this.#adobe = data[11];
    else if (kind >= 0xc0 && kind <= 0xcf && ![0xc8, 0xcc].includes(kind)) {
      if (kind > 0xc2 || this.#frame !== undefined) throw damaged();
      this.#frame = frameOf(data, {
        side: this.#side,
        isProgressive: kind === 0xc2,
        size: imageSize(this.#bytes),
      });
    }
  }

  #readSteps(data: Uint8Array): void {
    const view = viewOf(data);
    for (let at = 0; at < data.length; ) {
      const isLong = view.getUint8(at) >> 4 !== 0;
      const length = isLong ? 128 : 64;
      if (at + 1 + length > data.length) return;
      this.#steps[view.getUint8(at) & 15] = Uint16Array.from({ length: 64 }, (_, of) =>
        isLong ? view.getUint16(at + 1 + 2 * of) : view.getUint8(at + 1 + of),
      );
      at += 1 + length;
    }
  }

  #readCodes(data: Uint8Array): void {
    for (let at = 0; at + 17 <= data.length; ) {
      const counts = data.subarray(at + 1, at + 17);
      const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
      this.#codes.set(data[at] ?? 0, huffmanTable(counts, data.subarray(at + 17, end)));
      at = end;
    }
  }

  /** Reads one scan, whose bits begin at `start`. Returns where the next marker is. */
  #readScan(data: Uint8Array, start: number): number {
    const frame = this.#frame;
    const count = data[0] ?? 0;
    const isProgressive = frame?.planes[0]?.seen !== undefined;
    // A sequential JPEG always has all of them, whatever it states.
    const stated = isProgressive ? data.subarray(1 + 2 * count) : [0, 63, 0];
    const [from = 0, to = 0, bits = 0] = stated;
    const parts = Array.from({ length: count }, (_, at) => {
      const plane = frame?.planes.find(({ id }) => id === data[1 + 2 * at]);
      const codes = data[2 + 2 * at] ?? 0;
      if (plane === undefined) throw damaged();
      // A scan has the codes that it needs: those of the first coefficients, of the others, or both.
      const [first = noCodes, others = noCodes] = [codes >> 4, 16 + (codes & 15)].map((id) =>
        this.#codes.get(id),
      );
      return { plane, first, others, last: 0 };
    });
    if (frame === undefined || count < 1 || to > 63 || from > to) throw damaged();
    const scan = new Scan(new JpegBits(this.#bytes, start), this.#side);
    scan.range = { from, to, isFirst: bits >> 4 === 0, bit: 1 << (bits & 15) };
    return scan.read(frame, parts, this.#restartAfter);
  }
}

const noCodes: HuffmanTable = new Uint16Array(65_536);

function frameOf(
  data: Uint8Array,
  {
    side,
    isProgressive,
    size,
  }: {
    readonly side: number;
    readonly isProgressive: boolean;
    /** The size by which the picture was let in. */
    readonly size: ImageSize | undefined;
  },
): Omit<JpegCoefficients, 'steps' | 'adobe'> {
  const count = data[5] ?? 0;
  if (data.length < 6 + 3 * count || data[0] !== 8 || ![1, 3, 4].includes(count)) throw damaged();
  const [height, width] = [viewOf(data).getUint16(1), viewOf(data).getUint16(3)];
  if (width !== size?.width || height !== size.height) throw damaged();
  const stated = Array.from({ length: count }, (_, at) => {
    const [id = 0, fineness = 0, table = 0] = data.subarray(6 + 3 * at, 9 + 3 * at);
    const [across, down] = [fineness >> 4, fineness & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4) throw damaged();
    return { id, across, down, table };
  });
  const acrossMax = Math.max(...stated.map(({ across }) => across));
  const downMax = Math.max(...stated.map(({ down }) => down));
  const planes = stated.map((plane) => {
    const columns = Math.ceil(width / (8 * acrossMax)) * plane.across;
    const rows = Math.ceil(height / (8 * downMax)) * plane.down;
    const kept = new Int16Array(columns * rows * side * side);
    const seen = isProgressive ? new Uint32Array(2 * columns * rows) : undefined;
    return { ...plane, columns, rows, kept, seen };
  });
  return { width, height, planes, acrossMax, downMax };
}

/** A plane in a scan. */
interface ScanPart {
  readonly plane: JpegPlane;
  readonly first: HuffmanTable;
  readonly others: HuffmanTable;
  /** The first coefficient of its last block; the next one is stated as the difference to it. */
  last: number;
}

/**
 * Reads the blocks of one scan. A sequential JPEG has all coefficients of a plane in one scan; a
 * progressive one has some of them, or the next bit of each, in each scan.
 */
class Scan {
  range = { from: 0, to: 0, isFirst: true, bit: 1 };
  readonly #bits: JpegBits;
  readonly #square: number;
  /** Where each coefficient is kept in its block, in the order of the file; -1 for the others. */
  readonly #places: Int8Array;
  /** For how many more blocks all coefficients of this scan are zero. */
  #emptyBlocks = 0;

  constructor(bits: JpegBits, side: number) {
    this.#bits = bits;
    this.#square = side * side;
    this.#places = Int8Array.from(zigzag, (place) =>
      (place & 7) < side && place >> 3 < side ? (place >> 3) * side + (place & 7) : -1,
    );
  }

  /** Returns where the next marker is. */
  read(
    frame: Pick<JpegCoefficients, 'width' | 'height' | 'acrossMax' | 'downMax'>,
    parts: readonly ScanPart[],
    restartAfter: number,
  ): number {
    const { width, height, acrossMax, downMax } = frame;
    const [one] = parts;
    // A scan of one plane has its blocks row by row; one of several planes has all that belong to the
    // same part of the picture together.
    const [across, down] =
      parts.length === 1 && one !== undefined
        ? [acrossMax / one.plane.across, downMax / one.plane.down]
        : [acrossMax, downMax];
    const columns = Math.ceil(width / (8 * across));
    const units = columns * Math.ceil(height / (8 * down));
    for (let unit = 0; unit < units; unit++) {
      if (restartAfter > 0 && unit > 0 && unit % restartAfter === 0) {
        if (!this.#bits.restart()) break;
        this.#emptyBlocks = 0;
        for (const part of parts) part.last = 0;
      }
      if (this.#bits.isOver) {
        if (restartAfter === 0) break;
        continue;
      }
      const [x, y] = [unit % columns, Math.floor(unit / columns)];
      if (parts.length === 1 && one !== undefined) this.#block(one, y * one.plane.columns + x);
      else for (const part of parts) this.#unit(part, x, y);
    }
    return this.#bits.toMarker();
  }

  /** Reads the blocks of one plane that belong to one part of the picture. */
  #unit(part: ScanPart, x: number, y: number): void {
    const { across, down, columns } = part.plane;
    for (let row = 0; row < down; row++) {
      const first = (y * down + row) * columns + x * across;
      for (let column = 0; column < across; column++) this.#block(part, first + column);
    }
  }

  #block(part: ScanPart, block: number): void {
    const { from, to, isFirst } = this.range;
    if (from === 0) this.#firstCoefficient(part, block * this.#square);
    if (to === 0) return;
    if (isFirst) this.#coefficients(part, block);
    else this.#nextBits(part, block);
  }

  #firstCoefficient(part: ScanPart, at: number): void {
    const { isFirst, bit } = this.range;
    const { kept } = part.plane;
    if (!isFirst) {
      if (this.#bits.take(1) === 1) kept[at] = (kept[at] as number) | bit;
      return;
    }
    part.last += this.#bits.takeSigned(this.#bits.symbol(part.first) & 15);
    kept[at] = part.last * bit;
  }

  #coefficients({ plane, others }: ScanPart, block: number): void {
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks--;
      return;
    }
    const { from, to, bit } = this.range;
    for (let at = Math.max(1, from); at <= to; at++) {
      const symbol = this.#bits.symbol(others);
      const zeros = symbol >> 4;
      const size = symbol & 15;
      if (size === 0 && zeros < 15) {
        this.#emptyBlocks = (1 << zeros) - 1 + this.#bits.take(zeros);
        return;
      }
      at += zeros;
      if (size > 0 && at <= to) this.#keep(plane, block, at, this.#bits.takeSigned(size) * bit);
    }
  }

  /** Reads the next bit of each coefficient that is not zero, and those that are no longer zero. */
  #nextBits({ plane, others }: ScanPart, block: number): void {
    const { from, to, bit } = this.range;
    let at = Math.max(1, from);
    while (this.#emptyBlocks === 0 && at <= to) {
      const symbol = this.#bits.symbol(others);
      const zeros = symbol >> 4;
      let value = 0;
      if ((symbol & 15) !== 0) value = this.#bits.take(1) === 1 ? bit : -bit;
      else if (zeros < 15) {
        this.#emptyBlocks = (1 << zeros) + this.#bits.take(zeros);
        break;
      }
      at = this.#pass(plane, block, { at, zeros });
      if (value !== 0 && at <= to) this.#keep(plane, block, at, value);
      at++;
    }
    if (this.#emptyBlocks === 0) return;
    this.#pass(plane, block, { at, zeros: 64 });
    this.#emptyBlocks--;
  }

  /** Goes past so many zeros, and reads a bit for all others on the way. Returns the zero after them. */
  #pass(plane: JpegPlane, block: number, way: { at: number; zeros: number }): number {
    const { to, bit } = this.range;
    const { kept, seen } = plane;
    let { at, zeros } = way;
    for (; at <= to; at++) {
      const isSeen = ((seen?.[2 * block + (at >> 5)] ?? 0) >>> (at & 31)) & 1;
      if (isSeen === 0) {
        if (zeros === 0) break;
        zeros--;
      } else if (this.#bits.take(1) === 1 && (this.#places[at] as number) >= 0) {
        const place = block * this.#square + (this.#places[at] as number);
        const value = kept[place] as number;
        kept[place] = value < 0 ? value - bit : value + bit;
      }
    }
    return at;
  }

  #keep({ kept, seen }: JpegPlane, block: number, at: number, value: number): void {
    const place = this.#places[at] as number;
    if (place >= 0) kept[block * this.#square + place] = value;
    if (seen === undefined) return;
    const word = 2 * block + (at >> 5);
    seen[word] = (seen[word] as number) | (1 << (at & 31));
  }
}
