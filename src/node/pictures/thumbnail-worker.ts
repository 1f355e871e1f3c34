import type { Thumbnail } from '../../engine/ports/thumbnails.ts';
import { makeThumbnail } from './make-thumbnail.ts';

/** What the worker thread for thumbnails can be asked to do. */
export interface ThumbnailMaker {
  /** Fails as `makeThumbnail` does. */
  make(source: Uint8Array, options: { readonly maxDim: number }): Promise<Thumbnail>;
}

/** Loads photon, the library that decodes and scales pictures. Fails when it is not installed or does not run. */
export async function openThumbnailMaker(): Promise<ThumbnailMaker> {
  const photon = await import('@silvia-odwyer/photon-node');
  return { make: async (source, options) => makeThumbnail(photon, source, options) };
}
