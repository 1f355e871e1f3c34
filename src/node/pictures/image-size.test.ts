import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makePng, makePngHeader } from '../../../test/support/make-png.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { limits } from '../../base/limits.ts';
import { imageSize } from './image-size.ts';

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('sizes', () => {
  test.each([
    ['orientation1Jpeg', 'jpeg', 48, 32],
    ['orientation6Jpeg', 'jpeg', 32, 48],
    ['progressiveJpeg', 'jpeg', 48, 32],
    ['cmykJpeg', 'jpeg', 48, 32],
    ['greyJpeg', 'jpeg', 48, 32],
    ['lossyWebp', 'webp', 48, 32],
    ['losslessWebp', 'webp', 48, 32],
    ['alphaWebp', 'webp', 48, 32],
    ['animatedWebp', 'webp', 48, 32],
    ['orientation6Webp', 'webp', 32, 48],
    ['animatedGif', 'gif', 48, 32],
    ['transparentGif', 'gif', 48, 32],
    ['palettePng', 'png', 48, 32],
    ['deepPng', 'png', 8, 8],
  ] as const)('%s is a %s of %i by %i', (name, format, width, height) => {
    expect(imageSize(bytesOf(pictures[name]))).toEqual({ format, width, height });
  });

  const anyGif = 'GIF89a\x0a\0\x14\0\0\0\0';
  const riff = 'RIFF\0\0\0\0WEBP';
  test.each([
    ['a PNG of one pixel', makePng({ width: 1, height: 1 }), 'png', 1, 1],
    ['a PNG larger than any disk', makePngHeader(60_000, 60_000), 'png', 60_000, 60_000],
    ['a GIF without a frame', latin1(anyGif), 'gif', 10, 20],
    [
      'a GIF whose frame is larger than its screen, after a colour table and a comment',
      latin1('GIF87a\x0a\0\x14\0\x80\0\0ABCDEF!\xfe\x02hi\0,\0\0\0\0\xe8\x03\x05\0\0'),
      'gif',
      1_000,
      20,
    ],
    [
      'a WebP whose frame is larger than its canvas',
      latin1(
        `${riff}VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\xff\x3f\xff\x7f`,
      ),
      'webp',
      16_383,
      16_383,
    ],
    [
      'an animated WebP whose frame is larger than its canvas, after a chunk of odd length',
      latin1(
        `${riff}VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0ICCP\x01\0\0\0i\0ANMF\x0c\0\0\0\0\0\0\0\0\0\xff\xff\xff\0\0\0`,
      ),
      'webp',
      2 ** 24,
      1,
    ],
    [
      'a JPEG with filling before its marker',
      latin1('\xff\xd8\xff\xff\xff\xc0\0\x07\x08\0\x03\0\x04'),
      'jpeg',
      4,
      3,
    ],
  ] as const)('%s', (_, bytes, format, width, height) => {
    expect(imageSize(bytes)).toEqual({ format, width, height });
  });
});

describe('what is no picture', () => {
  test.each([
    ['nothing', ''],
    ['text', 'Just a note that is named .png'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a BMP', 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a sound in a RIFF file', 'RIFF\0\0\0\0WAVEfmt '],
    ['a PNG that ends in its header', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0'],
    [
      'a PNG that begins with something else',
      '\x89PNG\r\n\x1a\n\0\0\0\x08IDAT\0\0\0\x01\0\0\0\x01',
    ],
    ['a JPEG with no frame before its scan', '\xff\xd8\xff\xda\0\x07\x08\0\x03\0\x04'],
    ['a JPEG of no height', '\xff\xd8\xff\xc0\0\x07\x08\0\0\0\x04'],
    [
      'a JPEG with a segment of impossible length',
      '\xff\xd8\xff\xe0\0\0\xff\xc0\0\x07\x08\0\x03\0\x04',
    ],
    ['a GIF with an empty screen', 'GIF89a\0\0\0\0\0\0\0,\0\0\0\0\x05\0\x05\0\0'],
  ])('%s', (_, text) => {
    expect(imageSize(latin1(text))).toBeUndefined();
  });
});

describe('any bytes', () => {
  test('a picture cut anywhere is of its own size, or of none', () => {
    for (const base64 of Object.values(pictures)) {
      const bytes = bytesOf(base64);
      const whole = imageSize(bytes);
      for (let length = 0; length < bytes.length; length++) {
        const size = imageSize(bytes.subarray(0, length));
        if (size !== undefined) expect(size).toEqual(whole);
      }
    }
  });

  test('no bytes make it fail', () => {
    const beginnings = Object.values(pictures).map(bytesOf);
    const garbled = fc
      .tuple(
        fc.constantFrom(...beginnings),
        fc.array(fc.tuple(fc.nat(900), fc.nat(255)), { maxLength: 20 }),
      )
      .map(([bytes, changes]) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, byte] of changes) if (at < changed.length) changed[at] = byte;
        return changed;
      });
    const beginsWell = fc
      .tuple(fc.constantFrom(...beginnings), fc.nat(40), fc.uint8Array({ maxLength: 200 }))
      .map(([bytes, length, rest]) => Uint8Array.of(...bytes.subarray(0, length), ...rest));
    fc.assert(
      fc.property(fc.oneof(garbled, beginsWell), (bytes) => {
        const size = imageSize(bytes);
        if (size === undefined) return;
        expect(size.width * size.height).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a file of many parts', () => {
  const many = (begin: string, part: string, end: string): Uint8Array =>
    latin1(`${begin}${part.repeat(limits.thumbnailPartsMax + 1)}${end}`);
  test.each([
    ['JPEG', '\xff\xd8', '\xff\xe0\0\x02', '\xff\xc0\0\x0b\x08\0\x20\0\x30\x01\x01\x11\0'],
    ['JPEG with filling', '\xff\xd8', '\xff', '\xff\xc0\0\x0b\x08\0\x20\0\x30\x01\x01\x11\0'],
    ['WebP', 'RIFF\0\0\0\0WEBP', 'ICCP\0\0\0\0', 'VP8L\x06\0\0\0\x2f\x2f\xc0\x07\0\0'],
  ])('a %s has a size only where it is found soon', (_, begin, part, end) => {
    expect(imageSize(latin1(begin + part + end))).toMatchObject({ width: 48, height: 32 });
    expect(imageSize(many(begin, part, end))).toBeUndefined();
  });

  test('a GIF has the size of its screen', () => {
    const begin = 'GIF89a\x30\0\x20\0\0\0\0';
    const frame = ',\0\0\0\0\xe8\x03\x05\0\0';
    const whole = { format: 'gif', width: 1_000, height: 32 };
    const screen = { format: 'gif', width: 48, height: 32 };
    expect(imageSize(latin1(`${begin}!\xfe\x01a\0${frame}`))).toEqual(whole);
    expect(imageSize(many(begin, '!\xfe\0', frame))).toEqual(screen);
    expect(imageSize(many(`${begin}!\xfe`, '\x01a', `\0${frame}`))).toEqual(screen);
  });
});
