import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePng } from '../../../test/support/make-png.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Thumbnail } from '../../engine/ports/thumbnails.ts';
import { ThumbnailCache, type ThumbnailName } from './thumbnail-cache.ts';

const name: ThumbnailName = { path: vaultPath('a.png'), mtimeMs: 5, size: 9, maxDim: 100 };
const png: Thumbnail = {
  bytes: makePng({ width: 3, height: 2 }),
  format: 'png',
  width: 3,
  height: 2,
};
const jpeg: Thumbnail = {
  bytes: Buffer.from(pictures.progressiveJpeg, 'base64'),
  format: 'jpeg',
  width: 48,
  height: 32,
};

function open(options: { readonly bytesMax?: number } = {}) {
  const folder = join(tempFolder(), 'cache', 'thumbs');
  return { folder, cache: new ThumbnailCache({ folder, ...options }) };
}

describe('keeping', () => {
  test.each([png, jpeg])('a $format comes back as it was', async (thumbnail) => {
    const { folder, cache } = open();
    expect(await cache.get(name)).toBeUndefined();
    await cache.put(name, thumbnail);
    expect(await cache.get(name)).toEqual(thumbnail);
    expect(await new ThumbnailCache({ folder }).get(name)).toEqual(thumbnail);
  });

  test.each([{ path: vaultPath('b.png') }, { mtimeMs: 6 }, { size: 8 }, { maxDim: 101 }])(
    'another picture or size is another thumbnail: %j',
    async (other) => {
      const { cache } = open();
      await cache.put(name, png);
      expect(await cache.get({ ...name, ...other })).toBeUndefined();
    },
  );

  test.skipIf(process.platform === 'win32')('nobody else may look', async () => {
    const { folder, cache } = open();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    await cache.put(name, png);
    const [file = ''] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['empty', () => new Uint8Array()],
    ['something else', () => Buffer.from('oops')],
    ['half of it', (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)],
    ['all but the last byte', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['a picture that we do not make', () => Buffer.from(pictures.animatedGif, 'base64')],
  ])('a file with %s counts as none, and is replaced', async (_, damage) => {
    for (const thumbnail of [png, jpeg]) {
      const { folder, cache } = open();
      await cache.put(name, thumbnail);
      const file = join(folder, readdirSync(folder)[0] ?? '');
      writeFileSync(file, damage(readFileSync(file)));
      expect(await cache.get(name)).toBeUndefined();
      await cache.put(name, thumbnail);
      expect(await cache.get(name)).toEqual(thumbnail);
    }
  });

  test('where nothing can be written nothing fails', async () => {
    const folder = join(tempFolder({ file: '' }), 'file', 'thumbs');
    const cache = new ThumbnailCache({ folder });
    await cache.put(name, png);
    expect(await cache.get(name)).toBeUndefined();
  });
});

describe('room', () => {
  const numbered = (number: number): ThumbnailName => ({ ...name, mtimeMs: number });
  const { length } = jpeg.bytes;

  /** Keeps ten, each used at its own time, the first longest ago. */
  async function keepTen(options: { readonly bytesMax: number }) {
    const { folder, cache } = open(options);
    const files: string[] = [];
    for (let number = 0; number < 10; number++) {
      await cache.put(numbered(number), jpeg);
      for (const file of readdirSync(folder)) if (!files.includes(file)) files.push(file);
      utimesSync(join(folder, files[number] ?? ''), number, number);
    }
    const left = async (): Promise<number[]> => {
      const names = readdirSync(folder);
      return files.flatMap((file, number) => (names.includes(file) ? [number] : []));
    };
    return { folder, cache, left };
  }

  test('there is enough for all that fits', async () => {
    const { cache, left } = await keepTen({ bytesMax: 11 * length });
    await cache.put(numbered(10), jpeg);
    expect(await left()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('when it is short the oldest go until nine tenths are left', async () => {
    const { cache, left } = await keepTen({ bytesMax: 10 * length });
    await cache.put(numbered(10), jpeg);
    expect(await left()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('what was asked for since is not old', async () => {
    const { cache, left } = await keepTen({ bytesMax: 10 * length });
    await cache.get(numbered(0));
    await cache.put(numbered(10), jpeg);
    expect(await left()).toEqual([0, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('what an earlier process has kept counts', async () => {
    const { folder, left } = await keepTen({ bytesMax: 100 * length });
    const next = new ThumbnailCache({ folder, bytesMax: 5 * length });
    await next.put(numbered(10), jpeg);
    expect(await left()).toEqual([7, 8, 9]);
  });
});
