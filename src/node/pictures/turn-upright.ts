import type { Orientation } from './exif-orientation.ts';

/** A picture as pixels of four bytes each (red, green, blue, alpha), row by row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Turns a picture upright: returns the same picture when it is upright already, otherwise a turned
 * copy. The data must begin at a multiple of four bytes in their buffer.
 */
export function turnUpright(stored: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return stored;
  const { width, height } = stored;
  const isMirrored = [2, 3, 7, 8].includes(orientation);
  const isUpsideDown = [3, 4, 6, 7].includes(orientation);
  const isOnItsSide = orientation >= 5;
  // Positions in the stored picture: of the first pixel of the upright one, and how far one step along
  // a stored row, or across the rows, leads from there.
  const first = (isMirrored ? width - 1 : 0) + (isUpsideDown ? (height - 1) * width : 0);
  const along = isMirrored ? -1 : 1;
  const across = isUpsideDown ? -width : width;
  const [right, down] = isOnItsSide ? [across, along] : [along, across];
  const upright = isOnItsSide ? { width: height, height: width } : { width, height };

  const from = wordsOf(stored.data);
  const to = new Uint32Array(from.length);
  for (let y = 0, at = 0; y < upright.height; y++) {
    for (let x = 0; x < upright.width; x++, at++) to[at] = from[first + x * right + y * down] ?? 0;
  }
  return { ...upright, data: new Uint8Array(to.buffer) };
}

function wordsOf(data: Uint8Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}
