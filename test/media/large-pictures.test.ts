import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as photon from '@silvia-odwyer/photon-node';
import { expect, it } from 'vitest';
import { imageSize } from '../../src/node/pictures/image-size.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { pngOf } from '../support/make-png.ts';
import { quartersOf } from '../support/quarters-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Photos as large as phones and cameras take them. All have four quarters when they are upright, red
// and green above blue and white.

const seen = 'red green blue white';

/** A JPEG that has to be turned to the right by a quarter to be upright. */
function sidewaysJpeg(width: number, height: number): Uint8Array {
  const [green, white, red, blue] = [0xff00ff00, 0xffffffff, 0xff0000ff, 0xffff0000];
  const words = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const [left, right] = y < height / 2 ? [green, white] : [red, blue];
    words.fill(left, y * width, y * width + width / 2);
    words.fill(right, y * width + width / 2, y * width + width);
  }
  const image = new photon.PhotonImage(new Uint8Array(words.buffer), width, height);
  const jpeg = image.get_bytes_jpeg(90);
  image.free();
  const exif = 'Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0';
  const segment = Buffer.from(`\xff\xe1\0${String.fromCharCode(2 + exif.length)}${exif}`, 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

/** A PNG of 24 million pixels, by what is stored for a pixel of each quarter. */
function png(kind: {
  readonly colourType: number;
  readonly depth: number;
  readonly quarters: readonly string[];
  readonly palette?: Uint8Array;
}): Uint8Array {
  const [width, height] = [6_000, 4_000];
  const half = (hex: string): Buffer => Buffer.from(hex.repeat(width / 2), 'hex');
  const rowOf = (...hex: readonly string[]): Buffer =>
    Buffer.concat([Buffer.alloc(1), ...hex.map(half)]);
  const above = rowOf(...kind.quarters.slice(0, 2));
  const below = rowOf(...kind.quarters.slice(2));
  const rows = Array.from({ length: height }, (_, y) => (y < height / 2 ? above : below));
  return pngOf({ width, height, ...kind, rows: Buffer.concat(rows) });
}

const files: Readonly<Record<string, () => Uint8Array>> = {
  '12.jpg': () => sidewaysJpeg(4_032, 3_024),
  '24.jpg': () => sidewaysJpeg(6_000, 4_000),
  '48.jpg': () => sidewaysJpeg(8_064, 6_048),
  'deep.png': () =>
    png({
      colourType: 2,
      depth: 16,
      quarters: ['ffff00000000', '0000ffff0000', '00000000ffff', 'ffffffffffff'],
    }),
  'alpha.png': () =>
    png({
      colourType: 6,
      depth: 8,
      quarters: ['ff0000ff', '00ff00ff', '0000ffff', 'ffffffff'],
    }),
  'palette.png': () =>
    png({
      colourType: 3,
      depth: 8,
      quarters: ['00', '01', '02', '03'],
      palette: Buffer.from('ff000000ff000000ffffffff', 'hex'),
    }),
};

it('a client is shown large photos, made smaller and upright', { timeout: 300_000 }, async () => {
  const folder = tempFolder();
  const args = ['--context', 'off'];
  const client = await startSdkClient({ folder, args }, { era: '2025-11-25' });
  const shown: Record<string, string> = {};
  for (const [name, make] of Object.entries(files)) {
    writeFileSync(join(folder, name), make());
    const { content } = await client.callTool({ name: 'read_note', arguments: { name } });
    const [text, image] = content;
    const bytes = Buffer.from(image?.type === 'image' ? image.data : '', 'base64');
    const size = imageSize(bytes);
    shown[name] =
      size === undefined
        ? JSON.stringify(text)
        : `${size.width} × ${size.height}: ${quartersOf({ bytes, ...size })}`;
  }
  expect(shown).toEqual({
    '12.jpg': `1176 × 1568: ${seen}`,
    '24.jpg': `1045 × 1568: ${seen}`,
    '48.jpg': `1176 × 1568: ${seen}`,
    'deep.png': `1568 × 1045: ${seen}`,
    'alpha.png': `1568 × 1045: ${seen}`,
    'palette.png': `1568 × 1045: ${seen}`,
  });
  await client.close();
});
