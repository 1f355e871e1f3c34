import { limits } from '../../base/limits.ts';
import type { Thumbnail, ThumbnailSize } from '../../engine/ports/thumbnails.ts';
import { limitWasmMemory } from './limit-wasm-memory.ts';
import { makeThumbnail } from './make-thumbnail.ts';

/** What the worker thread for thumbnails can be asked to do. */
export interface ThumbnailMaker {
  /** Fails as `makeThumbnail` does. */
  make(source: Uint8Array, options: ThumbnailSize): Promise<Thumbnail>;
}

/** Loads photon, the library that decodes and scales pictures. Fails when it is not installed or does not run. */
export async function openThumbnailMaker(): Promise<ThumbnailMaker> {
  const photon = await withLimitedMemory(() => import('@silvia-odwyer/photon-node'));
  return { make: async (source, options) => makeThumbnail(photon, source, options) };
}

const pageBytes = 64 * 1024;

/** The part of the global `WebAssembly` that is used here; Node's types do not have it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { Module: new (bytes: Uint8Array) => object };
};

/**
 * Loads a library in WebAssembly so that its memory stays within `limits.thumbnailMemoryBytesMax`. The
 * library makes its module as it is loaded and takes no options, so the constructor that it calls is
 * replaced for that time. Nothing else runs in this thread.
 */
async function withLimitedMemory<T>(load: () => Promise<T>): Promise<T> {
  const { Module } = WebAssembly;
  const pagesMax = Math.floor(limits.thumbnailMemoryBytesMax / pageBytes);
  WebAssembly.Module = class extends Module {
    constructor(bytes: Uint8Array) {
      super(limitWasmMemory(bytes, pagesMax));
    }
  };
  try {
    return await load();
  } finally {
    WebAssembly.Module = Module;
  }
}
