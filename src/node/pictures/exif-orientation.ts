import { jpegSegments, nameAt, pngChunks, viewOf, webpChunks } from './image-blocks.ts';
import type { ImageFormat } from './image-size.ts';

/**
 * How a stored picture must be turned to be upright, as EXIF numbers it: 1 is upright already, 2 to
 * 4 are mirrored or upside down, 5 to 8 lie on their side, so that width and height change places.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
const orientationTag = 0x0112;
const shortType = 3;
const app1 = 0xe1;
const exifHeaderBytes = 6; // "Exif" and two NULs.

/**
 * The orientation that a picture file states; 1 when it states none that makes sense. Never throws.
 */
export function exifOrientation(bytes: Uint8Array, format: ImageFormat): Orientation {
  const exif = exifIn(bytes, format);
  const value = exif === undefined ? undefined : orientationIn(exif);
  return orientations.find((orientation) => orientation === value) ?? 1;
}

/**
 * The EXIF data of a picture, which is a TIFF file without an image; undefined when it has none.
 */
function exifIn(bytes: Uint8Array, format: ImageFormat): Uint8Array | undefined {
  switch (format) {
    case 'jpeg':
      for (const { kind, data } of jpegSegments(bytes)) {
        if (kind === app1 && nameAt(data, 0) === 'Exif') return data.subarray(exifHeaderBytes);
      }
      return undefined;
    case 'png':
      for (const { kind, data } of pngChunks(bytes)) if (kind === 'eXIf') return data;
      return undefined;
    case 'webp':
      for (const { kind, data } of webpChunks(bytes)) {
        if (kind !== 'EXIF') continue;
        // Some programs copy the whole segment of a JPEG, with its header.
        return nameAt(data, 0) === 'Exif' ? data.subarray(exifHeaderBytes) : data;
      }
      return undefined;
    case 'gif':
      return undefined;
  }
}

/** The number in the orientation entry of EXIF data; undefined when there is no such entry. */
function orientationIn(exif: Uint8Array): number | undefined {
  if (exif.length < 8) return undefined;
  const view = viewOf(exif);
  const littleEndian = nameAt(exif, 0).startsWith('II');
  const directory = view.getUint32(4, littleEndian);
  if (directory + 2 > exif.length) return undefined;
  const count = view.getUint16(directory, littleEndian);
  const entries = directory + 2;
  for (let at = entries; at + 12 <= exif.length && at < entries + 12 * count; at += 12) {
    if (view.getUint16(at, littleEndian) !== orientationTag) continue;
    return view.getUint16(at + 2, littleEndian) === shortType
      ? view.getUint16(at + 8, littleEndian)
      : undefined;
  }
  return undefined;
}
