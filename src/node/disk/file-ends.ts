import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { EndPart, FileEnd, SeenFile, WritableDisk } from '../../engine/ports/ports.ts';
import {
  changedByOthers,
  diskError,
  errnoOf,
  systemError,
  whileWriting,
} from '../system/disk-error.ts';
import type { DiskFile } from './disk-calls.ts';
import { holdPath } from './hold-path.ts';
import { isSameFile } from './opened-paths.ts';
import { using } from './path-handle.ts';
import { refuseUnlessFile } from './regular-file.ts';
import type { DiskRoots } from './vault-roots.ts';

/** Reads are made in parts of this size. */
const partBytes = 128 * 1024;

/**
 * The calls of a disk that change a file in place, at its end alone. The file is opened by a handle
 * on what was checked to be in the vault (`holdPath`), and everything else is asked of the open file.
 */
export function fileEnds(roots: DiskRoots): Pick<WritableDisk, 'readEnd' | 'append' | 'cut'> {
  return {
    async readEnd(path, part) {
      try {
        return await inFile(roots, path, 0, (file, found) => readPart(file, found, part));
      } catch (error) {
        const isNothing = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '');
        const isOther = error instanceof VaultError && otherKinds.has(error.code);
        if (isNothing || isOther) return undefined;
        throw diskError(path, error);
      }
    },

    append: (path, bytes, seen) =>
      whileWriting(path, () =>
        inFile(roots, path, constants.O_WRONLY | constants.O_APPEND, async (file, found) => {
          checkSeen(path, found, seen);
          // The disk is full when less was written.
          if ((await file.append(bytes)) < bytes.length) throw systemError('ENOSPC');
          // Bytes in a file that another program has just replaced would never be seen.
          const now = await using(holdPath(roots, path), (held) => held.stat(roots.calls));
          if (!isSameFile(found, now)) throw changedByOthers(path);
          await file.sync();
        }),
      ),

    cut: (path, length, seen) =>
      whileWriting(path, () =>
        inFile(roots, path, constants.O_WRONLY, async (file, found) => {
          checkSeen(path, found, seen);
          if (length !== seen.size) await file.truncate(length);
          await file.sync();
        }),
      ),
  };
}

/** What `refuseUnlessFile` says of a folder, a pipe or a device. */
const otherKinds: ReadonlySet<string> = new Set(['is_a_folder', 'forbidden']);

/** Calls back with the regular file at a path, opened with these flags, and its stat. */
function inFile<T>(
  roots: DiskRoots,
  path: VaultPath,
  flags: number,
  call: (file: DiskFile, found: BigIntStats) => Promise<T>,
): Promise<T> {
  const { calls } = roots;
  return using(holdPath(roots, path), async (held) => {
    const before = await held.stat(calls);
    refuseUnlessFile(path, before);
    const file = await calls.open(held.path, held.readFlags | flags);
    try {
      if (!(await held.isStill(calls, before, () => file.stat()))) throw changedByOthers(path);
      return await call(file, await file.stat());
    } finally {
      await file.close();
    }
  });
}

async function readPart(
  file: DiskFile,
  { ino, size }: BigIntStats,
  { from, bytesMax }: EndPart,
): Promise<FileEnd> {
  const bytes = new Uint8Array(Math.max(0, Math.min(bytesMax, Number(size) - from)));
  let done = 0;
  while (done < bytes.length) {
    const read = await file.read(bytes.subarray(done, done + partBytes), from + done);
    if (read === 0) break; // It was cut by another program since.
    done += read;
  }
  return { inode: inodeOf(ino), size: Number(size), bytes: bytes.subarray(0, done) };
}

function checkSeen(path: VaultPath, { ino, size }: BigIntStats, seen: SeenFile): void {
  if (inodeOf(ino) !== seen.inode || Number(size) !== seen.size) throw changedByOthers(path);
}

/** As in a stamp; see `stampOf`. */
function inodeOf(ino: bigint): string {
  return ino.toString(32);
}
