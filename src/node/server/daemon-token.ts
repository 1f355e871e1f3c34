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
 * Writes a token to the file where clients look for it, at once and for its owner alone, without a
 * line end. The answer removes it again, unless it is another daemon's by then. Fails with the
 * system's errors.
 */
export async function publishToken(path: string, token: string): Promise<() => Promise<void>> {
  const temporary = join(dirname(path), `.token-${randomBytes(6).toString('hex')}`);
  await replacePrivateFile(path, token, temporary);
  return async () => {
    const now = await readFile(path, 'utf8').catch(() => undefined);
    if (now === token) await rm(path, { force: true });
  };
}
