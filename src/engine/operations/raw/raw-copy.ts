import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { rawTarget } from './raw-target.ts';

/**
 * Puts the bytes of one file at another path, in place of what is there, and makes the folders it
 * needs; onto itself it does nothing. Fails with `not_found`, `is_a_folder`, `too_large` for the source, and as `rawTarget` does.
 */
export async function rawCopy(
  draft: Draft,
  { from, to }: { readonly from: VaultFolder; readonly to: VaultFolder },
): Promise<{ readonly at: VaultPath }> {
  if (from === '') throw rawError('is_a_folder', from, 'is a folder; copy its files one by one');
  const files = seenFiles(draft.vault);
  const { bytes } = await files.read(from, { bytesMax: limits.changeBytesMax });
  const at = await rawTarget(files, to);
  if ((await files.real(from)) !== at) await draft.raw.put(at, bytes);
  return { at };
}
