import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { Thumbnail, ThumbnailSize } from '../../engine/ports/thumbnails.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { ThumbnailWorkerData } from '../threads/worker-data.ts';
import { admittedSize } from './make-thumbnail.ts';
import type { ThumbnailMaker } from './thumbnail-worker.ts';

/** A picture with more pixels is made in a thread of its own. */
const largePixels = 3_000_000;

type MakerThread = Thread<ThumbnailMaker>;

const workerData: ThumbnailWorkerData = { role: 'thumbnail' };

/**
 * Makes thumbnails in a worker thread, one at a time. The thread starts with the first thumbnail
 * and ends when none was wanted for a while, or after a large one, because WebAssembly never gives
 * memory back. It is
 * also ended when a picture takes too long or stops the decoder; the next picture starts a new one.
 */
export class ThumbnailThread implements ThumbnailMaker {
  readonly #entryFile: string;
  readonly #timers: Timers;
  #thread: MakerThread | undefined;
  #stopIdling = (): void => {};
  #isClosed = false;

  constructor(options: { readonly entryFile: string; readonly timers: Timers }) {
    this.#entryFile = options.entryFile;
    this.#timers = options.timers;
  }

  /**
   * Fails as `makeThumbnail` does; also with `timeout`, `unavailable`, or, once closed,
   * `cancelled`.
   */
  async make(source: Uint8Array, options: ThumbnailSize): Promise<Thumbnail> {
    // A large picture has a thread of its own: it needs nearly all the memory that a thread may have,
    // and what smaller ones have left scattered there would be in its way.
    const { width, height } = admittedSize(source);
    const isLarge = width * height > largePixels;
    this.#stopIdling();
    if (isLarge && this.#thread !== undefined) await this.#end(this.#thread);
    // Checked here, because all may have been closed while that thread ended.
    if (this.#isClosed) throw closed();
    this.#thread ??= openThread({ entryFile: this.#entryFile, workerData });
    const thread = this.#thread;
    let isLate = false;
    const stop = this.#timers.after(limits.thumbnailMs, () => {
      isLate = true;
      void this.#end(thread);
    });
    try {
      await opened(thread);
      return await thread.remote.make(source, options);
    } catch (error) {
      if (isRefusal(error)) throw error;
      await this.#end(thread);
      if (isLate) throw tooSlow();
      throw isDeath(error) ? undecodable(error) : error;
    } finally {
      stop();
      const end = (): void => void this.#end(thread);
      this.#stopIdling = this.#timers.after(isLarge ? 0 : limits.thumbnailIdleMs, end);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopIdling();
    if (this.#thread !== undefined) await this.#end(this.#thread);
  }

  async #end(thread: MakerThread): Promise<void> {
    if (this.#thread === thread) this.#thread = undefined;
    await thread.close();
  }
}

/** Waits until the thread has loaded the library. */
async function opened(thread: MakerThread): Promise<void> {
  try {
    await thread.ready();
  } catch (cause) {
    if (!isDeath(cause)) throw cause;
    throw new VaultError(
      'unavailable',
      'Thumbnails cannot be made: the library for them does not run; read the file itself, or install Vaultdoor again.',
      { cause },
    );
  }
}

/** Whether the picture was refused before it was decoded. */
function isRefusal(error: unknown): boolean {
  return error instanceof VaultError && ['invalid_input', 'too_large'].includes(error.code);
}

/** Whether the worker thread has ended, or the library in it has crashed. */
function isDeath(error: unknown): boolean {
  return error instanceof VaultError && error.code === 'internal';
}

function undecodable(cause: unknown): VaultError {
  return new VaultError(
    'invalid_input',
    `The picture cannot be decoded: it is damaged, of a rare kind, or needs more than ${limits.thumbnailMemoryBytesMax / (1024 * 1024)} MiB of memory; read the file itself.`,
    { cause },
  );
}

function tooSlow(): VaultError {
  return new VaultError(
    'timeout',
    `The thumbnail took longer than ${limits.thumbnailMs / 1_000} s to make; read the file itself.`,
  );
}

function closed(): VaultError {
  return new VaultError('cancelled', 'The vault was closed in the meantime.');
}
