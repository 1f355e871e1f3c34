import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** The text of a note as it is on disk at this moment, with its version. */
export async function readNote(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ path: VaultPath; text: string; version: Version }> {
  const { path, text, version } = await vault.readText(await findNote(vault, request.name));
  return { path, text, version };
}
