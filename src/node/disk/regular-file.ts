import { constants, type StatsBase } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import { leadsOutside } from './vault-roots.ts';

/**
 * The flags for opening a file to read it: not through a symlink that appeared after its path was
 * checked, and without blocking if it has become a pipe. Windows has neither flag.
 */
export const openFlags =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether opening a symlink with `openFlags` fails; false on Windows, which follows it. */
export const refusesSymlinks = constants.O_NOFOLLOW !== undefined;

/** A file that changes while it is read is read again, at most this many times in all. */
export const readsMax = 5;

/**
 * Fails unless the stat is that of a regular file: opening a pipe or a device could block for ever or
 * have effects. A symlink here appeared after the path was resolved, so where it leads was
 * never checked: it is refused as if it led outside.
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
  const message = `"${path}" is neither a file nor a folder, so it cannot be opened.`;
  throw new VaultError('forbidden', message, { details });
}

/** The error for a file that was changed during each of `readsMax` reads. */
export function keepsChanging(path: string): VaultError {
  return new VaultError('io_failed', `"${path}" changes while it is read; try again.`, {
    details: { path },
  });
}

/** The error for a file with more bytes than may be read. */
export function tooLarge(
  path: string,
  { size, bytesMax }: { readonly size: number; readonly bytesMax: number },
): VaultError {
  return new VaultError('too_large', `"${path}" has ${size} bytes; at most ${bytesMax} are read.`, {
    details: { path, size, bytesMax },
  });
}
