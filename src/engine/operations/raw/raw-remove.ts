import { VaultError, type VaultErrorCode } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { RawDisk, RawKind } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { seenFiles } from './seen-files.ts';

/**
 * Removes a file for good; only the history keeps it. Of a symlink only the link is removed, unless
 * it leads to a folder of the vault. Fails with `not_found` and `is_a_folder`.
 */
export async function rawRemove(
  draft: Draft,
  { path }: { readonly path: VaultFolder },
): Promise<object> {
  const files = seenFiles(draft.vault);
  if (path === '' || (await kindBehind(files, path)) === 'folder') {
    throw rawError('is_a_folder', path, 'is a folder; remove it with the call for folders');
  }
  await draft.raw.remove(await files.canonical(path));
  return {};
}

/**
 * Removes a folder, with `recursive` also everything in it; of a symlink to a folder only the link.
 * Fails with `invalid_input` for the vault itself, with `not_found` and `not_a_folder`, and with
 * `already_exists` when the folder is not empty.
 */
export async function rawRemoveFolder(
  draft: Draft,
  { path, recursive }: { readonly path: VaultFolder; readonly recursive: boolean },
): Promise<object> {
  if (path === '')
    throw rawError('invalid_input', path, 'is the vault itself and cannot be removed');
  const files = seenFiles(draft.vault);
  const at = await files.canonical(path);
  await files.stat(at); // Refuses a symlink that leads out of the vault.
  await draft.raw.removeFolder(at, { recursive });
  return {};
}

/**
 * Failures that come from what a symlink leads to. `canonical` fails if the path itself is at
 * fault.
 */
const behindLink = new Set<VaultErrorCode>(['outside_vault', 'not_a_folder', 'forbidden']);

/**
 * Returns the kind of a path, or of what a symlink leads to; a symlink whose target cannot be read
 * counts as `symlink`.
 */
async function kindBehind(files: RawDisk, path: VaultPath): Promise<RawKind | undefined> {
  try {
    return (await files.stat(path))?.kind;
  } catch (error) {
    if (error instanceof VaultError && behindLink.has(error.code)) return 'symlink';
    throw error;
  }
}
