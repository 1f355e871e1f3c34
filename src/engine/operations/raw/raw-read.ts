import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { RawStat } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Thumbnail } from '../../ports/thumbnails.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { seenFiles } from './seen-files.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the text of a file, including its byte order mark. Fails with `not_found`, `is_a_folder`,
 * `too_large`, and with `invalid_input` when the bytes are not UTF-8.
 */
export async function rawReadText(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<{ readonly text: string; readonly stat: RawStat }> {
  if (path === '') throw rawError('is_a_folder', path, 'is a folder; list it instead');
  const bytesMax = limits.remoteMessageBytesMax;
  const { bytes, stat } = await seenFiles(vault).read(path, { bytesMax });
  vault.hasRead(path, bytes);
  try {
    return { text: decoder.decode(bytes), stat };
  } catch {
    throw rawError('invalid_input', path, 'is not UTF-8 text; read its bytes instead');
  }
}

/** Reads the bytes of a whole file. Fails with `is_a_folder`, `not_found` and `too_large`. */
export async function rawReadBytes(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  if (path === '') throw rawError('is_a_folder', path, 'is a folder; list it instead');
  const found = await seenFiles(vault).read(path, { bytesMax: limits.remoteReadBytesMax });
  vault.hasRead(path, found.bytes);
  return found;
}

/**
 * Reads some bytes of a file; fewer when the file ends before. Fails with `not_found`,
 * `is_a_folder`, with `conflict` when the file has another modification time than expected (0
 * accepts any), and with `too_large` for more bytes than a message can hold.
 */
export async function rawReadRange(
  vault: BoundVault,
  request: {
    readonly path: VaultFolder;
    readonly offset: number;
    readonly length: number;
    readonly expectedMtimeMs: number;
  },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  const { path, offset, length, expectedMtimeMs } = request;
  if (offset < 0 || length < 0) {
    throw new VaultError(
      'invalid_input',
      'The offset and the length of a range must be 0 or more.',
    );
  }
  if (path === '') throw rawError('is_a_folder', path, 'is a folder; list it instead');
  // Reads one byte more than may be returned, to see whether there are more.
  const range = {
    offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
    length: Math.min(length, limits.remoteReadBytesMax + 1),
  };
  const { bytes, stat } = await seenFiles(vault).readRange(path, range);
  checkMtime(path, stat, expectedMtimeMs);
  if (bytes.length > limits.remoteReadBytesMax) {
    const most = `at most ${limits.remoteReadBytesMax} bytes at a time`;
    throw rawError('too_large', path, `can be read ${most}; ask for smaller ranges`);
  }
  vault.hasRead(path, bytes);
  return { bytes, stat };
}

/**
 * Returns the SHA-256 of a file of any size, with its stat. Fails with `is_a_folder` and
 * `not_found`.
 */
export async function rawHash(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<{ readonly version: Version; readonly stat: RawStat }> {
  if (path === '') throw rawError('is_a_folder', path, 'is a folder');
  return seenFiles(vault).hash(path, { signal: vault.caller.signal });
}

/**
 * Makes a small picture of an image, and returns it with the stat of the image. Fails with
 * `unavailable` where no thumbnails are made, with `conflict` when the image changes while it
 * is read, and as `Thumbnails.make` does.
 */
export async function rawThumbnail(
  vault: BoundVault,
  { path, maxDim }: { readonly path: VaultFolder; readonly maxDim: number },
): Promise<{ readonly thumbnail: Thumbnail; readonly stat: RawStat }> {
  const { thumbnails } = vault.vault.parts;
  if (thumbnails === undefined) {
    throw new VaultError('unavailable', 'No thumbnails are made here; read the image instead.');
  }
  if (maxDim <= 0)
    throw new VaultError('invalid_input', 'The longest side of a thumbnail must be 1 or more.');
  const files = seenFiles(vault);
  const stat = await files.stat(path);
  if (stat === undefined) throw rawError('not_found', path, 'does not exist');
  if (path === '' || stat.kind === 'folder') throw rawError('is_a_folder', path, 'is a folder');
  const read = async (): Promise<Uint8Array> => {
    const found = await files.read(path, { bytesMax: limits.thumbnailSourceBytesMax });
    // The cache would keep this picture under the wrong modification time.
    if (found.stat.mtimeMs === stat.mtimeMs) return found.bytes;
    throw rawError('conflict', path, 'changes while it is read; try again');
  };
  const thumbnail = await thumbnails.make(
    { path, mtimeMs: stat.mtimeMs, size: stat.size },
    { maxDim: Math.min(maxDim, limits.thumbnailSideMax), signal: vault.caller.signal },
    read,
  );
  vault.hasRead(path, thumbnail.bytes);
  return { thumbnail, stat };
}

/**
 * Fails with `conflict` when a file has another modification time than expected; 0 accepts any.
 */
export function checkMtime(path: VaultPath, stat: RawStat, expectedMs: number): void {
  if (expectedMs === 0 || stat.mtimeMs === expectedMs) return;
  throw rawError('conflict', path, 'has changed since it was read; read it again');
}
