import { VaultError } from '../../../base/vault-error.ts';
import type { ChangeRow } from '../../change/change-row.ts';
import { findNote } from '../../notes/find-note.ts';
import type { Page } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { listChanges } from './list-changes.ts';

/**
 * Changes of the vault, or of one note, newest first. A name that no note has any more is looked for
 * in history as a path, with `.md` first.
 */
export async function listNoteChanges(
  vault: BoundVault,
  request: {
    readonly name: NoteName | undefined;
    readonly sinceMs?: number;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<Page<ChangeRow>> {
  const { name, ...page } = request;
  if (name === undefined) return listChanges(vault, page);
  const path = await pathOf(vault, name);
  if (path !== undefined) return listChanges(vault, { ...page, path });
  const asked = (typeof name === 'string' ? name : name.path).trim();
  const asNote = await listChanges(vault, { ...page, path: `${asked}.md` });
  return asNote.total > 0 ? asNote : listChanges(vault, { ...page, path: asked });
}

/** The path of the note that a name means; undefined when there is none. */
async function pathOf(vault: BoundVault, name: NoteName): Promise<string | undefined> {
  try {
    return await findNote(vault, name);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return undefined;
    throw error;
  }
}
