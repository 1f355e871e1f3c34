import { realpathSync, statSync } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import { errnoOf } from '../system/disk-error.ts';

/**
 * The real path of a vault's folder. Fails with `vault_not_found` when there is no such folder. The
 * message names the path on this machine, unlike other messages, since the user has just typed it.
 */
export function openVaultRoot(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw notFound(path, reasonOf(errnoOf(error)), error);
  }
  throw notFound(path, 'it is not a folder');
}

function reasonOf(errno: string | undefined): string {
  switch (errno) {
    case 'ENOENT':
      return 'it does not exist';
    case 'ENOTDIR':
      return 'it is not a folder';
    case 'EACCES':
    case 'EPERM':
      return 'you do not have permission to read it';
    default:
      return `the disk failed (${errno ?? 'unknown'})`;
  }
}

function notFound(path: string, reason: string, cause?: unknown): VaultError {
  return new VaultError('vault_not_found', `The vault "${path}" cannot be opened: ${reason}.`, {
    cause,
    details: { vault: path },
  });
}
