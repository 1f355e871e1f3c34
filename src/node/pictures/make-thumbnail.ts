import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Thumbnail, ThumbnailSize } from '../../engine/ports/thumbnails.ts';
import { hasAlpha, layOnWhite, unweighByAlpha, weighByAlpha } from './blend-alpha.ts';
import { exifOrientation } from './exif-orientation.ts';
import { type ImageFormat, type ImageSize, imageSize } from './image-size.ts';
import { shrinkJpeg } from './shrink-jpeg.ts';
import { averaged, isInterlaced, shrinkPng } from './shrink-png.ts';
import { type Pixels, turnUpright } from './turn-upright.ts';

/** The library that decodes, scales and encodes pictures. */
type Photon = typeof import('@silvia-odwyer/photon-node');
type PhotonImage = InstanceType<Photon['PhotonImage']>;

const jpegQuality = 80;
/** What the library needs beside the pixels while it scales a picture. */
const reservedBytes = 24 * 1024 * 1024;

/**
 * Makes a small picture of a large one, as the port `Thumbnails` describes. Fails with
 * `invalid_input` or `too_large` before anything is decoded. Any other error comes from decoding; the
 * library must not be used again after it, because it may have stopped in the middle of anything.
 */
export async function makeThumbnail(
  photon: Photon,
  source: Uint8Array,
  { maxDim, bytesMax = Number.POSITIVE_INFINITY }: ThumbnailSize,
): Promise<Thumbnail> {
  const size = admittedSize(source);
  const { format, width, height } = size;
  const isLarge = width * height > limits.thumbnailScaledPixelsMax;
  const image =
    isLarge && canShrink(source, format)
      ? imageOf(photon, await shrink(source, size, maxDim))
      : decode(photon, source, format);
  const small = scale(photon, image, maxDim);
  const upright = turnUpright(small, exifOrientation(source, format));
  if (format !== 'png') return smallJpeg(photon, upright, bytesMax);
  unweighByAlpha(upright.data);
  const png = asPng(photon, upright);
  if (png.bytes.length <= bytesMax) return png;
  layOnWhite(upright.data);
  return smallJpeg(photon, upright, bytesMax);
}

/**
 * The size that a picture states. Fails with `invalid_input` where there is none, and with `too_large`
 * where it has too many pixels to be decoded whole, or to be made smaller while it is decoded.
 */
export function admittedSize(source: Uint8Array): ImageSize {
  const size = imageSize(source);
  if (size === undefined) {
    throw new VaultError(
      'invalid_input',
      'Thumbnails are made of JPEG, PNG, GIF and WebP pictures, and this file is none, or its beginning is damaged; read the file itself.',
    );
  }
  const { format, width, height } = size;
  const { thumbnailWholePixelsMax, thumbnailPixelsMax, thumbnailSourceWidthMax } = limits;
  const pixelsMax = canShrink(source, format) ? thumbnailPixelsMax : thumbnailWholePixelsMax;
  if (width * height <= pixelsMax && width <= thumbnailSourceWidthMax) return size;
  throw new VaultError(
    'too_large',
    `Thumbnails are made of pictures of at most ${thumbnailPixelsMax / 1_000_000} million pixels (${thumbnailWholePixelsMax / 1_000_000} million if it is a GIF, a WebP or an interlaced PNG), and this one has more; read the file itself.`,
  );
}

/** Whether a picture can be made smaller while it is decoded. */
function canShrink(source: Uint8Array, format: ImageFormat): boolean {
  return format === 'jpeg' || (format === 'png' && !isInterlaced(source));
}

/**
 * Decodes a JPEG or PNG that is too large to have all its pixels in memory: at the smallest size that
 * can be scaled down to `maxDim`, or at a smaller one if that still has too many pixels.
 */
async function shrink(
  source: Uint8Array,
  { format, width, height }: ImageSize,
  maxDim: number,
): Promise<Pixels> {
  const times = Math.max(width, height) / maxDim;
  const timesMin = Math.sqrt((width * height) / limits.thumbnailScaledPixelsMax);
  if (format === 'png')
    return shrinkPng(source, Math.max(1, Math.floor(times), Math.ceil(timesMin)));
  return shrinkJpeg(source, Math.max(1, Math.min(Math.ceil(8 / times), Math.floor(8 / timesMin))));
}

/** The picture as a JPEG of at most so many bytes: each attempt is two thirds as wide and high. */
function smallJpeg(photon: Photon, pixels: Pixels, bytesMax: number): Thumbnail {
  const jpeg = asJpeg(photon, pixels);
  const longer = Math.max(pixels.width, pixels.height);
  if (jpeg.bytes.length <= bytesMax || longer < 2) return jpeg;
  const maxDim = Math.max(1, Math.floor((longer * 2) / 3));
  return smallJpeg(photon, scale(photon, imageOf(photon, pixels), maxDim), bytesMax);
}

/**
 * Decodes a picture, or its first frame. Transparent parts become white, except in a PNG: it keeps
 * them, and its colours are multiplied by alpha for scaling (`weighByAlpha`).
 */
function decode(photon: Photon, source: Uint8Array, format: ImageFormat): PhotonImage {
  const image = photon.PhotonImage.new_from_byteslice(source);
  if (format === 'jpeg') return image;
  const pixels = takePixels(image);
  if (hasAlpha(pixels.data)) {
    if (format === 'png') weighByAlpha(pixels.data);
    else layOnWhite(pixels.data);
  }
  const isLarge = pixels.width * pixels.height > limits.thumbnailScaledPixelsMax;
  return imageOf(photon, isLarge ? averaged(pixels, 2) : pixels);
}

/**
 * Scales a picture so that neither side is longer than `maxDim`; a smaller one stays as it is. A very
 * large picture becomes smaller than asked for, if scaling it would take more memory than it may.
 */
function scale(photon: Photon, image: PhotonImage, maxDim: number): Pixels {
  const width = image.get_width();
  const height = image.get_height();
  const longer = Math.max(width, height);
  // The library copies the picture, and scales the height first, in sixteen bytes for each pixel.
  const freeBytes = limits.thumbnailMemoryBytesMax - reservedBytes - 8 * width * height;
  const heightMax = Math.floor(freeBytes / (16 * width));
  const sideMax = Math.min(maxDim, Math.floor((heightMax * longer) / height));
  if (longer <= sideMax) return takePixels(image);
  const shorten = (side: number): number => Math.max(1, Math.floor((side * sideMax) / longer));
  const { CatmullRom } = photon.SamplingFilter;
  const small = photon.resize(image, shorten(width), shorten(height), CatmullRom);
  image.free();
  return takePixels(small);
}

function asPng(photon: Photon, pixels: Pixels): Thumbnail {
  const image = imageOf(photon, pixels);
  const bytes = image.get_bytes();
  image.free();
  return { bytes, format: 'png', width: pixels.width, height: pixels.height };
}

function asJpeg(photon: Photon, pixels: Pixels): Thumbnail {
  const image = imageOf(photon, pixels);
  const bytes = image.get_bytes_jpeg(jpegQuality);
  image.free();
  return { bytes, format: 'jpeg', width: pixels.width, height: pixels.height };
}

/** The pixels of an image, whose memory in the library is freed. */
function takePixels(image: PhotonImage): Pixels {
  const data = image.get_raw_pixels();
  const pixels = { data, width: image.get_width(), height: image.get_height() };
  image.free();
  return pixels;
}

function imageOf(photon: Photon, { data, width, height }: Pixels): PhotonImage {
  return new photon.PhotonImage(data, width, height);
}
