import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { exifOrientation } from './exif-orientation.ts';
import { imageSize } from './image-size.ts';

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

function check(picture: Uint8Array, orientation: number): void {
  const { format = 'jpeg' } = imageSize(picture) ?? {};
  expect(exifOrientation(picture, format)).toBe(orientation);
}

/** A JPEG with nothing but EXIF data. */
function jpegWith(exif: string): Uint8Array {
  const length = String.fromCharCode(0, 2 + 6 + exif.length);
  return Buffer.from(`\xff\xd8\xff\xe1${length}Exif\0\0${exif}`, 'latin1');
}

describe('pictures of other programs', () => {
  test.each([
    ['orientation1Jpeg', 1],
    ['orientation2Jpeg', 2],
    ['orientation3Jpeg', 3],
    ['orientation4Jpeg', 4],
    ['orientation5Jpeg', 5],
    ['orientation6Jpeg', 6],
    ['orientation7Jpeg', 7],
    ['orientation8Jpeg', 8],
    ['orientation6Png', 6],
    ['orientation6Webp', 6],
    ['progressiveJpeg', 1],
    ['lossyWebp', 1],
    ['animatedGif', 1],
    ['palettePng', 1],
  ] as const)('%s is stored as %i', (name, orientation) => {
    check(bytesOf(pictures[name]), orientation);
  });
});

describe('EXIF data', () => {
  const big = 'MM\0\x2a\0\0\0\x08';
  const little = 'II\x2a\0\x08\0\0\0';
  test.each([
    ['big-endian', `${big}\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0`, 8],
    ['little-endian', `${little}\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0`, 8],
    ['behind another entry', `${big}\0\x02${'\0'.repeat(12)}\x01\x12\0\x03\0\0\0\x01\0\x03\0\0`, 3],
    ['0, which means nothing', `${big}\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0`, 1],
    ['9, which means nothing', `${big}\0\x01\x01\x12\0\x03\0\0\0\x01\0\x09\0\0`, 1],
    ['of another type', `${big}\0\x01\x01\x12\0\x04\0\0\0\x01\0\x08\0\0`, 1],
    ['not counted', `${big}\0\0\x01\x12\0\x03\0\0\0\x01\0\x08\0\0`, 1],
    ['cut off', `${big}\0\x01\x01\x12\0\x03\0\0`, 1],
    ['beyond the end', 'MM\0\x2a\xff\xff\xff\xff\0\x01', 1],
    ['too short for anything', 'MM', 1],
    ['empty', '', 1],
  ])('%s', (_, exif, orientation) => {
    check(jpegWith(exif), orientation);
  });

  test('of a WebP may begin as in a JPEG', () => {
    const exif = `Exif\0\0${big}\0\x01\x01\x12\0\x03\0\0\0\x01\0\x05\0\0`;
    const webp = `RIFF\0\0\0\0WEBPEXIF${String.fromCharCode(exif.length)}\0\0\0${exif}`;
    expect(exifOrientation(Buffer.from(webp, 'latin1'), 'webp')).toBe(5);
  });

  test('of any bytes say something from 1 to 8', () => {
    const exif = fc
      .tuple(fc.constantFrom(big, little, ''), fc.uint8Array({ maxLength: 60 }))
      .map(([head, rest]) => head + Buffer.from(rest).toString('latin1'));
    fc.assert(
      fc.property(exif, (text) => {
        const orientation = exifOrientation(jpegWith(text), 'jpeg');
        expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(orientation);
      }),
      { numRuns: 2_000 },
    );
  });
});
