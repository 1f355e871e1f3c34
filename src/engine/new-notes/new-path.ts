import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  isHidden,
  isVaultPath,
  pathKey,
  vaultFolder,
  vaultPath,
} from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import { outOfSight } from '../vault/not-found.ts';
import { checkNewPath } from './check-new-path.ts';

/**
 * The path under which something new is made: spelled like the folders that are there, with names
 * that every platform can hold. Fails with `invalid_input` and a ready replacement. What `from`
 * was called already may stay, whatever it is.
 */
export async function newPath(
  draft: Draft,
  asked: string,
  options: { readonly from?: VaultPath } = {},
): Promise<VaultPath> {
  if (!isVaultPath(asked)) checkNewPath(asked);
  const path = await draft.spell(vaultPath(asked));
  // Before anything is looked at: what the caller may not see must not be told from what is not there.
  if (!isHidden(path) && !draft.vault.sees(path)) throw outOfSight();
  const { from } = options;
  const existing = await existingFolder(draft, path);
  const keepsName = from !== undefined && fileNameOf(from) === fileNameOf(path);
  if (!keepsName || !isFine(folderOf(path), existing)) checkNewPath(path, { existing });
  return path;
}

function isFine(folder: VaultFolder, existing: VaultFolder): boolean {
  if (folder === existing) return true;
  try {
    checkNewPath(folder, { existing });
    return true;
  } catch {
    return false;
  }
}

/** Fails with `already_exists` when something is at a path, or would be on most platforms. */
export async function checkFree(draft: Draft, path: VaultPath, except?: VaultPath): Promise<void> {
  const there = await taken(draft, path, except);
  if (there === undefined) return;
  throw new VaultError('already_exists', `There is already "${there}"; choose another name.`, {
    details: draft.vault.sees(there) ? { path: there } : {},
  });
}

/** What is at a path already, but for case and Unicode form; undefined when it is free. */
export async function taken(
  draft: Draft,
  path: VaultPath,
  except?: VaultPath,
): Promise<VaultPath | undefined> {
  const twin = await draft.twin(path, except);
  if (twin !== undefined) return twin;
  // Another case of itself is itself where the disk does not tell them apart.
  if (except !== undefined && pathKey(path) === pathKey(except)) return undefined;
  return (await draft.kind(path)) === undefined ? undefined : path;
}

/** The deepest folder on the way to a path that is there. */
async function existingFolder(draft: Draft, path: VaultPath): Promise<VaultFolder> {
  let folder = folderOf(path);
  while (folder !== '' && (await draft.kind(folder)) !== 'folder') folder = folderOf(folder);
  return folder;
}

/**
 * Where a new note of this name belongs: a bare name goes into the folder that the vault's settings
 * choose for new notes, one with `/` is a path. What cannot be a folder counts as not set.
 */
export async function newNotePath(vault: BoundVault, name: string): Promise<string> {
  if (name.includes('/')) return name;
  const { newFileLocation, newFileFolderPath } = await vault.vault.settings();
  const asked = newFileFolderPath.replace(/^\/+/, '');
  if (newFileLocation !== 'folder' || !isVaultPath(asked)) return name;
  return `${vaultFolder(asked)}/${name}`;
}
