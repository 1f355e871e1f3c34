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
import { checkSeen } from '../vault/check-seen.ts';
import type { Draft } from '../vault/draft.ts';
import { checkNewPath } from './check-new-path.ts';

/**
 * Returns the path under which something new is made: folders that exist keep their spelling, and
 * new names are checked with `checkNewPath`. A file that moves (`from`) may keep its name, whatever
 * it is. Fails as `checkNewPath` does, and with `forbidden` for a path that the caller may not see.
 */
export async function newPath(
  draft: Draft,
  asked: string,
  options: { readonly from?: VaultPath } = {},
): Promise<VaultPath> {
  if (!isVaultPath(asked)) checkNewPath(asked);
  const path = await draft.spell(vaultPath(asked));
  // Checked first: a caller must not learn whether something that it may not see exists.
  if (!isHidden(path)) checkSeen(draft.vault, path);
  const { from } = options;
  const existing = await existingFolder(draft, path);
  // A name that stays may be one that is not allowed for new files; new folders must be allowed.
  const keepsName = from !== undefined && fileNameOf(from) === fileNameOf(path);
  if (!keepsName || !isFine(folderOf(path), existing)) checkNewPath(path, { existing });
  return path;
}

/** Whether every name of a folder's path that is new is allowed. */
function isFine(folder: VaultFolder, existing: VaultFolder): boolean {
  if (folder === existing) return true;
  try {
    checkNewPath(folder, { existing });
    return true;
  } catch {
    return false;
  }
}

/** Fails with `already_exists` when a path is taken, or would be on systems that ignore case. */
export async function checkFree(draft: Draft, path: VaultPath, except?: VaultPath): Promise<void> {
  const there = await taken(draft, path, except);
  if (there === undefined) return;
  throw new VaultError('already_exists', `There is already "${there}"; choose another name.`, {
    details: draft.vault.sees(there) ? { path: there } : {},
  });
}

/**
 * Returns what is already at a path, without regard to case and Unicode form; undefined when it is
 * free.
 */
export async function taken(
  draft: Draft,
  path: VaultPath,
  except?: VaultPath,
): Promise<VaultPath | undefined> {
  const twin = await draft.twin(path, except);
  if (twin !== undefined) return twin;
  // On a disk that ignores case, the same path in another case is the file itself.
  if (except !== undefined && pathKey(path) === pathKey(except)) return undefined;
  return (await draft.kind(path)) === undefined ? undefined : path;
}

/** Returns the deepest folder of a path that exists. */
async function existingFolder(draft: Draft, path: VaultPath): Promise<VaultFolder> {
  let folder = folderOf(path);
  while (folder !== '' && (await draft.kind(folder)) !== 'folder') folder = folderOf(folder);
  return folder;
}

/**
 * Returns the path for a new note: a bare name goes into the folder that the vault's settings
 * choose for new notes, `/name` into the root, and any other name with `/` is a path. A setting that
 * cannot be a folder is ignored.
 */
export async function newNotePath(vault: BoundVault, name: string): Promise<string> {
  if (/^\/[^/]+$/.test(name)) return name.slice(1);
  if (name.includes('/')) return name;
  const { newFileLocation, newFileFolderPath } = await vault.vault.settings();
  const asked = newFileFolderPath.replace(/^\/+/, '');
  if (newFileLocation !== 'folder' || !isVaultPath(asked)) return name;
  return `${vaultFolder(asked)}/${name}`;
}
