import { renameSync, statSync, unlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Disk, StagedAs, WritableDisk } from '../../engine/ports/ports.ts';
import { diskError, errnoOf, systemError } from '../system/disk-error.ts';
import { retryWhileHeld } from '../system/retry-while-held.ts';
import { cannotKeep } from './cannot-keep.ts';
import type { DiskCalls } from './disk-calls.ts';
import { stampOf } from './file-stat.ts';
import { locate, locateEntry, locateFolder, locateTarget } from './locate-path.ts';
import { refuseUnlessFile } from './regular-file.ts';
import { type Attempt, renameEntry, replaceEntry } from './rename-entry.ts';
import { stageFile } from './stage-file.ts';
import { admits, type DiskRoots, leadsOutside, liesIn } from './vault-roots.ts';

type DiskWrites = Omit<WritableDisk, keyof Disk | 'kind' | 'entry' | 'entries'>;

/** Errors that mean there is no staged file; a symlink that leads nowhere has none beside it. */
const nothingThere = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** Errors of `rmdir` for a folder that is not empty, and for a symlink to a folder. */
const notEmpty = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'];
/** Errors of systems that cannot sync a folder. Its names are then as durable as they can be. */
const unsyncable = ['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS'];
/** Errors of a move that are about the new path and not about the old one. */
const goalErrors = new Set(['EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG', 'EISDIR', 'ENOTDIR']);

/** What all writes need. */
interface WriteContext {
  readonly roots: DiskRoots;
  readonly platform: NodeJS.Platform;
  /** Repeats a call on Windows while another program has the file open. */
  readonly attempt: Attempt;
}

/** The writing half of `openNodeDisk`. */
export function openDiskWrites(roots: DiskRoots, platform: NodeJS.Platform): DiskWrites {
  const attempt: Attempt = (call) =>
    retryWhileHeld(call, { platform, nowMs: Date.now, pause: (ms) => setTimeout(ms) });
  const context: WriteContext = { roots, platform, attempt };
  return {
    ...stagedWrites(context),
    ...moveAndRemove(context),
    ...folderWrites(context),
    async cannotKeep() {
      const { uid } = await writing('/', () => stat(roots.root));
      return cannotKeep({ platform, uid: process.getuid?.(), ownerUid: uid });
    },
  };
}

/** New contents: staged (written to a temporary file beside the target), then renamed over it. */
function stagedWrites({
  roots,
  platform,
  attempt,
}: WriteContext): Pick<DiskWrites, 'stage' | 'syncStaged' | 'hasStaged' | 'place' | 'unstage'> {
  /**
   * The real path of a file, and of its temporary file in the same folder. With `entry`, a symlink is
   * replaced itself; otherwise the file that it leads to.
   */
  const places = async (path: VaultPath, token: string, { entry = false }: StagedAs = {}) => {
    const target = await (entry ? locateEntry : locateTarget)(roots, path);
    // The user may have allowed a single file only, and not the folder that it is in.
    if (!admits(roots, path, dirname(target))) throw leadsOutside(path);
    return { path, target, temporary: join(dirname(target), `.~vd-${token}.tmp`) };
  };

  return {
    stage: (path, token, bytes, as) =>
      writing(path, async () => {
        const place = await places(path, token, as).catch((error: unknown) => {
          throw errnoOf(error) === 'ELOOP' ? leadsNowhere(path) : error;
        });
        await stageFile(place, bytes, platform, roots.calls);
      }),

    syncStaged: (path, token, as) =>
      writing(path, async () => {
        const { temporary } = await places(path, token, as);
        // Windows can only sync a file that is open for writing. Elsewhere its mode may forbid that.
        await sync(roots.calls, temporary, platform === 'win32' ? 'r+' : 'r');
      }),

    hasStaged: (path, token, as) =>
      writing(path, () =>
        unless(nothingThere, false, async () => {
          const { temporary } = await places(path, token, as);
          return (await roots.calls.lstat(temporary)).isFile();
        }),
      ),

    place: (path, token, { replace, stamp, ...as }) =>
      writing(path, async () => {
        const { target, temporary } = await places(path, token, as);
        if (!replace) return renameEntry(temporary, target, attempt, roots.calls);
        return attempt(async () => {
          // Both synchronous, so that no editor can save between the check and the rename.
          checkStamp(path, target, stamp);
          renameSync(temporary, target);
        });
      }),

    unstage: (path, token, as) =>
      writing(path, () =>
        unless(nothingThere, undefined, async () => {
          const { temporary } = await places(path, token, as);
          await unlessNothing(roots.calls, temporary, () =>
            attempt(async () => roots.calls.unlink(temporary)),
          );
        }),
      ),
  };
}

/** Moving and removing files, symlinks and whole folders. */
function moveAndRemove({
  roots,
  attempt,
}: WriteContext): Pick<DiskWrites, 'move' | 'remove' | 'removeEntry'> {
  return {
    move: (from, to, over) =>
      writing(from, async () => {
        const source = await locateEntry(roots, from);
        const goal = await writing(to, () => locateEntry(roots, to));
        if (goal !== source && liesIn(goal, source)) throw intoItself(from);
        try {
          if (over === undefined) return await renameEntry(source, goal, attempt, roots.calls);
          const look = (): void => checkStamp(to, goal, over.stamp);
          await replaceEntry(source, goal, { attempt, look, calls: roots.calls });
        } catch (error) {
          const errno = errnoOf(error) ?? '';
          // `liesIn` does not notice a folder that is spelled in another case; the system does.
          if (errno === 'EINVAL') throw intoItself(from);
          throw diskError(goalErrors.has(errno) ? to : from, error, 'write');
        }
      }),

    remove: (path, { stamp } = {}) =>
      writing(path, async () => {
        const real = await locate(roots, path);
        refuseUnlessFile(path, await roots.calls.stat(real));
        const entry = await locateEntry(roots, path);
        await attempt(async () => {
          checkStamp(path, real, stamp);
          unlinkSync(entry);
        });
      }),

    removeEntry: (path) =>
      writing(path, async () => {
        const entry = await locateEntry(roots, path);
        // For a folder, `unlink` fails with EPERM on some systems and removes it on others.
        if ((await roots.calls.lstat(entry)).isDirectory()) throw systemError('EISDIR');
        await attempt(async () => roots.calls.unlink(entry));
      }),
  };
}

/** Creating, removing and syncing folders. */
function folderWrites({
  roots,
  attempt,
}: WriteContext): Pick<DiskWrites, 'makeFolder' | 'removeFolder' | 'syncFolder'> {
  return {
    makeFolder: (folder) =>
      writing(folder, async () => roots.calls.mkdir(await locateEntry(roots, folder))),

    removeFolder: (folder) =>
      writing(folder, () =>
        unless(notEmpty, false, () =>
          unless(['ENOENT'], true, async () => {
            const entry = await locateEntry(roots, folder);
            await unlessNothing(roots.calls, entry, () =>
              attempt(async () => roots.calls.rmdir(entry)),
            );
            return true;
          }),
        ),
      ),

    syncFolder: (folder) =>
      writing(folder === '' ? '/' : folder, () =>
        unless([...nothingThere, ...unsyncable], undefined, async () =>
          sync(roots.calls, await locateFolder(roots, folder), 'r'),
        ),
      ),
  };
}

/** Fails with `conflict` when a file has changed since its stamp was taken. */
function checkStamp(path: VaultPath, real: string, stamp: string | undefined): void {
  if (stamp === undefined || stampOf(statSync(real, { bigint: true })) === stamp) return;
  throw new VaultError('conflict', `"${path}" was changed by another program.`, {
    details: { path },
  });
}

/** Turns what the system throws into a `VaultError` about writing this path. */
async function writing<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw diskError(path, error, 'write');
  }
}

/** Returns `answer` when the call fails with one of these errors of the system. */
async function unless<T>(errnos: readonly string[], answer: T, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (errnos.includes(errnoOf(error) ?? '')) return answer;
    throw error;
  }
}

/**
 * Removes what is at a path. A read-only disk refuses that even if nothing is there; then there is
 * nothing to do.
 */
async function unlessNothing(
  calls: DiskCalls,
  real: string,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (errnoOf(error) !== 'EROFS' || (await calls.lstatIfThere(real)) !== undefined) throw error;
  }
}

/** Writes what the system has cached of a file or folder to the disk. */
async function sync(calls: DiskCalls, real: string, flags: string): Promise<void> {
  const file = await calls.open(real, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Not `not_found`: that would make the caller plan again, which would not help. */
function leadsNowhere(path: string): VaultError {
  return new VaultError(
    'forbidden',
    `"${path}" is a symlink that leads nowhere; remove it, or create the file that it leads to.`,
    { details: { path } },
  );
}

function intoItself(path: string): VaultError {
  return new VaultError('invalid_input', `"${path}" cannot be moved into itself.`, {
    details: { path },
  });
}
