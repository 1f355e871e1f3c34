import { VaultError } from '../../base/vault-error.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';

/**
 * What the disk said about a path, in the words of the raw disk: unlike elsewhere, a path through a
 * file is told from one that does not exist. The vault's own folder is "/".
 */
export function rawDiskError(path: string, error: unknown): VaultError {
  const shown = path === '' ? '/' : path;
  const errno = errnoOf(error);
  const details = { path: shown, errno };
  if (errno === 'ENOTDIR') {
    const message = `"${shown}" is not a folder, or leads through something that is not.`;
    return new VaultError('not_a_folder', message, { cause: error, details });
  }
  return diskError(shown, error, errno === 'ENAMETOOLONG' ? 'write' : 'read');
}

/** The refusal of a path that leads elsewhere. Says the vault's name for it, not where it leads. */
export function leavesVault(path: string): VaultError {
  return new VaultError(
    'outside_vault',
    `"${path}" leads out of the vault through a symlink; use a path that stays inside.`,
    { details: { path } },
  );
}
