import type { BigIntStats } from 'node:fs';
import { errnoOf } from '../system/disk-error.ts';
import type { Answer } from './disk-calls.ts';
import { type DiskCalls, type DiskFile, waitingDisk } from './disk-calls.ts';
import { refuseUnlessFile } from './regular-file.ts';

const permissionBits = 0o777;
const newFileMode = 0o666;

/** What a disk without modes or owners answers, and what any answers to who may not set them. */
const refusals = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/**
 * Writes a new file that is to take the place of `target`, and gives it what the target has:
 * mode, owner and group, on macOS the time of creation. At no time may more people read it than
 * the target. A target that may not be written is not replaced either, although the system would
 * allow it. On failure no new file is left. Fails with the system's errors.
 */
export async function stageFile(
  { path, target, temporary }: { path: string; target: string; temporary: string },
  bytes: Uint8Array,
  platform: NodeJS.Platform,
  calls: DiskCalls = waitingDisk,
): Promise<void> {
  const model = await modelOf(calls, target);
  if (model !== undefined) {
    refuseUnlessFile(path, model);
    await calls.checkWritable(target);
  }
  const file = await createAnew(calls, temporary, modeOf(model));
  try {
    try {
      await file.write(bytes);
      if (model !== undefined) await resemble(file, model, platform);
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeIfThere(calls, temporary);
    throw error;
  }
}

async function modelOf(calls: DiskCalls, target: string): Promise<BigIntStats | undefined> {
  try {
    return await calls.stat(target);
  } catch (error) {
    // A symlink that leads nowhere, or round and round, is no model.
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

function modeOf(model: BigIntStats | undefined): number {
  return model === undefined ? newFileMode : Number(model.mode) & permissionBits;
}

/** Creates a file; one of that name is left from an attempt that failed, and is removed. */
async function createAnew(calls: DiskCalls, path: string, mode: number): Promise<DiskFile> {
  try {
    return await calls.open(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await calls.unlink(path);
    return calls.open(path, 'wx', mode);
  }
}

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
    // A time of change before the time of creation takes the latter along.
    await unlessRefused(() => file.utimes(model.birthtime, model.birthtime));
    await unlessRefused(() => file.utimes(new Date(), new Date()));
  }
}

async function unlessRefused(call: () => Answer<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error;
  }
}

/** What failed before is what the caller has to know. */
async function removeIfThere(calls: DiskCalls, path: string): Promise<void> {
  try {
    await calls.unlink(path);
  } catch {
    // It is swept up later.
  }
}
