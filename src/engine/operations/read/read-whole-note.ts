import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';

/**
 * The note, canvas or base at exactly this path, as it is on disk; undefined when there is none.
 * Fails with `too_large` rather than to answer a part of it.
 */
export async function readWholeNote(
  vault: BoundVault,
  request: { readonly path: string },
): Promise<NoteText | undefined> {
  const path = vaultPath(request.path);
  const stat = await vault.stat(path);
  if (stat === undefined) return undefined;
  if (fileKind(path) === 'attachment') {
    throw new VaultError(
      'invalid_input',
      `"${path}" is an attachment; only notes, canvases and bases are read as text.`,
      { details: { path } },
    );
  }
  if (stat.size > limits.wholeNoteBytesMax) {
    throw new VaultError(
      'too_large',
      `"${path}" has ${stat.size} bytes, more than the ${limits.wholeNoteBytesMax} that are read at once.`,
      { details: { path, bytes: stat.size, bytesMax: limits.wholeNoteBytesMax } },
    );
  }
  return vault.readText(path);
}
