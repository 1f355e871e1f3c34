import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VaultError } from '../../../base/vault-error.ts';
import { errnoOf } from '../../system/disk-error.ts';

/**
 * The bytes of a file in a checkout; undefined when it does not exist. Fails with `conflict` when the
 * file is not a plain file, or a folder on the way to it is not a plain folder: a symlink could lead
 * out of the checkout.
 */
export async function readCheckoutFile(
  checkout: string,
  file: string,
): Promise<Uint8Array | undefined> {
  const names = file.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const path = names.slice(0, depth).join('/');
    const stat = await lstat(join(checkout, path)).catch(unlessMissing);
    if (stat === undefined) return undefined;
    const isRight = depth === names.length ? stat.isFile() : stat.isDirectory();
    if (!isRight) throw notPlain(path);
  }
  return readFile(join(checkout, file));
}

/**
 * Writes a file of a checkout atomically, and creates its folders; `undefined` removes the file. Must
 * be called after `readCheckoutFile`, which checks for symlinks.
 */
export async function writeCheckoutFile(
  checkout: string,
  file: string,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const target = join(checkout, file);
  if (bytes === undefined) return rm(target, { force: true });
  await mkdir(dirname(target), { recursive: true });
  const before = await lstat(target).catch(unlessMissing);
  const temporary = join(dirname(target), `.~vd-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    if (before !== undefined) await chmod(temporary, before.mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function unlessMissing(error: unknown): undefined {
  if (errnoOf(error) === 'ENOENT') return undefined;
  throw error;
}

function notPlain(path: string): VaultError {
  return new VaultError(
    'conflict',
    `"${path}" in the checkout is a symlink, or not a plain file or folder; nothing was written. Ask the person who runs the server to replace it.`,
    { details: { file: path } },
  );
}
