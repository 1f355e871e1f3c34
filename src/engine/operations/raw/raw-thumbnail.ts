import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import type { RawStat } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Thumbnail } from '../../ports/thumbnails.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** A small picture of an image, with the stat of that image; fails as `Thumbnails.make` does. */
export async function rawThumbnail(
  vault: BoundVault,
  { path, maxDim }: { readonly path: VaultFolder; readonly maxDim: number },
): Promise<{ readonly thumbnail: Thumbnail; readonly stat: RawStat }> {
  const { thumbnails } = vault.vault.parts;
  if (thumbnails === undefined) {
    throw new VaultError('unavailable', 'No thumbnails are made here; read the image instead.');
  }
  if (maxDim <= 0) throw new VaultError('invalid_input', 'A thumbnail has a side of 1 or more.');
  const files = seenFiles(vault);
  const stat = await files.stat(path);
  if (stat === undefined) throw rawError('not_found', path, 'does not exist');
  if (path === '' || stat.kind === 'folder') throw rawError('is_a_folder', path, 'is a folder');
  const read = async (): Promise<Uint8Array> => {
    const found = await files.read(path, { bytesMax: limits.thumbnailSourceBytesMax });
    // It would be kept as the picture of another time.
    if (found.stat.mtimeMs === stat.mtimeMs) return found.bytes;
    throw rawError('conflict', path, 'changes while it is read; try again');
  };
  const thumbnail = await thumbnails.make(
    { path, mtimeMs: stat.mtimeMs, size: stat.size },
    { maxDim: Math.min(maxDim, limits.thumbnailSideMax), signal: vault.caller.signal },
    read,
  );
  return { thumbnail, stat };
}
