import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { Thumbnail, Thumbnails } from '../../engine/ports/thumbnails.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { hasPhoton } from './has-photon.ts';
import { ThumbnailCache, type ThumbnailName } from './thumbnail-cache.ts';
import { ThumbnailThread } from './thumbnail-thread.ts';

export interface ThumbnailsOptions {
  /** The bundled program: the worker runs the same file. */
  readonly entryFile: string;
  /** Where thumbnails of this vault alone are kept; made when the first is. */
  readonly cacheFolder: string;
  readonly timers?: Timers;
}

/**
 * Thumbnails by a library in WebAssembly, in a worker of their own that starts with the first.
 * Undefined where that library is neither in the program nor beside it.
 */
export function openThumbnails(options: ThumbnailsOptions): Thumbnails | undefined {
  return hasPhoton(options.entryFile) ? new KeptThumbnails(options) : undefined;
}

class KeptThumbnails implements Thumbnails {
  readonly #cache: ThumbnailCache;
  readonly #thread: ThumbnailThread;
  readonly #turns = new Semaphore(1);
  /** How many are being made or wait for it. */
  #wanted = 0;

  constructor({ entryFile, cacheFolder, timers = nodeTimers }: ThumbnailsOptions) {
    this.#cache = new ThumbnailCache({ folder: cacheFolder });
    this.#thread = new ThumbnailThread({ entryFile, timers });
  }

  async make(...[picture, options, read]: Parameters<Thumbnails['make']>): Promise<Thumbnail> {
    refuseLarge(picture.size);
    const { path, mtimeMs, size } = picture;
    const maxDim = Math.min(options.maxDim, limits.thumbnailSideMax);
    const name = { path, mtimeMs, size, maxDim };
    const kept = await this.#cache.get(name);
    if (kept !== undefined) return kept;
    if (this.#wanted > limits.thumbnailsWaitingMax) throw tooMany();
    this.#wanted += 1;
    try {
      return await this.#turns.run(() => this.#make(name, options.signal, read), options.signal);
    } finally {
      this.#wanted -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #make(
    name: ThumbnailName,
    signal: AbortSignal,
    read: () => Promise<Uint8Array>,
  ): Promise<Thumbnail> {
    // Someone who waited before us may have wanted the same.
    const kept = await this.#cache.get(name);
    if (kept !== undefined) return kept;
    const source = await read();
    if (signal.aborted) throw abortReason(signal);
    refuseLarge(source.length);
    const thumbnail = await this.#thread.make(source, { maxDim: name.maxDim });
    await this.#cache.put(name, thumbnail);
    return thumbnail;
  }
}

function refuseLarge(bytes: number): void {
  if (bytes <= limits.thumbnailSourceBytesMax) return;
  throw new VaultError(
    'too_large',
    `Thumbnails are made of pictures of at most ${limits.thumbnailSourceBytesMax} bytes, and this one has ${bytes}; read the file itself.`,
  );
}

function tooMany(): VaultError {
  return new VaultError(
    'unavailable',
    `${limits.thumbnailsWaitingMax} thumbnails wait to be made already; try again later.`,
  );
}
