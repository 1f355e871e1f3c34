import {
  gifBlocks,
  type ImageBlock,
  jpegSegments,
  nameAt,
  pngChunks,
  viewOf,
  webpChunks,
} from './image-blocks.ts';

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp';

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ImageSize extends Size {
  readonly format: ImageFormat;
}

/**
 * The format and size that a picture file states, without decoding it. If it states several sizes
 * (a canvas and its frames), this is the largest width and the largest height, because the decoder
 * may allocate memory for either. Undefined when the file is not a JPEG, PNG, GIF or WebP, states
 * no size, or states a size of 0. Never throws.
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  let width = 0;
  let height = 0;
  for (const size of sizesIn[format](bytes)) {
    if (size.width === 0 || size.height === 0) return undefined;
    width = Math.max(width, size.width);
    height = Math.max(height, size.height);
  }
  return width > 0 ? { format, width, height } : undefined;
}

function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  const begins = (...values: readonly number[]): boolean =>
    values.every((value, at) => bytes[at] === value);
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg';
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (nameAt(bytes, 0) === 'GIF8') return 'gif';
  if (nameAt(bytes, 0) === 'RIFF' && nameAt(bytes, 8) === 'WEBP') return 'webp';
  return undefined;
}

/** The sizes that a file of each format states, by its specification. */
const sizesIn: Readonly<Record<ImageFormat, (bytes: Uint8Array) => Iterable<Size>>> = {
  *jpeg(bytes) {
    for (const { kind, data } of jpegSegments(bytes)) {
      if (isStartOfFrame(kind) && data.length >= 5) {
        yield { height: viewOf(data).getUint16(1), width: viewOf(data).getUint16(3) };
      }
    }
  },
  *png(bytes) {
    const header = pngChunks(bytes).next().value;
    if (header?.kind === 'IHDR' && header.data.length >= 8) {
      yield { width: viewOf(header.data).getUint32(0), height: viewOf(header.data).getUint32(4) };
    }
  },
  *gif(bytes) {
    for (const { kind, data } of gifBlocks(bytes)) {
      const at = kind === 'screen' ? 0 : 4;
      if (data.length < at + 4) return;
      yield {
        width: viewOf(data).getUint16(at, true),
        height: viewOf(data).getUint16(at + 2, true),
      };
    }
  },
  *webp(bytes) {
    for (const chunk of webpChunks(bytes)) {
      const size = webpSize(chunk);
      if (size !== undefined) yield size;
    }
  },
};

/** Whether a marker is one of SOF0 to SOF15. Three markers in that range mean something else. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The size in a chunk of a WebP: lossy, lossless, extended, or a frame; undefined in others. */
function webpSize({ kind, data }: ImageBlock<string>): Size | undefined {
  const view = viewOf(data);
  const uint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (kind === 'VP8 ' && data.length >= 10) {
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  }
  if (kind === 'VP8L' && data.length >= 5) {
    const packed = view.getUint32(1, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8X' && data.length >= 10) return { width: uint24(4) + 1, height: uint24(7) + 1 };
  if (kind === 'ANMF' && data.length >= 12) return { width: uint24(6) + 1, height: uint24(9) + 1 };
  return undefined;
}
