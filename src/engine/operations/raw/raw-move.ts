import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';

/**
 * Gives a file, a symlink or a folder another path, as `rename` of POSIX does: see `RawDraft.move`.
 * No link in a note is rewritten. The root is never moved, nor replaced.
 */
export async function rawMove(
  draft: Draft,
  { from, to }: { readonly from: VaultFolder; readonly to: VaultFolder },
): Promise<{ readonly at: VaultPath }> {
  if (from === '') throw rawError('io_failed', from, 'is the vault itself, which stays');
  const files = seenFiles(draft.vault);
  const source = await files.canonical(from);
  const kind = (await files.entry(source))?.kind;
  if (kind === undefined) throw rawError('not_found', from, 'does not exist');
  if (to === '' && kind === 'folder') {
    throw rawError('io_failed', from, 'cannot be moved onto the vault itself');
  }
  if (to === '') throw rawError('already_exists', to, 'is a folder; choose another name');
  const at = await files.canonical(to);
  await draft.raw.move(source, at);
  return { at };
}
