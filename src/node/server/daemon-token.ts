import { randomBytes } from 'node:crypto';
import { lstat, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { replacePrivateFile } from '../system/private-files.ts';

const tokenBytes = 32;
/** A daemon writes no line end, but an editor or `echo` may have added one. */
const tokenText = /^[0-9a-f]{64}(\r?\n)?$/;
const tokenTextBytesMax = 66;
/** The bits of a mode that give rights to others than the owner. */
const othersBits = 0o077;

/** A new token: 64 hexadecimal digits. */
export function newDaemonToken(): string {
  return randomBytes(tokenBytes).toString('hex');
}

/**
 * Makes sure that the path is free or has the token of a daemon of this user: a regular private file
 * with 64 hexadecimal digits. Fails with `already_exists` for anything else, which may be a key or a
 * note.
 */
export async function checkTokenFile(path: string): Promise<void> {
  try {
    if (await isTokenOrNothing(path)) return;
  } catch (error) {
    throw diskError(path, error);
  }
  throw new VaultError(
    'already_exists',
    `"${path}" exists and is not the token of a daemon; move it away, or choose another path (--token-file).`,
  );
}

async function isTokenOrNothing(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
  if (found === undefined) return true;
  if (!found.isFile() || found.size > tokenTextBytesMax) return false;
  // On Windows there is no owner, and the mode says nothing about other users.
  const uid = process.getuid?.();
  if (uid !== undefined && (found.uid !== uid || (found.mode & othersBits) !== 0)) return false;
  return tokenText.test(await readFile(path, 'utf8'));
}

/**
 * Writes a token to the file in which clients look for it: atomically, readable for its owner only,
 * without a line end. Returns a function that removes the file, unless it is another file by then or
 * has another text. Fails as `checkTokenFile` does, and with the system's errors.
 */
export async function publishToken(path: string, token: string): Promise<() => Promise<void>> {
  await checkTokenFile(path);
  const temporary = join(dirname(path), `.token-${randomBytes(6).toString('hex')}`);
  const written = await replacePrivateFile(path, token, temporary);
  return async () => {
    const now = await lstat(path, { bigint: true }).catch(() => undefined);
    if (now?.dev !== written.dev || now.ino !== written.ino) return;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === token) await rm(path, { force: true });
  };
}
