import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { Draft } from '../../vault/draft.ts';
import { deleteFile } from './delete-file.ts';

/**
 * Deletes the note, canvas or base at exactly this path as `deleteFile` does; one that is not there
 * is no failure. Attachments are refused.
 */
export async function deleteNoteAt(
  draft: Draft,
  request: { readonly path: string },
): Promise<{ readonly path: VaultPath; readonly deleted: boolean }> {
  const path = vaultPath(request.path);
  if ((await draft.kind(path)) !== 'file') return { path, deleted: false };
  if (fileKind(path) === 'attachment') {
    throw new VaultError(
      'invalid_input',
      `"${path}" is an attachment; only notes, canvases and bases are deleted here.`,
      { details: { path } },
    );
  }
  await deleteFile(draft, { name: { path } });
  return { path, deleted: true };
}
