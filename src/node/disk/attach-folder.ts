import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { toVaultError, VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { isHidden } from '../../base/vault-path.ts';
import type { AttachFolder, Disk } from '../../engine/ports/ports.ts';
import { openNodeDisk } from './node-disk.ts';

/**
 * The folder from which clients may add attachments. Its files are read as those of a vault are
 * (`openNodeDisk`): through a handle on what was checked to be inside, so that no symlink leads out,
 * regular files only, no file whose path has a name that begins with a dot. The folder need not be
 * there yet. No file of a vault is read in this way, neither of the one at `root` nor of another: what
 * is hidden there would not be.
 */
export function openAttachFolder(folder: string, root: string): AttachFolder {
  let disk: Disk | undefined;
  return {
    async read(path, { bytesMax }) {
      if (isHidden(path)) throw new VaultError('forbidden', refusals.forbidden);
      try {
        disk ??= openNodeDisk(folder);
        if (isInVault(folder, path, root)) throw new VaultError('forbidden', ofVault);
        return (await disk.read(path, { bytesMax })).bytes;
      } catch (error) {
        if (error instanceof VaultError && error.message === ofVault) throw error;
        throw refusal(toVaultError(error));
      }
    },
  };
}

const ofVault =
  'The folder for attachments lies in a vault, or this file does; the owner has to name another folder with --attach-from.';

/** Whether a file lies in the vault at `root`, or in any folder that is a vault of Obsidian. */
function isInVault(folder: string, path: string, root: string): boolean {
  let real: string;
  try {
    real = realpathSync.native(join(folder, ...path.split('/')));
  } catch {
    return false; // It cannot be read, either.
  }
  const within = relative(realpathSync.native(root), real);
  if (within !== '..' && !within.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(within)) return true;
  for (let above = dirname(real); ; above = dirname(above)) {
    if (existsSync(join(above, '.obsidian'))) return true;
    if (dirname(above) === above) return false;
  }
}

const refusals = {
  not_found: 'There is no such file in the folder that attachments may be added from.',
  is_a_folder: 'This is a folder; name one of the files in it.',
  forbidden: 'This file of the folder for attachments may not be read.',
  outside_vault: 'This leads out of the folder that attachments may be added from.',
  vault_not_found: 'The folder that attachments may be added from is not there now.',
} as const satisfies Partial<Record<VaultErrorCode, string>>;

/** The failure in words about that folder: it is not the vault, and its path is not told. */
function refusal(failure: VaultError): VaultError {
  const { code } = failure;
  if (!(code in refusals)) return failure;
  const message = refusals[code as keyof typeof refusals];
  return new VaultError(code === 'vault_not_found' ? 'unavailable' : code, message, {
    cause: failure,
  });
}
