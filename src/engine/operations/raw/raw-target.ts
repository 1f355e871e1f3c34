import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { RawDisk } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';

/**
 * Where a file is to be put: the name itself, in the folder where it really is. Fails with
 * `already_exists` where a folder is, be it behind a symlink, and with `outside_vault` where a
 * symlink leads out: whoever writes there means something else than to replace the link.
 */
export async function rawTarget(files: RawDisk, path: VaultFolder): Promise<VaultPath> {
  if (path !== '') {
    const at = await files.canonical(path);
    if ((await files.stat(at))?.kind !== 'folder') return at;
  }
  throw rawError('already_exists', path, 'is a folder; choose another name');
}

/** Fails unless the folder is there that a new name needs: `not_found`, `not_a_folder`. */
export async function checkParent(files: RawDisk, folder: VaultFolder): Promise<void> {
  const kind = (await files.stat(folder))?.kind;
  if (kind === 'folder') return;
  if (kind === undefined) throw rawError('not_found', folder, 'does not exist; make it first');
  throw rawError('not_a_folder', folder, 'is a file, not a folder');
}
