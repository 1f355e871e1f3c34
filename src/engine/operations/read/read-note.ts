import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isHidden, vaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { Section } from '../../../markdown/scan/sections.ts';
import { folderView } from '../../notes/find-folder.ts';
import { findNote } from '../../notes/find-note.ts';
import { noteNotFound } from '../../notes/note-not-found.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/**
 * Reads the text of a note as it is on disk now, with its version. Fails with `not_found` or
 * `ambiguous` when the name does not lead to one file.
 */
export async function readNote(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ path: VaultPath; text: string; version: Version }> {
  const { path, text, version } = await vault.readText(await findNote(vault, request.name));
  return { path, text, version };
}

/**
 * Reads the note, canvas or base at exactly this path, or answers the paths that come closest when
 * there is none. With a section, finds it as `findSection` does. Fails with `invalid_input` for an
 * attachment.
 */
export async function readNoteAt(
  vault: BoundVault,
  request: { readonly path: string; readonly section?: string | undefined },
): Promise<
  | { readonly note: NoteText; readonly section?: Section }
  | { readonly note?: undefined; readonly closest: readonly VaultPath[] }
> {
  const path = vaultPath(request.path);
  if ((await vault.stat(path)) === undefined) {
    // No note is called like a file in a folder that begins with a dot.
    if (isHidden(path)) return { closest: [] };
    const { details } = await noteNotFound(vault, path, { byPath: true });
    const { candidates = [] } = details as { readonly candidates?: readonly VaultPath[] };
    return { closest: candidates };
  }
  if (fileKind(path) === 'attachment') {
    throw new VaultError(
      'invalid_input',
      `"${path}" is an attachment; only notes, canvases and bases are read as text.`,
      { details: { path } },
    );
  }
  const note = await vault.readText(path);
  if (request.section === undefined) return { note };
  return { note, section: await vault.work('section', note.text, request.section) };
}

/**
 * Reads a note of a folder, at any depth, chosen at random with equal chances. Fails with
 * `not_found` when the folder does not exist or has no notes.
 */
export async function randomNote(
  vault: BoundVault,
  request: { readonly folder: VaultFolder },
): Promise<{ readonly path: VaultPath; readonly text: string; readonly version: Version }> {
  const view = await folderView(vault, request.folder);
  const folder = view.within ?? '';
  const { random } = vault.vault.parts;
  const path = await vault.ask('names', async (store) => {
    const notes = { folder, kinds: ['note'], sort: 'path' } as const;
    const { total } = await store.files(view, { ...notes, limit: 0, offset: 0 });
    if (total === 0) return undefined;
    const page = await store.files(view, { ...notes, limit: 1, offset: random.below(total) });
    return page.items[0]?.path;
  });
  if (path === undefined) {
    const where = folder === '' ? 'the vault' : `"${folder}"`;
    throw new VaultError('not_found', `There is no note in ${where} to choose from.`);
  }
  const { text, version } = await vault.readText(path);
  return { path, text, version };
}
