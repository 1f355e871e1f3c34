import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { checkMtime } from '../../notes/check-mtime.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import type { RawStat } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Some bytes of a file, fewer where it ends. Fails with `conflict` when the file has another time
 * than expected (0 expects nothing), and with `too_large` for more than one message can hold.
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
      'A range begins at 0 or later and has no less than 0 bytes.',
    );
  }
  if (path === '') throw rawError('is_a_folder', path, 'is a folder; list it instead');
  // One byte more than may be answered tells whether there is more.
  const range = {
    offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
    length: Math.min(length, limits.remoteReadBytesMax + 1),
  };
  const { bytes, stat } = await seenFiles(vault).readRange(path, range);
  checkMtime(path, stat, expectedMtimeMs);
  if (bytes.length > limits.remoteReadBytesMax) {
    const most = `at most ${limits.remoteReadBytesMax} bytes at once`;
    throw rawError('too_large', path, `is read ${most}; ask for smaller ranges`);
  }
  return { bytes, stat };
}
