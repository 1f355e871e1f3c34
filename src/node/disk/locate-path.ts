import { join } from 'node:path';
import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { waitingDisk } from './disk-calls.ts';
import { admits, isAnotherFolder, leadsOutside, type VaultRoots } from './vault-roots.ts';

/** Where a vault path really is; refused when that is outside. Fails with the system's errors. */
export async function locate(roots: VaultRoots, path: VaultPath): Promise<string> {
  const { calls = waitingDisk } = roots;
  const real = await calls.realpath(`${roots.root}/${path}`);
  if (!admits(roots, path, real)) throw leadsOutside(path);
  // Only where a symlink is on the way, which is rare, its folder is looked at as well.
  const folder = folderOf(path);
  if (folder !== '' && isAnotherFolder(roots, path, real)) {
    if (isAnotherFolder(roots, folder, await calls.realpath(`${roots.root}/${folder}`))) {
      throw leadsOutside(path);
    }
  }
  return real;
}

/** Where a folder really is. A symlink to another folder of the vault is refused as well. */
export async function locateFolder(roots: VaultRoots, folder: VaultFolder): Promise<string> {
  if (folder === '') return roots.root;
  const real = await locate(roots, folder);
  if (isAnotherFolder(roots, folder, real)) throw leadsOutside(folder);
  return real;
}

/** Where the name itself is, in the real folder that holds it: a symlink is not followed. */
export async function locateEntry(roots: VaultRoots, path: VaultPath): Promise<string> {
  return join(await locateFolder(roots, folderOf(path)), fileNameOf(path));
}

/**
 * Where the bytes of a file belong that exists or is to be made: behind a symlink, if it is one.
 * A symlink that leads nowhere is refused, since what it would make there nobody can tell.
 */
export async function locateTarget(roots: VaultRoots, path: VaultPath): Promise<string> {
  if (roots.calls?.isNothing?.(`${roots.root}/${path}`)) return locateEntry(roots, path);
  try {
    return await locate(roots, path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    const entry = await locateEntry(roots, path);
    const { calls = waitingDisk } = roots;
    if ((await calls.lstatIfThere(entry)) !== undefined) throw systemError('ELOOP');
    return entry;
  }
}
