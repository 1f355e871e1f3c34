import { limits } from '../../../base/limits.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import type { RawStat } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file, its BOM included. Fails with `invalid_input` when its bytes are not UTF-8. */
export async function rawReadText(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<{ readonly text: string; readonly stat: RawStat }> {
  if (path === '') throw rawError('is_a_folder', path, 'is a folder; list it instead');
  const bytesMax = limits.remoteMessageBytesMax;
  const { bytes, stat } = await seenFiles(vault).read(path, { bytesMax });
  try {
    return { text: decoder.decode(bytes), stat };
  } catch {
    throw rawError('invalid_input', path, 'is not UTF-8 text; read its bytes instead');
  }
}
