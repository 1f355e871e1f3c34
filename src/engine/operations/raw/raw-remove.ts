import { VaultError, type VaultErrorCode } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { RawDisk, RawKind } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { seenFiles } from './seen-files.ts';

/**
 * Removes a file for good, history aside. Of a symlink only the link goes, wherever it leads, unless
 * that is a folder of the vault. Fails with `not_found`, `is_a_folder`.
 */
export async function rawRemove(
  draft: Draft,
  { path }: { readonly path: VaultFolder },
): Promise<object> {
  const files = seenFiles(draft.vault);
  if (path === '' || (await kindBehind(files, path)) === 'folder') {
    throw rawError('is_a_folder', path, 'is a folder; remove it as one');
  }
  await draft.raw.remove(await files.canonical(path));
  return {};
}

/**
 * Removes a folder, with `recursive` all that is in it; of a symlink to one only the link. Never the
 * root: `invalid_input`. Fails with `not_found`, `not_a_folder`, and `already_exists` when something
 * is in it.
 */
export async function rawRemoveFolder(
  draft: Draft,
  { path, recursive }: { readonly path: VaultFolder; readonly recursive: boolean },
): Promise<object> {
  if (path === '') throw rawError('invalid_input', path, 'is the vault itself, which stays');
  const files = seenFiles(draft.vault);
  const at = await files.canonical(path);
  await files.stat(at); // A symlink out of the vault is refused whether or not it leads to something.
  await draft.raw.removeFolder(at, { recursive });
  return {};
}

/** Failures of what is behind a symlink, not of the symlink: `canonical` says if it is the path. */
const behindLink = new Set<VaultErrorCode>(['outside_vault', 'not_a_folder', 'forbidden']);

/** What something is, or leads to; a symlink to what cannot be told is nothing but a symlink. */
async function kindBehind(files: RawDisk, path: VaultPath): Promise<RawKind | undefined> {
  try {
    return (await files.stat(path))?.kind;
  } catch (error) {
    if (error instanceof VaultError && behindLink.has(error.code)) return 'symlink';
    throw error;
  }
}
