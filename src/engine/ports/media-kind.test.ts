import { expect, it } from 'vitest';
import { media } from '../../../test/support/media.ts';
import { extensionOf } from '../../base/vault-path.ts';
import { kindsFor, madeExtensions, mediaKind } from './media-kind.ts';

it.each(Object.entries(media))('knows %s by its first bytes', (name, bytes) => {
  expect(mediaKind(bytes)).toBe(extensionOf(name));
  const kinds = kindsFor(extensionOf(name));
  expect(kinds?.includes(mediaKind(bytes) ?? 'svg') ?? 'not made').toBe(
    /svg|heic/.test(name) ? 'not made' : true,
  );
});

it.each([
  '',
  'PNG',
  '<html><svg></svg></html>',
  'GIF89',
  '%PDF',
  'RIFF0000AVI ',
  '\0\0\0\x18ftypqt  ',
])('takes %j for nothing that it knows', (text) => {
  expect(mediaKind(Buffer.from(text, 'latin1'))).toBeUndefined();
});

it('lets clients make fourteen kinds, and nothing that runs', () => {
  expect(madeExtensions.join(' ')).toBe(
    'png jpg jpeg gif webp avif bmp pdf mp3 m4a wav ogg flac mp4 webm',
  );
  for (const extension of ['svg', 'html', 'js', 'md', 'exe', '', 'constructor', '__proto__']) {
    expect(kindsFor(extension), extension).toBeUndefined();
  }
});
