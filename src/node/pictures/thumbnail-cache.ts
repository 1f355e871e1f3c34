import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Thumbnail, ThumbnailSize } from '../../engine/ports/thumbnails.ts';
import { closePrivateFolder, replacePrivateFile } from '../system/private-files.ts';
import { imageSize } from './image-size.ts';

/** What identifies a thumbnail: the picture as it was, and how small it has to be. */
export interface ThumbnailName extends ThumbnailSize {
  readonly path: VaultPath;
  readonly mtimeMs: number;
  readonly size: number;
}

/** A thumbnail in the folder. */
interface KeptFile {
  readonly file: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** Must be raised when the program begins to make different thumbnails of the same picture. */
const recipe = 1;

/**
 * Keeps the thumbnails of one vault in a folder, one file each. When the folder is full, the least
 * recently used ones are removed. Never fails: a file that cannot be read or written counts as not
 * kept. Other processes may use the same folder; each counts only the bytes that it knows of.
 */
export class ThumbnailCache {
  readonly #folder: string;
  readonly #bytesMax: number;
  /** The bytes in the folder; undefined until they are counted for the first time. */
  #bytes: number | undefined;

  constructor(options: { readonly folder: string; readonly bytesMax?: number }) {
    this.#folder = options.folder;
    this.#bytesMax = options.bytesMax ?? limits.thumbnailCacheBytesMax;
  }

  /** The thumbnail; undefined when it is not kept, or its file is damaged. */
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

  /** Keeps a thumbnail. Must not be called again before it has resolved. */
  async put(name: ThumbnailName, { bytes }: Thumbnail): Promise<void> {
    try {
      await closePrivateFolder(this.#folder);
      await replacePrivateFile(this.#fileOf(name), bytes);
      if (this.#bytes !== undefined) this.#bytes += bytes.length;
      if (this.#bytes === undefined || this.#bytes > this.#bytesMax) await this.#makeRoom();
    } catch {
      // For example a full disk. The thumbnail will be made again when it is wanted.
    }
  }

  #fileOf({ path, mtimeMs, size, maxDim, bytesMax = 0 }: ThumbnailName): string {
    const text = JSON.stringify([path, mtimeMs, size, maxDim, bytesMax, recipe]);
    return join(this.#folder, createHash('sha256').update(text).digest('hex'));
  }

  /**
   * Counts the folder's bytes. If they are too many, removes the oldest files down to nine tenths.
   */
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
      const found = await stat(file).catch(() => undefined); // Another process may have removed it.
      if (found?.isFile()) kept.push({ file, bytes: found.size, usedMs: found.mtimeMs });
    }
    return kept;
  }
}

const jpegEnd = [0xff, 0xd9];
const pngEnd = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** The thumbnail in a file; undefined when the file is incomplete or holds something else. */
function thumbnailIn(bytes: Uint8Array): Thumbnail | undefined {
  const size = imageSize(bytes);
  if (size === undefined) return undefined;
  const { format, width, height } = size;
  if (format !== 'jpeg' && format !== 'png') return undefined;
  const end = format === 'jpeg' ? jpegEnd : pngEnd;
  const isWhole = end.every((byte, at) => bytes[bytes.length - end.length + at] === byte);
  return isWhole ? { bytes, format, width, height } : undefined;
}
