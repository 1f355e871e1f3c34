import { createRequire } from 'node:module';
import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { Thumbnail, Thumbnails } from '../../engine/ports/thumbnails.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThumbnailCache, type ThumbnailName } from './thumbnail-cache.ts';
import { ThumbnailThread } from './thumbnail-thread.ts';

interface ThumbnailsOptions {
  /** The bundled program, which the worker thread runs too. */
  readonly entryFile: string;
  /** Where the thumbnails of this vault, and no other, are kept; created with the first one. */
  readonly cacheFolder: string;
  readonly timers?: Timers;
}

/**
 * Thumbnails made by a library in WebAssembly, in a worker thread that starts with the first one.
 * Undefined when that library is neither inside the program nor installed beside it.
 */
export function openThumbnails(options: ThumbnailsOptions): Thumbnails | undefined {
  return hasPhoton(options.entryFile) ? new KeptThumbnails(options) : undefined;
}

class KeptThumbnails implements Thumbnails {
  readonly #cache: ThumbnailCache;
  readonly #thread: ThumbnailThread;
  readonly #oneAtATime = new Semaphore(1);
  /** How many thumbnails are being made or wait to be made. */
  #wanted = 0;

  constructor({ entryFile, cacheFolder, timers = nodeTimers }: ThumbnailsOptions) {
    this.#cache = new ThumbnailCache({ folder: cacheFolder });
    this.#thread = new ThumbnailThread({ entryFile, timers });
  }

  async make(...[picture, options, read]: Parameters<Thumbnails['make']>): Promise<Thumbnail> {
    refuseLarge(picture.size);
    const { path, mtimeMs, size } = picture;
    const maxDim = Math.min(options.maxDim, limits.thumbnailSideMax);
    const { bytesMax } = options;
    const name = { path, mtimeMs, size, maxDim, ...(bytesMax === undefined ? {} : { bytesMax }) };
    const kept = await this.#cache.get(name);
    if (kept !== undefined) return kept;
    if (this.#wanted > limits.thumbnailsWaitingMax) throw tooMany();
    this.#wanted += 1;
    try {
      return await this.#oneAtATime.run(
        () => this.#make(name, options.signal, read),
        options.signal,
      );
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
    // An earlier call in the queue may have made the same thumbnail.
    const kept = await this.#cache.get(name);
    if (kept !== undefined) return kept;
    const source = await read();
    if (signal.aborted) throw abortReason(signal);
    refuseLarge(source.length);
    const { path: _path, mtimeMs: _mtimeMs, size: _size, ...wanted } = name;
    const thumbnail = await this.#thread.make(source, wanted);
    await this.#cache.put(name, thumbnail);
    return thumbnail;
  }
}

/** Defined in the bundle that contains the library (`scripts/embed-wasm.mjs`). */
declare const VAULTDOOR_EMBEDS_PHOTON: true | undefined;

/** Whether the library for thumbnails is inside the program or installed beside it. */
function hasPhoton(entryFile: string): boolean {
  if (typeof VAULTDOOR_EMBEDS_PHOTON !== 'undefined') return true;
  try {
    createRequire(entryFile).resolve('@silvia-odwyer/photon-node');
    return true;
  } catch {
    return false;
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
    'busy',
    `${limits.thumbnailsWaitingMax} thumbnails are already waiting to be made; try again later.`,
    { details: { retryAfterMs: limits.busyRetryMs } },
  );
}
