import * as photon from '@silvia-odwyer/photon-node';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeFilteredPng, makePngHeader } from '../../../test/support/make-png.ts';
import { weighByAlpha } from './blend-alpha.ts';
import { shrinkPng } from './shrink-png.ts';
import type { Pixels } from './turn-upright.ts';

const [width, height] = [37, 23];

/** Numbers that change from pixel to pixel and look like none of their neighbours. */
function noise(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => Math.imul(at + 7, 2_654_435_761) >>> 24);
}

/** What the library decodes, which is judge here: the average of each square of pixels. */
function judged(source: Uint8Array, times: number): Pixels {
  const data = photon.PhotonImage.new_from_byteslice(source).get_raw_pixels();
  weighByAlpha(data);
  const small = { width: Math.ceil(width / times), height: Math.ceil(height / times) };
  const averages = Array.from({ length: 4 * small.width * small.height }, (_, at) => {
    const [x, y] = [((at >> 2) % small.width) * times, Math.floor((at >> 2) / small.width) * times];
    let [sum, count] = [0, 0];
    for (let row = y; row < Math.min(height, y + times); row++) {
      for (let column = x; column < Math.min(width, x + times); column++) {
        sum += data[4 * (row * width + column) + (at & 3)] ?? 0;
        count++;
      }
    }
    return sum / count;
  });
  return { ...small, data: Uint8Array.from(averages, Math.round) };
}

const palette = noise(3 * 256);
const kinds = [
  ['grey of 1 bit', { colourType: 0, depth: 1 }, 5],
  ['grey of 2 bits', { colourType: 0, depth: 2 }, 10],
  ['grey of 4 bits, one of them clear', { colourType: 0, depth: 4, clear: [0, 3] }, 19],
  ['grey of 8 bits', { colourType: 0, depth: 8 }, 37],
  ['grey of 16 bits', { colourType: 0, depth: 16 }, 74],
  ['RGB', { colourType: 2, depth: 8 }, 111],
  [
    'RGB, one colour of which is clear',
    { colourType: 2, depth: 8, clear: [0, 1, 0, 2, 0, 3] },
    111,
  ],
  ['RGB of 16 bits', { colourType: 2, depth: 16 }, 222],
  ['palette of 1 bit', { colourType: 3, depth: 1, palette }, 5],
  ['palette of 4 bits, partly clear', { colourType: 3, depth: 4, palette, clear: [0, 128] }, 19],
  ['palette of 8 bits', { colourType: 3, depth: 8, palette }, 37],
  ['grey with alpha', { colourType: 4, depth: 8 }, 74],
  ['grey with alpha of 16 bits', { colourType: 4, depth: 16 }, 148],
  ['RGB with alpha', { colourType: 6, depth: 8 }, 148],
  ['RGB with alpha of 16 bits', { colourType: 6, depth: 16 }, 296],
] as const;

function pngOf(
  { clear, ...kind }: (typeof kinds)[number][1] & { clear?: readonly number[] },
  rowBytes: number,
) {
  const rows = noise(height * rowBytes);
  if (clear?.length === 6) rows.set([1, 2, 3], 111 * 4 + 6);
  return makeFilteredPng({
    width,
    height,
    rows,
    ...kind,
    ...(clear === undefined ? {} : { clear: Uint8Array.from(clear) }),
  });
}

it.each(kinds)('%s is decoded as the library does, and averaged', async (_, kind, rowBytes) => {
  const source = pngOf(kind, rowBytes);
  for (const times of [1, 2, 5, 40]) {
    const small = await shrinkPng(source, times);
    const expected = judged(source, times);
    expect([small.width, small.height]).toEqual([expected.width, expected.height]);
    const farthest = small.data.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (expected.data[at] ?? -9))),
      0,
    );
    // The library rounds 16 bits to 8, and here colours are rounded after being multiplied by alpha.
    expect(farthest).toBeLessThanOrEqual(2);
  }
});

it('a PNG whose clear colour is cut off has no clear pixel', async () => {
  const { data } = await shrinkPng(pngOf({ colourType: 2, depth: 8, clear: [] }, 111), 2);
  expect(data.every((value, at) => at % 4 < 3 || value === 255)).toBe(true);
});

it.each([
  ['that ends before its last row', pngOf(kinds[3][1], 37).subarray(0, 300)],
  ['that is interlaced', makePngHeader(10, 10, { isInterlaced: true })],
  ['without any row', makePngHeader(10, 10)],
])('a PNG %s fails', async (_, source) => {
  await expect(shrinkPng(source, 2)).rejects.toThrow(/PNG|end of file/);
});

it('a damaged PNG is shrunk or fails', async () => {
  const sources = kinds.map(([, kind, rowBytes]) => pngOf(kind, rowBytes));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sources),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 4,
      }),
      async (source, changes) => {
        const damaged = Uint8Array.from(source);
        // The size stays: whoever calls has looked at it.
        for (const [at, value] of changes) damaged[24 + (at % (source.length - 24))] = value;
        const small = await shrinkPng(damaged, 3).catch(() => undefined);
        if (small !== undefined) expect(small.data.length).toBe(4 * small.width * small.height);
      },
    ),
    { numRuns: 500 },
  );
});
