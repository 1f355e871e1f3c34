import { VaultError, type VaultErrorCode } from '../base/vault-error.ts';

const kinds: Readonly<Record<string, { code: VaultErrorCode; says: string }>> = {
  EACCES: { code: 'forbidden', says: 'may not be read: check its permissions' },
  EPERM: { code: 'forbidden', says: 'may not be read: check its permissions' },
  ENOENT: { code: 'not_found', says: 'does not exist' },
  ENOTDIR: { code: 'not_found', says: 'does not exist' },
  // A loop of symlinks leads nowhere, like a dangling one.
  ELOOP: { code: 'not_found', says: 'is a symlink that leads nowhere' },
  ENAMETOOLONG: { code: 'not_found', says: 'does not exist: the name is too long for the disk' },
  EISDIR: { code: 'is_a_folder', says: 'is a folder' },
};

/**
 * What the disk said, as a `VaultError` about a vault path. Node's own message is left out: it
 * has the path on this machine, which callers must not learn.
 */
export function diskError(path: string, error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  const errno = errnoOf(error);
  const { code, says } = kinds[errno ?? ''] ?? {
    code: 'io_failed' as const,
    says: `could not be read: the disk failed${errno === undefined ? '' : ` (${errno})`}`,
  };
  return new VaultError(code, `"${path}" ${says}.`, { cause: error, details: { path } });
}

/** The system's name of an error (`ENOENT`); undefined for anything else that is thrown. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
