import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isHidden, vaultPath } from '../../base/vault-path.ts';
import type { Picture } from '../../doors/console/console-parts.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { type MediaKind, mediaKind, mediaTypes } from '../../engine/ports/media-kind.ts';

/**
 * A picture of the vault, for the owner's page. Only what its first bytes show to be a picture is
 * answered. A large one is made smaller where that can be done. Fails with `not_found`, `invalid_input`
 * and `too_large`.
 */
export async function readPicture(
  source: VaultSource,
  path: string,
  caller: Caller,
): Promise<Picture> {
  const at = vaultPath(path);
  const vault = await source.open();
  const bound = await vault.admit(caller);
  const { disk, thumbnails } = vault.parts;
  const found = await disk.stat(at);
  if (found === undefined || isHidden(at) || !bound.seesFile(at, found)) {
    throw new VaultError('not_found', `There is no file "${path}".`);
  }
  const { bytes, stat } = await disk.read(at, { bytesMax: limits.consolePictureFileBytesMax });
  const type = pictureType(bytes);
  if (type === undefined) {
    throw new VaultError('invalid_input', `"${path}" is not a picture that can be shown.`);
  }
  if (bytes.byteLength <= limits.consolePictureBytesMax) return { bytes, type };
  if (thumbnails === undefined) {
    throw new VaultError('too_large', `"${path}" is too large to be shown.`);
  }
  const small = await thumbnails.make(
    { path: at, mtimeMs: stat.mtimeMs, size: bytes.byteLength },
    { maxDim: limits.consolePicturePixels, signal: caller.signal },
    async () => bytes,
  );
  return { bytes: small.bytes, type: `image/${small.format}` };
}

/** The kinds that browsers show; an `svg` is shown where no script of it runs. */
const shown: readonly (MediaKind | undefined)[] = ['png', 'jpg', 'gif', 'webp', 'avif', 'svg'];

/** The type of a picture by its first bytes; undefined for anything else. */
function pictureType(bytes: Uint8Array): string | undefined {
  const kind = mediaKind(bytes);
  return kind !== undefined && shown.includes(kind) ? mediaTypes[kind] : undefined;
}
