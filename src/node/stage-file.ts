import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { errnoOf } from './disk-error.ts';
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
): Promise<void> {
  const model = await modelOf(target);
  if (model !== undefined) {
    refuseUnlessFile(path, model);
    await access(target, constants.W_OK);
  }
  const file = await createAnew(temporary, modeOf(model));
  try {
    try {
      await file.writeFile(bytes);
      if (model !== undefined) await resemble(file, model, platform);
    } finally {
      await file.close();
    }
  } catch (error) {
    await unlink(temporary).catch(() => {}); // What failed first is what the caller has to know.
    throw error;
  }
}

async function modelOf(target: string): Promise<Stats | undefined> {
  try {
    return await stat(target);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function modeOf(model: Stats | undefined): number {
  return model === undefined ? newFileMode : model.mode & permissionBits;
}

/** Creates a file; one of that name is left from an attempt that failed, and is removed. */
async function createAnew(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await unlink(path);
    return open(path, 'wx', mode);
  }
}

async function resemble(file: FileHandle, model: Stats, platform: NodeJS.Platform): Promise<void> {
  const made = await file.stat();
  if (made.uid !== model.uid || made.gid !== model.gid) {
    await unlessRefused(() => file.chown(model.uid, model.gid));
  }
  if ((made.mode & permissionBits) !== modeOf(model)) {
    await unlessRefused(() => file.chmod(modeOf(model)));
  }
  if (platform === 'darwin') {
    // A time of change before the time of creation takes the latter along.
    await unlessRefused(() => file.utimes(model.birthtime, model.birthtime));
    await unlessRefused(() => file.utimes(new Date(), new Date()));
  }
}

async function unlessRefused(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error;
  }
}
