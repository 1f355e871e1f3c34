import type { BigIntStats } from 'node:fs';
import { errnoOf } from '../system/disk-error.ts';
import type { MaybePromise } from './disk-calls.ts';
import { asyncDisk, type DiskCalls, type DiskFile } from './disk-calls.ts';
import { refuseUnlessFile } from './regular-file.ts';

const permissionBits = 0o777;
const newFileMode = 0o666;

/** Errors of a disk without modes or owners, and for a user who may not set them. */
const refusals = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/**
 * Writes the temporary file that will replace `target`, and gives it the target's mode, owner and
 * group, and on macOS its time of creation. At no time can more users read it than the target. Fails
 * when the target itself is not writable, although the system would allow replacing it. With `sync`,
 * it is on the disk when this returns. With `keep` it is returned and stays open. On failure no
 * temporary file is left. Fails with the system's errors.
 */
export async function stageFile(
  { path, target, temporary }: { path: string; target: string; temporary: string },
  bytes: Uint8Array,
  {
    platform,
    calls = asyncDisk,
    sync = false,
    keep = false,
  }: {
    readonly platform: NodeJS.Platform;
    readonly calls?: DiskCalls;
    readonly sync?: boolean;
    readonly keep?: boolean;
  },
): Promise<DiskFile | undefined> {
  const model = await modelOf(calls, target);
  if (model !== undefined) {
    refuseUnlessFile(path, model);
    await calls.checkWritable(target);
  }
  const file = await createAnew(calls, temporary, modeOf(model));
  let isKept = false;
  try {
    try {
      await file.write(bytes);
      if (model !== undefined) await resemble(file, model, platform);
      if (sync) await file.sync();
      isKept = keep;
    } finally {
      if (!isKept) await file.close();
    }
    return isKept ? file : undefined;
  } catch (error) {
    await removeIfThere(calls, temporary);
    throw error;
  }
}

/** The stat of the file that is to be replaced; undefined when there is none. */
async function modelOf(calls: DiskCalls, target: string): Promise<BigIntStats | undefined> {
  try {
    return await calls.stat(target);
  } catch (error) {
    // A symlink that leads nowhere, or in a circle, has nothing to copy from.
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

function modeOf(model: BigIntStats | undefined): number {
  return model === undefined ? newFileMode : Number(model.mode) & permissionBits;
}

/** Creates a file. An existing file of that name is left over from a failed attempt, and is removed. */
async function createAnew(calls: DiskCalls, path: string, mode: number): Promise<DiskFile> {
  try {
    return await calls.open(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await calls.unlink(path);
    return calls.open(path, 'wx', mode);
  }
}

/** Gives the new file the owner, group and mode of the old one, and on macOS its time of creation. */
async function resemble(
  file: DiskFile,
  model: BigIntStats,
  platform: NodeJS.Platform,
): Promise<void> {
  const made = await file.stat();
  if (made.uid !== model.uid || made.gid !== model.gid) {
    await unlessRefused(() => file.chown(Number(model.uid), Number(model.gid)));
  }
  if (modeOf(made) !== modeOf(model)) {
    await unlessRefused(() => file.chmod(modeOf(model)));
  }
  if (platform === 'darwin') {
    // Setting an mtime that is earlier than the time of creation moves the latter back as well.
    await unlessRefused(() => file.utimes(model.birthtime, model.birthtime));
    await unlessRefused(() => file.utimes(new Date(), new Date()));
  }
}

async function unlessRefused(call: () => MaybePromise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error;
  }
}

async function removeIfThere(calls: DiskCalls, path: string): Promise<void> {
  try {
    await calls.unlink(path);
  } catch {
    // The caller needs to see the error from before; recovery removes the file later.
  }
}
