import { constants, type StatsBase } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import { leadsOutside } from './vault-roots.ts';

/**
 * How a file is opened for reading: not through a symlink that appeared since its path was
 * checked, and without waiting should it have become a pipe. Windows has neither flag.
 */
export const openFlags =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether opening a symlink fails instead of following it. */
export const refusesSymlinks = constants.O_NOFOLLOW !== undefined;

/** A file that changes while it is read is read again, this often at most. */
export const readsMax = 5;

/**
 * Fails unless the stat is that of a regular file: opening a pipe or a device could wait for
 * ever, or do something. A symlink here is one that appeared since the path was resolved.
 */
export function refuseUnlessFile(
  path: string,
  found: Pick<StatsBase<unknown>, 'isFile' | 'isDirectory' | 'isSymbolicLink'>,
): void {
  if (found.isFile()) return;
  const details = { path };
  if (found.isDirectory())
    throw new VaultError('is_a_folder', `"${path}" is a folder.`, { details });
  if (found.isSymbolicLink()) throw leadsOutside(path);
  const message = `"${path}" is neither a file nor a folder; it is never opened.`;
  throw new VaultError('forbidden', message, { details });
}

/** A file that never held still long enough to be read. */
export function keepsChanging(path: string): VaultError {
  return new VaultError('io_failed', `"${path}" changes while it is read; try again.`, {
    details: { path },
  });
}
