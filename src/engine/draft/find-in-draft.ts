import { toVaultError } from '../../base/vault-error.ts';
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
 * Finds the file that a name means in the vault as the draft would leave it; see `findNote`. With
 * `read`, a note at its exact path is read at once; see `Draft.find`.
 */
export async function findInDraft(
  draft: Pick<Draft, 'vault' | 'kind'> & {
    readonly files: DraftFiles;
    readonly loadNote: (path: VaultPath) => Promise<unknown>;
  },
  name: NoteName,
  { read }: { readonly read: boolean },
): Promise<VaultPath> {
  const { vault, files } = draft;
  if (read && files.isEmpty()) return findNote(vault, name, (path) => isFile(draft, path));
  const asked = vaultPath(typeof name === 'string' ? name.trim() : name.path);
  const paths = spellings(name, asked).filter((path) => vault.sees(path));
  const exact = paths.find((path) => files.isTouched(path));
  if (exact !== undefined) return exact;
  // After a folder move, `findNote` does not know where the files in that folder would be.
  if (typeof name !== 'string' || files.folderMoves.length > 0) {
    for (const path of paths) if ((await draft.kind(path)) === 'file') return path;
  }
  if (typeof name !== 'string') throw await noteNotFound(vault, asked, { byPath: true });
  let failure: unknown = notFound(asked);
  try {
    const found = files.fromDisk(await findNote(vault, name));
    if (found !== undefined) return found;
  } catch (error) {
    failure = error;
  }
  // The index does not know the files that this draft has made or moved: compare their paths' ends.
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
    if (toVaultError(error).code === 'not_found') return false;
    // It may be a note that is too large or may not be read, or something that is no file at all.
    return (await vault.stat(path)) !== undefined;
  }
}
