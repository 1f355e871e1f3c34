import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';

type Words = Readonly<Record<string, { code: VaultErrorCode; says: string }>>;

const reading: Words = {
  EACCES: { code: 'forbidden', says: 'may not be read: check its permissions' },
  EPERM: { code: 'forbidden', says: 'may not be read: check its permissions' },
  ENOENT: { code: 'not_found', says: 'does not exist' },
  ENOTDIR: { code: 'not_found', says: 'does not exist' },
  // A loop of symlinks leads nowhere, like a dangling one.
  ELOOP: { code: 'not_found', says: 'is a symlink that leads nowhere' },
  ENAMETOOLONG: { code: 'not_found', says: 'does not exist: the name is too long for the disk' },
  EISDIR: { code: 'is_a_folder', says: 'is a folder' },
};

const denied = 'may not be written: check its permissions and those of its folder';
const full = 'could not be written: the disk is full; make room and try again';

const writing: Words = {
  ...reading,
  EACCES: { code: 'forbidden', says: denied },
  EPERM: { code: 'forbidden', says: denied },
  EROFS: { code: 'forbidden', says: 'may not be written: the disk is read-only' },
  ENOENT: { code: 'not_found', says: 'does not exist, or its folder does not' },
  ENOTDIR: { code: 'not_found', says: 'does not exist: a name in its path is that of a file' },
  ENAMETOOLONG: { code: 'invalid_input', says: 'is too long for the disk; choose a shorter name' },
  EEXIST: { code: 'already_exists', says: 'exists already' },
  ENOTEMPTY: { code: 'already_exists', says: 'exists already: it is a folder with files in it' },
  ENOSPC: { code: 'io_failed', says: full },
  EDQUOT: { code: 'io_failed', says: full },
  EBUSY: {
    code: 'io_failed',
    says: 'could not be written: another program holds it; close it there and try again (EBUSY)',
  },
  EXDEV: { code: 'io_failed', says: 'cannot be moved to another disk at once; copy it by hand' },
};

/**
 * What the disk said, as a `VaultError` about a vault path; `details.errno` is the system's name
 * for it. Node's own message is left out: it has the path on this machine, which callers must
 * not learn.
 */
export function diskError(
  path: string,
  error: unknown,
  doing: 'read' | 'write' = 'read',
): VaultError {
  if (error instanceof VaultError) return error;
  const errno = errnoOf(error);
  const words = doing === 'read' ? reading : writing;
  const { code, says } = words[errno ?? ''] ?? {
    code: 'io_failed' as const,
    says: `could not be ${doing === 'read' ? 'read' : 'written'}: the disk failed${errno === undefined ? '' : ` (${errno})`}`,
  };
  const details = { path, ...(errno === undefined ? {} : { errno }) };
  const what = path === '' ? "The vault's folder" : `"${path}"`;
  return new VaultError(code, `${what} ${says}.`, { cause: error, details });
}

/** The system's name of an error (`ENOENT`); undefined for anything else that is thrown. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What systems answer for a drive that is not connected any more, whatever was asked of it. */
const cutOff = [
  'ENOTCONN',
  'ENODEV',
  'ENXIO',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ECONNRESET',
  'ESHUTDOWN',
];
/** These may also be said of one file: a bad sector, or one that another machine has replaced. */
const driveFaults = new Set([...cutOff, 'EIO', 'EREMOTEIO', 'ESTALE']);

/** Whether the drive failed, not the file: on a network or FUSE drive it may be away. */
export function isDriveFault(error: unknown): boolean {
  return driveFaults.has(errnoOf(error) ?? '');
}

/** Whether a failure of the disk says that the drive is cut off. */
export function isCutOff(error: unknown): boolean {
  return error instanceof VaultError && cutOff.some((errno) => error.details['errno'] === errno);
}

/** An error as the system throws it, for what we find out before asking the system. */
export function systemError(errno: string): Error {
  return Object.assign(new Error(errno), { code: errno });
}
