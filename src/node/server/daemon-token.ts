import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replacePrivateFile } from '../system/private-files.ts';

const tokenBytes = 32;

/** A new token: 64 hexadecimal digits. */
export function newDaemonToken(): string {
  return randomBytes(tokenBytes).toString('hex');
}

/**
 * Writes a token to the file in which clients look for it: atomically, readable for its owner only,
 * without a line end. Returns a function that removes the file, unless another daemon has replaced
 * it by then. Fails with the system's errors.
 */
export async function publishToken(path: string, token: string): Promise<() => Promise<void>> {
  const temporary = join(dirname(path), `.token-${randomBytes(6).toString('hex')}`);
  await replacePrivateFile(path, token, temporary);
  return async () => {
    const now = await readFile(path, 'utf8').catch(() => undefined);
    if (now === token) await rm(path, { force: true });
  };
}
