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

/** A symlink that leads nowhere has nothing staged beside it. */
const nothingThere = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** What `rmdir` answers to a folder with something in it, and to a symlink to a folder. */
const notEmpty = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'];
/** What systems answer that cannot sync a folder; its names are as durable as they get. */
const unsyncable = ['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP'];
/** Failures of a move that are about where to. */
const goalErrors = new Set(['EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG', 'EISDIR', 'ENOTDIR']);

/** The writing half of the disk; see `openNodeDisk`. */
export function openDiskWrites(roots: DiskRoots, platform: NodeJS.Platform): DiskWrites {
  const attempt: Attempt = (call) =>
    retryWhileHeld(call, { platform, nowMs: Date.now, pause: (ms) => setTimeout(ms) });

  /** Where a file belongs, and its temporary file beside it. */
  const places = async (path: VaultPath, token: string, { entry = false }: StagedAs = {}) => {
    const target = await (entry ? locateEntry : locateTarget)(roots, path);
    // A single file may be allowed, or be the end of an allowed folder: not what is beside it.
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
        // Windows syncs only what is open for writing; elsewhere the mode may forbid that.
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
          // Synchronously, so that no editor's save can come between the look and the rename.
          checkStamp(path, target, stamp);
          renameSync(temporary, target);
        });
      }),

    unstage: (path, token, as) =>
      writing(path, () =>
        unless(nothingThere, undefined, async () => {
          const { temporary } = await places(path, token, as);
          await attempt(async () => roots.calls.unlink(temporary));
        }),
      ),

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
          if (errno === 'EINVAL') throw intoItself(from); // Spelled in another case.
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
        // Some systems answer EPERM here, some remove the folder.
        if ((await roots.calls.lstat(entry)).isDirectory()) throw systemError('EISDIR');
        await attempt(async () => roots.calls.unlink(entry));
      }),

    makeFolder: (folder) =>
      writing(folder, async () => roots.calls.mkdir(await locateEntry(roots, folder))),

    removeFolder: (folder) =>
      writing(folder, () =>
        unless(notEmpty, false, () =>
          unless(['ENOENT'], true, async () => {
            const entry = await locateEntry(roots, folder);
            await attempt(async () => roots.calls.rmdir(entry));
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

    async cannotKeep() {
      const { uid } = await writing('/', () => stat(roots.root));
      return cannotKeep({ platform, uid: process.getuid?.(), ownerUid: uid });
    },
  };
}

/** Fails with `conflict` when a file is not the one that was seen. */
function checkStamp(path: VaultPath, real: string, stamp: string | undefined): void {
  if (stamp === undefined || stampOf(statSync(real, { bigint: true })) === stamp) return;
  throw new VaultError('conflict', `"${path}" was changed by another program.`, {
    details: { path },
  });
}

/** What the system throws becomes a `VaultError` about writing this path. */
async function writing<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw diskError(path, error, 'write');
  }
}

/** Takes these errors of the system as an answer. */
async function unless<T>(errnos: readonly string[], answer: T, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (errnos.includes(errnoOf(error) ?? '')) return answer;
    throw error;
  }
}

async function sync(calls: DiskCalls, real: string, flags: string): Promise<void> {
  const file = await calls.open(real, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Not `not_found`: nothing has vanished, and to plan again would not help. */
function leadsNowhere(path: string): VaultError {
  return new VaultError(
    'forbidden',
    `"${path}" is a symlink that leads nowhere; remove it, or make the file it leads to.`,
    { details: { path } },
  );
}

function intoItself(path: string): VaultError {
  return new VaultError('invalid_input', `"${path}" cannot be moved into itself.`, {
    details: { path },
  });
}
