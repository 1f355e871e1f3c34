import {
  type JpegCoefficients,
  type JpegPlane,
  jpegCoefficients,
  zigzag,
} from './jpeg-coefficients.ts';
import type { Pixels } from './turn-upright.ts';

/**
 * Decodes a JPEG at `side` eighths of its width and height, without ever having all its pixels: of
 * each block of eight by eight pixels, `side` by `side` are made. Fails for a JPEG of a rare kind.
 */
export function shrinkJpeg(source: Uint8Array, side: number): Pixels {
  const coefficients = jpegCoefficients(source, side);
  const planes = coefficients.planes.map((plane) =>
    samplesOf(plane, coefficients.steps[plane.table], side),
  );
  return coloursOf(coefficients, planes, side);
}

/** The numbers of a plane, row by row: the inverse cosine transform of each block. */
function samplesOf(
  { kept, columns, rows }: JpegPlane,
  inOrder: Uint16Array | undefined,
  side: number,
): Uint8ClampedArray {
  const samples = new Uint8ClampedArray(columns * rows * side * side);
  const waves = Float64Array.from({ length: side * side }, (_, at) => {
    const [place, wave] = [Math.floor(at / side), at % side];
    return wave === 0
      ? Math.sqrt(1 / 8)
      : Math.cos(((2 * place + 1) * wave * Math.PI) / 2 / side) / 2;
  });
  const steps = new Float64Array(side * side);
  zigzag.forEach((place, at) => {
    const [row, column] = [place >> 3, place & 7];
    if (row < side && column < side) steps[row * side + column] = inOrder?.[at] ?? 1;
  });
  const half = new Float64Array(side * side);
  for (let block = 0; block < columns * rows; block++) {
    const from = block * side * side;
    for (let row = 0; row < side; row++) {
      for (let x = 0; x < side; x++) {
        let sum = 0;
        for (let wave = 0; wave < side; wave++) {
          const at = row * side + wave;
          const value = (kept[from + at] as number) * (steps[at] as number);
          sum += value * (waves[x * side + wave] as number);
        }
        half[row * side + x] = sum;
      }
    }
    const column = block % columns;
    const first = (block - column) * side * side + column * side;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        let sum = 128;
        for (let wave = 0; wave < side; wave++) {
          sum += (half[wave * side + x] as number) * (waves[y * side + wave] as number);
        }
        samples[first + y * columns * side + x] = sum;
      }
    }
  }
  return samples;
}

/** The planes together as red, green, blue and alpha. */
function coloursOf(
  { width, height, planes, acrossMax, downMax, adobe }: JpegCoefficients,
  samples: readonly Uint8ClampedArray[],
  side: number,
): Pixels {
  const small = { width: Math.ceil((width * side) / 8), height: Math.ceil((height * side) / 8) };
  const pixels = new Uint8ClampedArray(4 * small.width * small.height);
  const [first] = planes;
  // Four planes are inks, which are only mixed if that is stated; three are mixed if nothing is.
  const isInk = planes.length === 4;
  const isRgb = adobe === undefined ? first?.id === 0x52 : adobe === 0;
  const isMixed = isInk ? adobe === 2 : planes.length === 3 && !isRgb;
  for (let y = 0, to = 0; y < small.height; y++) {
    const at = planes.map(({ down, columns }) => Math.floor((y * down) / downMax) * columns * side);
    for (let x = 0; x < small.width; x++, to += 4) {
      const value = (of: number): number => {
        const across = planes[of]?.across ?? 1;
        return samples[of]?.[(at[of] ?? 0) + Math.floor((x * across) / acrossMax)] ?? 0;
      };
      const one = value(0);
      let [red, green, blue] = [one, one, one];
      if (isMixed) {
        const [bluish, reddish] = [value(1) - 128, value(2) - 128];
        red = one + 1.402 * reddish;
        green = one - 0.344_136 * bluish - 0.714_136 * reddish;
        blue = one + 1.772 * bluish;
        if (isInk) [red, green, blue] = [255 - red, 255 - green, 255 - blue];
      } else if (planes.length >= 3) {
        green = value(1);
        blue = value(2);
      }
      // Of inks, the file states what is left of white, and the fourth is black.
      const light = isInk ? value(3) / 255 : 1;
      pixels[to] = red * light;
      pixels[to + 1] = green * light;
      pixels[to + 2] = blue * light;
      pixels[to + 3] = 255;
    }
  }
  return { ...small, data: new Uint8Array(pixels.buffer) };
}
