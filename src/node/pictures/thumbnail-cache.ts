import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Thumbnail } from '../../engine/ports/thumbnails.ts';
import { closePrivateFolder, replacePrivateFile } from '../system/private-files.ts';
import { imageSize } from './image-size.ts';

/** Which thumbnail it is: of which picture, and how large at most. */
export interface ThumbnailName {
  readonly path: VaultPath;
  readonly mtimeMs: number;
  readonly size: number;
  readonly maxDim: number;
}

interface KeptFile {
  readonly file: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** To be raised when other thumbnails than before are made of the same picture. */
const recipe = 1;

/**
 * Thumbnails of one vault in a folder of their own, one file each; when there is no more room, those
 * go that were not asked for longest. What cannot be read or written is as if it were not kept:
 * nothing here ever fails. Another process may use the same folder; each counts its own room.
 */
export class ThumbnailCache {
  readonly #folder: string;
  readonly #bytesMax: number;
  /** What is in the folder; undefined until it was looked at. */
  #bytes: number | undefined;

  constructor(options: { readonly folder: string; readonly bytesMax?: number }) {
    this.#folder = options.folder;
    this.#bytesMax = options.bytesMax ?? limits.thumbnailCacheBytesMax;
  }

  /** The thumbnail, if it is kept and whole. */
  async get(name: ThumbnailName): Promise<Thumbnail | undefined> {
    const file = this.#fileOf(name);
    try {
      const thumbnail = thumbnailIn(await readFile(file));
      const now = new Date();
      if (thumbnail !== undefined) await utimes(file, now, now);
      return thumbnail;
    } catch {
      return undefined;
    }
  }

  /** Keeps a thumbnail. One at a time. */
  async put(name: ThumbnailName, { bytes }: Thumbnail): Promise<void> {
    try {
      await closePrivateFolder(this.#folder);
      await replacePrivateFile(this.#fileOf(name), bytes);
      if (this.#bytes !== undefined) this.#bytes += bytes.length;
      if (this.#bytes === undefined || this.#bytes > this.#bytesMax) await this.#makeRoom();
    } catch {
      // A full disk, a folder that is not ours: it will be made again.
    }
  }

  #fileOf({ path, mtimeMs, size, maxDim }: ThumbnailName): string {
    const text = JSON.stringify([path, mtimeMs, size, maxDim, recipe]);
    return join(this.#folder, createHash('sha256').update(text).digest('hex'));
  }

  /** Looks at what is there and, where it is too much, removes the oldest down to nine tenths. */
  async #makeRoom(): Promise<void> {
    const kept = await this.#look();
    let bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
    const bytesWanted = bytes > this.#bytesMax ? this.#bytesMax * 0.9 : bytes;
    for (const oldest of kept.sort((one, other) => one.usedMs - other.usedMs)) {
      if (bytes <= bytesWanted) break;
      await rm(oldest.file, { force: true });
      bytes -= oldest.bytes;
    }
    this.#bytes = bytes;
  }

  async #look(): Promise<KeptFile[]> {
    const kept: KeptFile[] = [];
    for (const name of await readdir(this.#folder)) {
      const file = join(this.#folder, name);
      const found = await stat(file).catch(() => undefined); // Another process makes room too.
      if (found?.isFile()) kept.push({ file, bytes: found.size, usedMs: found.mtimeMs });
    }
    return kept;
  }
}

const jpegEnd = [0xff, 0xd9];
const pngEnd = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** The thumbnail that a file has; undefined where something else is in it, or only a part. */
function thumbnailIn(bytes: Uint8Array): Thumbnail | undefined {
  const size = imageSize(bytes);
  if (size === undefined) return undefined;
  const { format, width, height } = size;
  if (format !== 'jpeg' && format !== 'png') return undefined;
  const end = format === 'jpeg' ? jpegEnd : pngEnd;
  const isWhole = end.every((byte, at) => bytes[bytes.length - end.length + at] === byte);
  return isWhole ? { bytes, format, width, height } : undefined;
}
