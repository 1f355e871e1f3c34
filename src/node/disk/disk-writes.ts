import { type BigIntStats, renameSync, statSync, unlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Disk, StagedAs, WritableDisk } from '../../engine/ports/ports.ts';
import type { FileStat } from '../../engine/ports/records.ts';
import {
  changedByOthers,
  diskError,
  errnoOf,
  systemError,
  whileWriting,
} from '../system/disk-error.ts';
import { retryWhileHeld } from '../system/retry-while-held.ts';
import { cannotKeep } from './cannot-keep.ts';
import type { DiskCalls, DiskFile } from './disk-calls.ts';
import { fileStat, stampOf } from './file-stat.ts';
import { type HeldEntry, holdEntry, holdFolder, holdPath, holdTarget } from './hold-path.ts';
import { linkOf } from './link-of.ts';
import { using } from './path-handle.ts';
import { openFlags, refuseUnlessFile } from './regular-file.ts';
import { type Attempt, renameEntry, replaceEntry } from './rename-entry.ts';
import { stageFile } from './stage-file.ts';
import { type DiskRoots, liesIn } from './vault-roots.ts';

type DiskWrites = Omit<
  WritableDisk,
  keyof Disk | 'kind' | 'entry' | 'entries' | 'readEnd' | 'append' | 'cut'
>;

/** Errors that mean there is no staged file; a symlink that leads nowhere has none beside it. */
const nothingThere = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** Errors of `rmdir` for a folder that is not empty, and for a symlink to a folder. */
const notEmpty = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'];
/** Errors of systems that cannot sync a folder. Its names are then as durable as they can be. */
const unsyncable = ['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS'];
/** Errors of a move that are about the new path and not about the old one. */
export const goalErrors = new Set(['EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG', 'EISDIR', 'ENOTDIR']);

/** What all writes need. */
interface WriteContext {
  readonly roots: DiskRoots;
  readonly platform: NodeJS.Platform;
  /** Repeats a call on Windows while another program has the file open. */
  readonly attempt: Attempt;
}

/** Makes what `stagedWrites` needs. */
export function writeContext(roots: DiskRoots, platform: NodeJS.Platform): WriteContext {
  const attempt: Attempt = (call) =>
    retryWhileHeld(call, { platform, nowMs: Date.now, pause: (ms) => setTimeout(ms) });
  return { roots, platform, attempt };
}

/** Where temporary files are, and how one comes to a path where nothing is. */
interface Staging {
  /**
   * Calls back with a file's target, held, and its temporary file. With `entry`, a symlink is replaced
   * itself; otherwise the file that it leads to.
   */
  inPlace<T>(
    path: VaultPath,
    as: StagedAs & { readonly token: string },
    call: (target: HeldEntry, temporary: string) => Promise<T>,
  ): Promise<T>;
  placeNew: typeof renameEntry;
}

/** The writing half of `openNodeDisk`. */
export function openDiskWrites(roots: DiskRoots, platform: NodeJS.Platform): DiskWrites {
  const context = writeContext(roots, platform);
  return {
    ...stagedWrites(context),
    ...moveAndRemove(context),
    ...folderWrites(context),
    async cannotKeep() {
      const { uid } = await whileWriting('/', () => stat(roots.root));
      return cannotKeep({ platform, uid: process.getuid?.(), ownerUid: uid });
    },
  };
}

/** Temporary files beside their targets. */
function besideTarget(roots: DiskRoots): Staging {
  return {
    inPlace: (path, { token, entry = false }, call) =>
      using((entry ? holdEntry : holdTarget)(roots, path), (target) =>
        call(target, target.beside(`.~vd-${token}.tmp`)),
      ),
    placeNew: renameEntry,
  };
}

/** New contents: staged (written to a temporary file), then renamed over their target. */
export function stagedWrites(
  { roots, platform, attempt }: WriteContext,
  { inPlace, placeNew }: Staging = besideTarget(roots),
): Pick<DiskWrites, 'stage' | 'syncStaged' | 'hasStaged' | 'place' | 'unstage'> {
  const unsynced = new UnsyncedFiles();
  return {
    stage: (path, token, bytes, { sync: isSynced = false, ...as } = {}) =>
      whileWriting(path, async () => {
        await unsynced.close(token);
        const staged = await inPlace(path, { token, ...as }, (target, temporary) =>
          stageFile({ path, target: target.path, temporary }, bytes, {
            platform,
            calls: roots.calls,
            sync: isSynced,
            keep: !isSynced && unsynced.hasRoom,
          }),
        ).catch((error: unknown) => {
          throw errnoOf(error) === 'ELOOP' ? leadsNowhere(path) : error;
        });
        if (staged !== undefined) unsynced.add(token, staged);
      }),

    syncStaged: (path, token, as) =>
      whileWriting(path, () => {
        const staged = unsynced.take(token);
        if (staged !== undefined) return syncOpen(staged);
        return inPlace(path, { token, ...as }, (_, temporary) =>
          // Windows can only sync a file that is open for writing. Elsewhere its mode may forbid that.
          sync(roots.calls, temporary, platform === 'win32' ? 'r+' : openFlags),
        );
      }),

    hasStaged: (path, token, as) =>
      whileWriting(path, () =>
        unless(nothingThere, false, () =>
          inPlace(path, { token, ...as }, async (_, temporary) =>
            (await roots.calls.lstat(temporary)).isFile(),
          ),
        ),
      ),

    place: (path, token, { replace, stamp, ...as }) =>
      whileWriting(path, () =>
        inPlace(path, { token, ...as }, async (target, temporary) => {
          await unsynced.close(token);
          const staged = await roots.calls.lstat(temporary);
          if (!replace) await placeNew(temporary, target.path, attempt, roots.calls);
          else {
            await attempt(async () => {
              // Both synchronous, so that no editor can save between the check and the rename.
              checkStamp(path, target.path, stamp);
              renameSync(temporary, target.path);
            });
          }
          return placedStat(roots, path, { target, staged });
        }),
      ),

    unstage: (path, token, as) =>
      whileWriting(path, async () => {
        await unsynced.close(token);
        await unless(nothingThere, undefined, () =>
          inPlace(path, { token, ...as }, (_, temporary) =>
            unlessNothing(roots.calls, temporary, () =>
              attempt(async () => roots.calls.unlink(temporary)),
            ),
          ),
        );
      }),
  };
}

/**
 * Temporary files that were written and have yet to be synced, by their tokens. They stay open until
 * then, as many as one group of changes has: opening a file again means finding its folder again.
 */
class UnsyncedFiles {
  readonly #files = new Map<string, DiskFile>();

  get hasRoom(): boolean {
    return this.#files.size < limits.groupChangesMax;
  }

  add(token: string, file: DiskFile): void {
    this.#files.set(token, file);
  }

  /** The file, which the caller then closes. */
  take(token: string): DiskFile | undefined {
    const file = this.#files.get(token);
    this.#files.delete(token);
    return file;
  }

  async close(token: string): Promise<void> {
    await this.take(token)?.close();
  }
}

/** Moving and removing files, symlinks and whole folders. */
function moveAndRemove({
  roots,
  attempt,
}: WriteContext): Pick<DiskWrites, 'move' | 'remove' | 'removeEntry'> {
  return {
    move: (from, to, over) =>
      whileWriting(from, () =>
        using(holdEntry(roots, from), (source) =>
          using(
            whileWriting(to, () => holdEntry(roots, to)),
            async (goal) => {
              if (goal.real === source.real) return;
              if (liesIn(goal.real, source.real)) throw intoItself(from);
              try {
                if (over === undefined) {
                  return await renameEntry(source.path, goal.path, attempt, roots.calls);
                }
                const look = (): void => checkStamp(to, goal.path, over.stamp);
                return await replaceEntry(source.path, goal.path, {
                  attempt,
                  look,
                  calls: roots.calls,
                });
              } catch (error) {
                const errno = errnoOf(error) ?? '';
                // `liesIn` does not notice a folder that is spelled in another case; the system does.
                if (errno === 'EINVAL') throw intoItself(from);
                throw diskError(goalErrors.has(errno) ? to : from, error, 'write');
              }
            },
          ),
        ),
      ),

    remove: (path, { stamp } = {}) =>
      whileWriting(path, () =>
        using(holdEntry(roots, path), async (entry) => {
          const found = await roots.calls.lstat(entry.path);
          const behind = found.isSymbolicLink()
            ? await using(holdPath(roots, path), (target) => target.stat(roots.calls))
            : found;
          refuseUnlessFile(path, behind);
          await attempt(async () => {
            checkStamp(path, entry.path, stamp);
            unlinkSync(entry.path);
          });
        }),
      ),

    removeEntry: (path) =>
      whileWriting(path, () =>
        using(holdEntry(roots, path), async (entry) => {
          // For a folder, `unlink` fails with EPERM on some systems and removes it on others.
          if ((await roots.calls.lstat(entry.path)).isDirectory()) throw systemError('EISDIR');
          await attempt(async () => roots.calls.unlink(entry.path));
        }),
      ),
  };
}

/** Creating, removing and syncing folders. */
function folderWrites({
  roots,
  attempt,
}: WriteContext): Pick<DiskWrites, 'makeFolder' | 'removeFolder' | 'syncFolder'> {
  return {
    makeFolder: (folder) =>
      whileWriting(folder, () =>
        using(holdEntry(roots, folder), (entry) => roots.calls.mkdir(entry.path)),
      ),

    removeFolder: (folder) =>
      whileWriting(folder, () =>
        unless(notEmpty, false, () =>
          unless(['ENOENT'], true, () =>
            using(holdEntry(roots, folder), async (entry) => {
              await unlessNothing(roots.calls, entry.path, () =>
                attempt(() => removeEmptyFolder(roots.calls, entry.path)),
              );
              return true;
            }),
          ),
        ),
      ),

    syncFolder: (folder) =>
      whileWriting(folder === '' ? '/' : folder, () =>
        unless([...nothingThere, ...unsyncable], undefined, () =>
          using(holdFolder(roots, folder), (held) => sync(roots.calls, held.path, 'r')),
        ),
      ),
  };
}

/** The stat of a file that was put in its place; undefined when `WritableDisk.place` answers that. */
async function placedStat(
  roots: DiskRoots,
  path: VaultPath,
  { target, staged }: { readonly target: HeldEntry; readonly staged: BigIntStats },
): Promise<FileStat | undefined> {
  // The file is there, so a failure here is none of the call.
  try {
    const there = await roots.calls.lstatIfThere(target.path);
    // A rename changes the ctime alone.
    if (there?.ino !== staged.ino || there.size !== staged.size) return undefined;
    if (there.mtimeNs !== staged.mtimeNs) return undefined;
    const { leadsTo } = await linkOf(roots, path, target.real);
    return leadsTo === undefined ? fileStat(there, true) : undefined;
  } catch {
    return undefined;
  }
}

/** Fails with `conflict` when a file has changed since its stamp was taken. */
export function checkStamp(path: VaultPath, held: string, stamp: string | undefined): void {
  if (stamp === undefined || stampOf(statSync(held, { bigint: true })) === stamp) return;
  throw changedByOthers(path);
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
  path: string,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (errnoOf(error) !== 'EROFS' || (await calls.lstatIfThere(path)) !== undefined) throw error;
  }
}

/** Removes an empty folder. For a file Windows says ENOENT, as if nothing were there. */
async function removeEmptyFolder(calls: DiskCalls, path: string): Promise<void> {
  try {
    await calls.rmdir(path);
  } catch (error) {
    const isFile = errnoOf(error) === 'ENOENT' && (await calls.lstatIfThere(path)) !== undefined;
    throw isFile ? systemError('ENOTDIR') : error;
  }
}

/** Writes what the system has cached of a file or folder to the disk. */
export async function sync(calls: DiskCalls, path: string, flags: string | number): Promise<void> {
  await syncOpen(await calls.open(path, flags));
}

/** The same for a file that is open, which is then closed. */
async function syncOpen(file: DiskFile): Promise<void> {
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

export function intoItself(path: string): VaultError {
  return new VaultError('invalid_input', `"${path}" cannot be moved into itself.`, {
    details: { path },
  });
}
