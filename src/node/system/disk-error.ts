import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';

/** For each error of the system, the code and the end of the message. */
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
  ENOTDIR: {
    code: 'not_found',
    says: 'does not exist: a part of its path is a file, not a folder',
  },
  ENAMETOOLONG: { code: 'invalid_input', says: 'is too long for the disk; choose a shorter name' },
  EEXIST: { code: 'already_exists', says: 'exists already' },
  ENOTEMPTY: { code: 'already_exists', says: 'exists already: it is a folder with files in it' },
  ENOSPC: { code: 'io_failed', says: full },
  EDQUOT: { code: 'io_failed', says: full },
  EBUSY: {
    code: 'io_failed',
    says: 'could not be written: another program has it open; close it there and try again (EBUSY)',
  },
  EXDEV: {
    code: 'io_failed',
    says: 'cannot be moved to another disk; copy it, then delete the original',
  },
};

/**
 * Turns an error of the disk into a `VaultError` about a vault path, with the system's error name in
 * `details.errno`. Leaves out Node's own message: it has the path on this machine, which callers
 * must not learn.
 */
export function diskError(
  path: string,
  error: unknown,
  action: 'read' | 'write' = 'read',
): VaultError {
  if (error instanceof VaultError) return error;
  const errno = errnoOf(error);
  const words = action === 'read' ? reading : writing;
  const { code, says } = words[errno ?? ''] ?? {
    code: 'io_failed' as const,
    says: `could not be ${action === 'read' ? 'read' : 'written'}: the disk failed${errno === undefined ? '' : ` (${errno})`}`,
  };
  const details = { path, ...(errno === undefined ? {} : { errno }) };
  const what = path === '' ? "The vault's folder" : `"${path}"`;
  return new VaultError(code, `${what} ${says}.`, { cause: error, details });
}

/** The number of ESTALE on Linux: a network drive has removed what was open. */
const linuxStale = -116;

/**
 * The system's name of an error, such as `ENOENT`; undefined for errors that the system did not throw.
 */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  // Node 20 has no name for it: its code is "Unknown system error -116".
  if ('errno' in error && error.errno === linuxStale && process.platform === 'linux')
    return 'ESTALE';
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The errors of any call to a drive that is no longer connected. */
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
/**
 * The last three may also be about a single file: a bad sector, or a file replaced by another machine.
 */
const driveFaults = new Set([...cutOff, 'EIO', 'EREMOTEIO', 'ESTALE']);

/** Whether the drive itself failed; a network or FUSE drive may then be gone. */
export function isDriveFault(error: unknown): boolean {
  return driveFaults.has(errnoOf(error) ?? '');
}

/** Whether a `VaultError` of `diskError` says that the drive is no longer connected. */
export function isCutOff(error: unknown): boolean {
  return error instanceof VaultError && cutOff.some((errno) => error.details['errno'] === errno);
}

/** An error as the system would throw it, for a failure that we find out before asking the system. */
export function systemError(errno: string): Error {
  return Object.assign(new Error(errno), { code: errno });
}

/** Runs a call that writes, and turns what the system throws into a `VaultError` about this path. */
export async function whileWriting<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw diskError(path, error, 'write');
  }
}

/** The failure of a write to a file that is no longer as it was seen. */
export function changedByOthers(path: string): VaultError {
  return new VaultError('conflict', `"${path}" was changed by another program.`, {
    details: { path },
  });
}
