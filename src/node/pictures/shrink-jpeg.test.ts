import * as photon from '@silvia-odwyer/photon-node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { imageSize } from './image-size.ts';
import { shrinkJpeg } from './shrink-jpeg.ts';

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

const jpegs = Object.entries(pictures).filter(([name]) => name.endsWith('Jpeg'));

/** What the library decodes, and scales with its filter for averages. */
function judged(source: Uint8Array, width: number, height: number): Uint8Array {
  const image = photon.PhotonImage.new_from_byteslice(source);
  return photon
    .resize(image, width, height, photon.SamplingFilter.Triangle)
    .get_raw_pixels();
}

/** How far two pictures are apart on average, in levels of 256. */
function distance(one: Uint8Array, other: Uint8Array): number {
  const sum = one.reduce((all, value, at) => all + Math.abs(value - (other[at] ?? 999)), 0);
  return sum / one.length;
}

describe.each([8, 4, 3, 2, 1])('in %i eighths', (side) => {
  it.each(jpegs)('%s looks as the library decodes it', (_, base64) => {
    const source = bytesOf(base64);
    const whole = photon.PhotonImage.new_from_byteslice(source);
    const small = shrinkJpeg(source, side);
    expect([small.width, small.height]).toEqual([
      Math.ceil((whole.get_width() * side) / 8),
      Math.ceil((whole.get_height() * side) / 8),
    ]);
    expect(distance(small.data, judged(source, small.width, small.height))).toBeLessThan(5);
  });
});

it.each([
  ['without a frame', '/9j/2wAE'],
  ['that is empty', '/9j/2Q=='],
  ['of arithmetic codes', '/9j/yQALCAAIAAgBAREA/9k='],
  ['of 12 bits', '/9j/wQALDAAIAAgBAREA/9k='],
])('a JPEG %s fails', (_, base64) => {
  expect(() => shrinkJpeg(bytesOf(base64), 4)).toThrow('JPEG');
});

it('a JPEG that is cut off shows what it has', () => {
  const source = bytesOf(pictures.progressiveJpeg);
  const small = shrinkJpeg(source.subarray(0, source.length - 40), 4);
  expect(distance(small.data, shrinkJpeg(source, 4).data)).toBeLessThan(20);
});

it('a damaged JPEG is shrunk or fails', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...jpegs.map(([, base64]) => bytesOf(base64))),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      (source, changes) => {
        const damaged = Uint8Array.from(source);
        for (const [at, value] of changes) damaged[at % source.length] = value;
        const { width, height } = imageSize(damaged) ?? { width: 0, height: 0 };
        fc.pre(width * height < 1_000_000); // Whoever calls has looked at the size.
        let small: ReturnType<typeof shrinkJpeg> | undefined;
        try {
          small = shrinkJpeg(damaged, 2);
        } catch (error) {
          expect(String(error)).toContain('JPEG');
        }
        if (small !== undefined) expect(small.data.length).toBe(4 * small.width * small.height);
      },
    ),
    { numRuns: 500 },
  );
});
