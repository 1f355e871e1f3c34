import { setTimeout } from 'node:timers/promises';
import { fileNameOf, folderOf, joinPath, stemOf, type VaultPath } from '../../base/vault-path.ts';
import type { DiskCalls } from '../disk/disk-calls.ts';
import { holdEntry } from '../disk/hold-path.ts';
import { isSameFile } from '../disk/opened-paths.ts';
import { using } from '../disk/path-handle.ts';
import { withoutLinks } from '../disk/rename-entry.ts';
import type { DiskRoots } from '../disk/vault-roots.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { gateGone } from './gate.ts';

/**
 * A mount may for a while still show a file under the name that it had before it was taken. So often, and
 * so long, this waits until it does not.
 */
const staleTries = 4;
const stalePauseMs = 1_100;

/**
 * Puts what is in the gate at a path where nothing is. A file gets its new name (a hard link) before it
 * loses the old one. The new name is never removed again: when something fails after that, the next owner
 * may have written to the file already. Fails with EEXIST when something else is there.
 */
export async function intoFreePlace(
  { calls }: DiskRoots,
  taken: string,
  target: string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const found = await calls.lstat(taken);
    if (found.isFile() && (await isLinked(calls, taken, target))) break;
    const there = await calls.lstatIfThere(target);
    if (there === undefined) return calls.rename(taken, target);
    if (!isSameFile(there, found)) throw systemError('EEXIST');
    // A crash, or a new owner, came between the two names.
    if (found.nlink > 1n) break;
    if (tries === staleTries) throw systemError('ESTALE');
    await setTimeout(stalePauseMs);
  }
  try {
    await calls.unlink(taken);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw gateGone(error);
    // Otherwise a second name stays in the gate, which does no harm.
  }
}

/** Gives a file a second name; answers false when something is there, or it cannot have two. */
async function isLinked(calls: DiskCalls, taken: string, target: string): Promise<boolean> {
  try {
    await calls.link(taken, target);
    return true;
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (errno !== 'EEXIST' && !withoutLinks.has(errno)) throw error;
    return false;
  }
}

/**
 * Puts what was taken from a path back there. If something else has come to that path, or its folder is
 * gone, it gets the name of a conflicted copy, in the root of the vault if need be.
 */
export async function putBack(
  roots: DiskRoots,
  {
    path,
    taken,
    token,
  }: { readonly path: VaultPath; readonly taken: string; readonly token: string },
): Promise<void> {
  const copy = copyName(fileNameOf(path), token);
  for (const to of [path, joinPath(folderOf(path), copy), joinPath('', copy)]) {
    if ((await roots.calls.lstatIfThere(taken)) === undefined) throw gateGone(undefined);
    try {
      return await using(holdEntry(roots, to), (entry) => intoFreePlace(roots, taken, entry.path));
    } catch (error) {
      if (!['EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error;
    }
  }
  throw systemError('EEXIST');
}

/**
 * Whether what is in the gate is also at the path from which it was taken. Only a file with two names can
 * be; of others a mount may for a while show the old name.
 */
export async function isBack(roots: DiskRoots, path: VaultPath, taken: string): Promise<boolean> {
  const found = await roots.calls.lstatIfThere(taken);
  if (found === undefined || !found.isFile() || found.nlink < 2n) return false;
  const there = await using(holdEntry(roots, path), (entry) =>
    roots.calls.lstatIfThere(entry.path),
  ).catch(() => undefined); // Its folder may be gone.
  return there !== undefined && isSameFile(there, found);
}

/** The name of a file that could not be put back under its own; see `conflictOf`. */
function copyName(name: string, token: string): string {
  const stem = stemOf(name);
  const day = new Date().toISOString().slice(0, 10);
  return `${stem} (conflicted copy ${day} ${token})${name.slice(stem.length)}`;
}
