import { toVaultError, VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { isHidden } from '../../base/vault-path.ts';
import type { AttachFolder, Disk } from '../../engine/ports/ports.ts';
import { openNodeDisk } from './node-disk.ts';

/**
 * The folder from which clients may add attachments. Its files are read as those of a vault are
 * (`openNodeDisk`): through a handle on what was checked to be inside, so that no symlink leads out,
 * regular files only, no file whose path has a name that begins with a dot. The folder need not be
 * there yet.
 */
export function openAttachFolder(folder: string): AttachFolder {
  let disk: Disk | undefined;
  return {
    async read(path, { bytesMax }) {
      if (isHidden(path)) throw new VaultError('forbidden', refusals.forbidden);
      try {
        disk ??= openNodeDisk(folder);
        return (await disk.read(path, { bytesMax })).bytes;
      } catch (error) {
        throw refusal(toVaultError(error));
      }
    },
  };
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
