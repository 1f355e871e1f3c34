import * as photon from '@silvia-odwyer/photon-node';
import { describe, expect, test } from 'vitest';
import { makePng, makePngHeader } from '../../../test/support/make-png.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { pixelsOf, quartersOf } from '../../../test/support/quarters-of.ts';
import type { Thumbnail } from '../../engine/ports/thumbnails.ts';
import { imageSize } from './image-size.ts';
import { makeThumbnail } from './make-thumbnail.ts';

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
const thumbnailOf = (source: Uint8Array, maxDim: number): Promise<Thumbnail> =>
  makeThumbnail(photon, source, { maxDim });

describe('what is seen', () => {
  const seen = 'red green blue white';
  test.each([
    ['orientation1Jpeg', 'jpeg', seen],
    ['orientation2Jpeg', 'jpeg', seen],
    ['orientation3Jpeg', 'jpeg', seen],
    ['orientation4Jpeg', 'jpeg', seen],
    ['orientation5Jpeg', 'jpeg', seen],
    ['orientation6Jpeg', 'jpeg', seen],
    ['orientation7Jpeg', 'jpeg', seen],
    ['orientation8Jpeg', 'jpeg', seen],
    ['orientation6Webp', 'jpeg', seen],
    ['orientation6Png', 'png', seen],
    ['progressiveJpeg', 'jpeg', seen],
    ['cmykJpeg', 'jpeg', seen],
    ['lossyWebp', 'jpeg', seen],
    ['losslessWebp', 'jpeg', seen],
    ['alphaWebp', 'jpeg', seen],
    ['animatedWebp', 'jpeg', seen],
    ['animatedGif', 'jpeg', seen],
    ['transparentGif', 'jpeg', seen],
    ['palettePng', 'png', seen],
  ] as const)('%s becomes an upright %s', async (name, format, quarters) => {
    const thumbnail = await thumbnailOf(bytesOf(pictures[name]), 24);
    expect(thumbnail).toMatchObject({ format, width: 24, height: 16 });
    expect(quartersOf(thumbnail)).toBe(quarters);
    expect(imageSize(thumbnail.bytes)).toEqual({ format, width: 24, height: 16 });
  });

  test.each(['greyJpeg', 'deepPng'] as const)('%s stays grey', async (name) => {
    const pixels = pixelsOf(await thumbnailOf(bytesOf(pictures[name]), 6));
    for (let at = 0; at < pixels.length; at += 4) {
      expect(pixels[at + 1]).toBe(pixels[at]);
      expect(pixels[at + 2]).toBe(pixels[at]);
    }
  });

  test('a PNG can be seen through where it could, and what is not seen stains no edge', async () => {
    const source = makePng({ width: 64, height: 64 }, (x, y) =>
      (x - 32) ** 2 + (y - 32) ** 2 < 600 ? [128, 128, 128, 255] : [255, 255, 255, 0],
    );
    const pixels = pixelsOf(await thumbnailOf(source, 16));
    const alphas = new Set<number | undefined>();
    for (let at = 0; at < pixels.length; at += 4) {
      const alpha = pixels[at + 3] ?? 0;
      alphas.add(alpha);
      if (alpha > 32) expect(Math.abs((pixels[at] ?? 0) - 128)).toBeLessThan(12);
    }
    expect(alphas).toContain(0);
    expect(alphas).toContain(255);
    expect(alphas.size).toBeGreaterThan(2);
  });
});

describe('sizes', () => {
  test.each([
    [100, 50, 10, 10, 5],
    [50, 100, 10, 5, 10],
    [100, 99, 10, 10, 9],
    [300, 3, 10, 10, 1],
    [3, 300, 10, 1, 10],
    [7, 5, 10, 7, 5],
    [10, 10, 10, 10, 10],
    [9, 9, 1, 1, 1],
    [1, 1, 4_096, 1, 1],
  ])('%i by %i within %i is %i by %i', async (width, height, maxDim, smallWidth, smallHeight) => {
    const thumbnail = await thumbnailOf(makePng({ width, height }), maxDim);
    expect(thumbnail).toMatchObject({ width: smallWidth, height: smallHeight });
    expect(imageSize(thumbnail.bytes)).toMatchObject({ width: smallWidth, height: smallHeight });
  });
});

describe('refusals', () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  test.each([
    ['text', latin1('Just a note.'), 'invalid_input'],
    ['nothing', latin1(''), 'invalid_input'],
    [
      'a BMP, which the library could decode',
      latin1('BM\x3a\0\0\0\0\0\0\0\x36\0\0\0'),
      'invalid_input',
    ],
    ['a GIF with an empty screen', latin1('GIF89a\0\0\0\0\0\0\0;'), 'invalid_input'],
    ['a PNG of 60,000 by 60,000', makePngHeader(60_000, 60_000), 'too_large'],
    [
      'an interlaced PNG of 4,000 by 4,000',
      makePngHeader(4_000, 4_000, { isInterlaced: true }),
      'too_large',
    ],
    ['a PNG of 70,000 by 1,000', makePngHeader(70_000, 1_000), 'too_large'],
    ['a GIF of 65,535 by 65,535', latin1('GIF89a\xff\xff\xff\xff\0\0\0;'), 'too_large'],
  ])('%s', async (_, source, code) => {
    await expect(thumbnailOf(source, 10)).rejects.toMatchObject({ code });
  });
});

describe('a thumbnail of at most so many bytes', () => {
  /** Noise, which hardly becomes smaller as PNG. */
  const noise = makePng({ width: 200, height: 120 }, (x, y) => {
    const value = Math.imul(x * 7_919 + y * 104_729, 2_654_435_761) >>> 8;
    return [value & 255, (value >> 8) & 255, (value >> 16) & 255, x < 100 ? 255 : 0];
  });

  test.each([
    [1_000_000, 'png', 200],
    [20_000, 'jpeg', 200],
    [2_000, 'jpeg', 58],
  ] as const)('%i bytes: a %s, %i wide', async (bytesMax, format, width) => {
    const made = await makeThumbnail(photon, noise, { maxDim: 400, bytesMax });
    expect(made.bytes.length).toBeLessThanOrEqual(bytesMax);
    expect([made.format, made.width]).toEqual([format, width]);
  });
});
