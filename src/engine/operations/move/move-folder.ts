import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  isInside,
  joinPath,
  pathKey,
  vaultPath,
} from '../../../base/vault-path.ts';
import type { LinkHandling } from '../../moves/move-files.ts';
import { moveFiles } from '../../moves/move-files.ts';
import { newPath } from '../../new-notes/new-path.ts';
import { checkSeen } from '../../vault/check-seen.ts';
import type { Draft } from '../../vault/draft.ts';
import { notFound } from '../../vault/not-found.ts';
import type { MovedFile } from './move-file.ts';
import { linkChoices } from './move-file.ts';

interface MoveFolderRequest {
  readonly folder: string;
  /** Its new path, or, written with a `/` at its end, the folder that it goes into. */
  readonly to: string;
  readonly links?: LinkHandling;
  /** Moves even when links in notes that cannot be read would be missed. */
  readonly force?: boolean;
}

/**
 * Moves or renames a folder with everything in it, and rewrites every link into it and out of it
 * that would lead elsewhere. `moved` is the number of its files. Fails with `not_found` or
 * `not_a_folder` when there is no such folder, with `already_exists` when the new path is taken,
 * with `invalid_input` when it would go into itself, with `forbidden` when the caller may not see
 * all of its files, and as `moveFiles` does.
 */
export async function moveFolder(
  draft: Draft,
  request: MoveFolderRequest,
): Promise<MovedFile & { readonly moved: number }> {
  const named = vaultPath(request.folder);
  // `spell` spells the folders of a path as they are on disk, and leaves its last name as it is.
  const from = folderOf(await draft.spell(joinPath(named, 'x'))) as VaultPath;
  const kind = await draft.kind(from);
  if (kind !== 'folder') throw notFolder(named, kind);
  const asked = request.to.endsWith('/') ? request.to + fileNameOf(from) : request.to;
  const path = await newPath(draft, asked === '/' ? fileNameOf(from) : asked, { from });
  if (path === from) return { from, path, links: 0, notes: 0, moved: 0 };
  if (isInside(path, from)) {
    throw new VaultError('invalid_input', `"${from}" cannot be moved into itself.`, {
      details: { path: from },
    });
  }
  await checkFolderFree(draft, path, from);
  const files = new Map<VaultPath, VaultPath>();
  for (const file of await draft.filesIn(from)) {
    // Under another path, a file that the caller may not see could be seen.
    checkSeen(draft.vault, file);
    files.set(file, vaultPath(path + file.slice(from.length)));
  }
  const kept = await moveFiles(draft, {
    files,
    folder: { from, to: path },
    ...linkChoices(request),
  });
  return { from, path, ...kept, moved: files.size };
}

function notFolder(path: VaultPath, kind: 'file' | undefined): VaultError {
  if (kind === undefined) return notFound(path);
  return new VaultError('not_a_folder', `"${path}" is a file, not a folder.`, {
    details: { path },
  });
}

/**
 * Fails with `already_exists` when the new path is taken. On most systems a folder whose name
 * differs in case only is the same folder, so a folder found under the new name counts as the
 * folder itself when it has no files of its own.
 */
async function checkFolderFree(draft: Draft, path: VaultPath, from: VaultPath): Promise<void> {
  // `spell` corrects the folders of a path but not its last name; with `/x`, all are folders.
  const spelled = await draft.spell(vaultPath(`${path}/x`));
  const there = vaultPath(spelled.slice(0, -'/x'.length));
  const kind = await draft.kind(there);
  if (kind === undefined || there === from) return;
  const isItself = pathKey(there) === pathKey(from) && (await draft.filesIn(there)).length === 0;
  if (isItself) return;
  throw new VaultError('already_exists', `There is already a ${kind} "${there}".`, {
    details: { path: there },
  });
}
