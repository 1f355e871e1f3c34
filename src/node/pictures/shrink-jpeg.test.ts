import * as photon from '@silvia-odwyer/photon-node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { photos } from '../../../test/support/photos.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { imageSize } from './image-size.ts';
import { shrinkJpeg } from './shrink-jpeg.ts';

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

const jpegs = Object.entries(pictures).filter(([name]) => name.endsWith('Jpeg'));

/** What the library decodes, which is judge here: the average of each square of pixels. */
function judged(source: Uint8Array, side: number): { width: number; data: Uint8Array } {
  const image = photon.PhotonImage.new_from_byteslice(source);
  const [width, height, times] = [image.get_width(), image.get_height(), 8 / side];
  const pixels = image.get_raw_pixels();
  const small = { width: Math.ceil(width / times), height: Math.ceil(height / times) };
  const averages = Array.from({ length: 4 * small.width * small.height }, (_, at) => {
    const [x, y] = [((at >> 2) % small.width) * times, Math.floor((at >> 2) / small.width) * times];
    let [sum, count] = [0, 0];
    for (let row = y; row < Math.min(height, y + times); row++) {
      for (let column = x; column < Math.min(width, x + times); column++) {
        sum += pixels[4 * (row * width + column) + (at & 3)] ?? 0;
        count++;
      }
    }
    return sum / count;
  });
  return { width: small.width, data: Uint8Array.from(averages, Math.round) };
}

/** How far two pictures are apart on average, in levels of 256. */
function distance(one: Uint8Array, other: Uint8Array): number {
  const sum = one.reduce((all, value, at) => all + Math.abs(value - (other[at] ?? 999)), 0);
  return sum / one.length;
}

describe.each([8, 4, 2, 1])('in %i eighths', (side) => {
  it.each(Object.entries(photos))('%s looks as the library decodes it', (_, base64) => {
    const small = shrinkJpeg(bytesOf(base64), side);
    const expected = judged(bytesOf(base64), side);
    expect(small.width).toBe(expected.width);
    expect(small.data.length).toBe(expected.data.length);
    // Colours that are stored coarsely are not made finer between their blocks.
    expect(distance(small.data, expected.data)).toBeLessThan(4);
  });
});

it.each(jpegs)('%s, whose colours change at once, has the same ones', (_, base64) => {
  const small = shrinkJpeg(bytesOf(base64), 4);
  expect(distance(small.data, judged(bytesOf(base64), 4).data)).toBeLessThan(5);
});

it('inks are not mixed if it is not stated that they are', () => {
  const stated = bytesOf(pictures.mixedInksJpeg);
  // Without the segment of Adobe, which is the first and has 16 bytes.
  const source = Buffer.concat([stated.subarray(0, 2), stated.subarray(18)]);
  expect(distance(shrinkJpeg(source, 4).data, judged(source, 4).data)).toBeLessThan(5);
});

/** A progressive or sequential JPEG, with something put in or replaced after some bytes. */
function changed(
  base64: string,
  after: readonly number[],
  at: number,
  ...bytes: readonly number[]
) {
  const source = Buffer.from(bytesOf(base64));
  const start = source.indexOf(Buffer.from(after));
  expect(start).toBeGreaterThan(0);
  return Buffer.concat([
    source.subarray(0, start),
    Buffer.from(bytes),
    source.subarray(start + at),
  ]);
}

const scan = [0xff, 0xda];

it.each([
  // Instead of the header of the only scan, one that states only the first coefficients.
  [
    'sequential, with scans of only some coefficients',
    photos.wideColoursJpeg,
    14,
    scan.concat(0, 12, 3, 1, 0, 2, 17, 3, 17, 0, 0, 0),
  ],
  // Before the second scan's codes: what ends a part of a scan.
  ['with a restart where a scan begins', photos.refinedJpeg, 0, [0xff, 0xd0]],
  ['with filling between its segments', photos.refinedJpeg, 0, [0xff, 0xff, 0xff]],
])('a JPEG %s looks the same', (_, base64, at, bytes) => {
  const small = shrinkJpeg(changed(base64, scan, at, ...bytes), 4);
  expect(distance(small.data, shrinkJpeg(bytesOf(base64), 4).data)).toBe(0);
});

it('is as wide as so many eighths', () => {
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map((side) => {
    const { width, height, data } = shrinkJpeg(bytesOf(photos.refinedJpeg), side);
    expect(data.length).toBe(4 * width * height);
    return `${width} × ${height}`;
  });
  const all = '12 × 9, 23 × 18, 34 × 27, 45 × 35, 57 × 44, 68 × 53, 79 × 62, 90 × 70';
  expect(sizes.join(', ')).toBe(all);
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
  const source = bytesOf(photos.refinedJpeg);
  const small = shrinkJpeg(source.subarray(0, source.length / 2), 4);
  expect(distance(small.data, shrinkJpeg(source, 4).data)).toBeLessThan(20);
});

it('a damaged JPEG is shrunk or fails', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...[...jpegs, ...Object.entries(photos)].map(([, data]) => bytesOf(data))),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 4,
      }),
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
