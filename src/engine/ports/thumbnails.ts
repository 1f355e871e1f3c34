import type { VaultPath } from '../../base/vault-path.ts';

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly format: 'jpeg' | 'png';
  readonly width: number;
  readonly height: number;
}

/** Makes small pictures of large ones, off the main thread, and keeps them outside the vault. */
export interface Thumbnails {
  /**
   * The picture with its longer side at most `maxDim`, never enlarged, upright as its EXIF data say:
   * PNG of a PNG, else JPEG. Fails with `invalid_input` for what is no JPEG, PNG, GIF or WebP or
   * cannot be decoded, `too_large` over the limits, `timeout`. `path` and `mtimeMs` say which picture
   * it is: the same one is made once. `read` is only called when it has to be made.
   */
  make(
    picture: { readonly path: VaultPath; readonly mtimeMs: number; readonly size: number },
    options: { readonly maxDim: number; readonly signal: AbortSignal },
    read: () => Promise<Uint8Array>,
  ): Promise<Thumbnail>;
  close(): Promise<void>;
}
