import type { VaultFolder } from '../../../base/vault-path.ts';
import { folderOf } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { checkParent } from './raw-target.ts';

/**
 * Makes a folder, with `recursive` also those it needs; one that is there is no change. Where a file
 * is, that is `already_exists`, or `not_a_folder` if it is recursive: as `mkdir -p` says it.
 */
export async function rawMakeFolder(
  draft: Draft,
  { path, recursive }: { readonly path: VaultFolder; readonly recursive: boolean },
): Promise<object> {
  if (path === '') return {};
  const files = seenFiles(draft.vault);
  const at = await files.canonical(path);
  const stat = await files.stat(at);
  if (stat?.kind === 'folder') return {};
  if (stat !== undefined && recursive) throw rawError('not_a_folder', path, 'is a file');
  if (stat !== undefined) throw rawError('already_exists', path, 'exists already and is a file');
  if ((await files.entry(at)) !== undefined) {
    throw rawError('already_exists', path, 'exists already: a symlink that leads nowhere');
  }
  if (!recursive) await checkParent(files, folderOf(at));
  await draft.raw.makeFolder(at);
  return {};
}
