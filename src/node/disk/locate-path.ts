import { join } from 'node:path';
import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { asyncDisk } from './disk-calls.ts';
import { admits, isAnotherFolder, leadsOutside, type VaultRoots } from './vault-roots.ts';

/**
 * The real path of a vault path. Fails with `outside_vault` when that is outside the vault, else with
 * the system's errors.
 */
export async function locate(roots: VaultRoots, path: VaultPath): Promise<string> {
  const { calls = asyncDisk } = roots;
  const real = await calls.realpath(`${roots.root}/${path}`);
  if (!admits(roots, path, real)) throw leadsOutside(path);
  // The paths differ only if there is a symlink on the way. Then the folder is checked as well.
  const folder = folderOf(path);
  if (folder !== '' && isAnotherFolder(roots, path, real)) {
    if (isAnotherFolder(roots, folder, await calls.realpath(`${roots.root}/${folder}`))) {
      throw leadsOutside(path);
    }
  }
  return real;
}

/** The real path of a folder. A symlink to another folder of the vault is refused as well. */
export async function locateFolder(roots: VaultRoots, folder: VaultFolder): Promise<string> {
  if (folder === '') return roots.root;
  const real = await locate(roots, folder);
  if (isAnotherFolder(roots, folder, real)) throw leadsOutside(folder);
  return real;
}

/** The real path of the entry itself: if it is a symlink, it is not followed. */
export async function locateEntry(roots: VaultRoots, path: VaultPath): Promise<string> {
  return join(await locateFolder(roots, folderOf(path)), fileNameOf(path));
}

/**
 * The real path to which a file is written that exists or is to be created; a symlink is followed.
 * A symlink that leads nowhere fails with ELOOP: writing would create a file at an unknown place.
 */
export async function locateTarget(roots: VaultRoots, path: VaultPath): Promise<string> {
  if (roots.calls?.isNothing?.(`${roots.root}/${path}`)) return locateEntry(roots, path);
  try {
    return await locate(roots, path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    const entry = await locateEntry(roots, path);
    const { calls = asyncDisk } = roots;
    if ((await calls.lstatIfThere(entry)) !== undefined) throw systemError('ELOOP');
    return entry;
  }
}
