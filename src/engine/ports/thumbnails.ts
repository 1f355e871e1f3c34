import type { VaultPath } from '../../base/vault-path.ts';

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly format: 'jpeg' | 'png';
  readonly width: number;
  readonly height: number;
}

/** How small a thumbnail has to be. */
export interface ThumbnailSize {
  /** Its longer side, in pixels. */
  readonly maxDim: number;
  /** Its bytes: a PNG with more becomes a JPEG on white, and a JPEG with more becomes smaller. */
  readonly bytesMax?: number;
}

/** Makes small pictures of large ones, in another thread, and keeps them outside the vault. */
export interface Thumbnails {
  /**
   * The picture with its longer side at most `maxDim`, never enlarged, turned upright by its EXIF
   * data: a PNG from a PNG unless that has too many bytes, otherwise a JPEG. Fails with `invalid_input` for anything but a valid
   * JPEG, PNG, GIF or WebP, `too_large` over the limits, and `timeout`. `path` and `mtimeMs`
   * identify the picture: each thumbnail is made once. `read` is only called when it has to be
   * made.
   */
  make(
    picture: { readonly path: VaultPath; readonly mtimeMs: number; readonly size: number },
    options: ThumbnailSize & { readonly signal: AbortSignal },
    read: () => Promise<Uint8Array>,
  ): Promise<Thumbnail>;
  close(): Promise<void>;
}
