import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { hasMountsInside } from '../place/drive-kind.ts';
import { errnoOf } from '../system/disk-error.ts';
import type { Gate } from './gate.ts';

/**
 * Fails with `unavailable` unless everything in the vault at `root` can be renamed into the gate and out
 * of it: both are on one file system, nothing is mounted inside the vault, and no symlink in it leads to
 * another device. Looks at every folder of the vault.
 */
export async function checkGatePlace(gate: Gate, root: string): Promise<void> {
  if (hasMountsInside(root)) throw refused('something is mounted inside it');
  await probe(gate, root);
  const { dev } = await lstat(root);
  const toList = [root];
  for (let folder = toList.pop(); folder !== undefined; folder = toList.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneIfGone)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const found = await lstat(path).catch(noneIfGone);
        if ('dev' in found && found.dev !== dev) throw refused('something is mounted inside it');
        toList.push(path);
      } else if (entry.isSymbolicLink()) {
        const behind = await stat(path).catch(() => undefined); // It may lead nowhere.
        if (behind !== undefined && behind.dev !== dev) {
          throw refused('a symlink in it leads to another disk');
        }
      }
    }
  }
}

/** Renames a file from the gate into the vault and back: two mounts of one device refuse that. */
async function probe(gate: Gate, root: string): Promise<void> {
  const token = randomBytes(8).toString('hex');
  const [inside, outside] = [join(gate.folder, `probe-${token}`), join(root, `.~vd-${token}.tmp`)];
  await (await open(inside, 'wx')).close();
  try {
    await rename(inside, outside);
    await rename(outside, inside);
  } catch (error) {
    await unlink(outside).catch(() => undefined);
    if (errnoOf(error) !== 'EXDEV') throw error;
    throw refused('it is not on the same file system as the folder ".vaultdoor" of the vaults');
  } finally {
    await unlink(inside).catch(() => undefined);
  }
}

/** For what an editor has removed since its name was read. */
function noneIfGone(error: unknown): [] {
  if (errnoOf(error) !== 'ENOENT') throw error;
  return [];
}

function refused(reason: string): VaultError {
  return new VaultError(
    'unavailable',
    `This vault cannot be written to by several machines, because ${reason}.`,
  );
}
