import { toVaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { foldName, vaultPath } from '../../base/vault-path.ts';
import { findNote, spellings } from '../notes/find-note.ts';
import { noteNotFound } from '../notes/note-not-found.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';
import { notFound } from '../vault/not-found.ts';
import type { NoteName } from '../vault/note-name.ts';
import type { DraftFiles } from './draft-files.ts';

/**
 * Finds the file that a name means in the vault as the draft would leave it; see `findNote`. A note
 * that is found at its exact path is read at once: nearly every change needs its text next, and so
 * its path is located once.
 */
export async function findInDraft(
  draft: Pick<Draft, 'vault' | 'kind'> & {
    readonly files: DraftFiles;
    readonly loadNote: (path: VaultPath) => Promise<unknown>;
  },
  name: NoteName,
): Promise<VaultPath> {
  const { vault, files } = draft;
  if (files.isEmpty()) return findNote(vault, name, (path) => isFile(draft, path));
  const asked = vaultPath(typeof name === 'string' ? name.trim() : name.path);
  const names = spellings(name, asked).filter((path) => vault.sees(path));
  const exact = names.find((path) => files.isTouched(path));
  if (exact !== undefined) return exact;
  if (typeof name !== 'string' || files.folderMoves.length > 0) {
    for (const path of names) if ((await draft.kind(path)) === 'file') return path;
  }
  if (typeof name !== 'string') throw await noteNotFound(vault, asked, { byPath: true });
  let failure: unknown = notFound(asked);
  try {
    const found = files.fromDisk(await findNote(vault, name));
    if (found !== undefined) return found;
  } catch (error) {
    failure = error;
  }
  // The index does not know the files that this draft has made or moved.
  const ending = Array.from(files.touched(), ([path]) => path).filter(
    (path) =>
      vault.sees(path) &&
      spellings(name, asked).some((end) => `/${foldName(path)}`.endsWith(`/${foldName(end)}`)),
  );
  const [only] = ending;
  if (only === undefined || ending.length > 1) throw failure;
  return only;
}

/** Whether there is a file at a path that the caller may see, in a draft that has no files yet. */
async function isFile(
  { vault, loadNote }: Pick<Parameters<typeof findInDraft>[0], 'vault' | 'loadNote'>,
  path: VaultPath,
): Promise<boolean> {
  if (fileKind(path) !== 'note') return (await vault.stat(path)) !== undefined;
  if (!vault.sees(path)) return false;
  try {
    await loadNote(path);
    return true;
  } catch (error) {
    // A note that is too large or may not be read is a file too: the operation fails with the reason.
    return !missing.includes(toVaultError(error).code);
  }
}

const missing: readonly VaultErrorCode[] = ['not_found', 'is_a_folder', 'not_a_folder'];
