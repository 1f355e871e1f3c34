import type { BigIntStats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  fileNameOf,
  folderOf,
  isVaultPath,
  type VaultFolder,
  type VaultPath,
} from '../../base/vault-path.ts';
import type {
  EntryKind,
  FileContent,
  FolderEntry,
  WritableDisk,
} from '../../engine/ports/ports.ts';
import { answersAtOnce } from '../place/drive-kind.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { nodeHash } from '../system/node-ports.ts';
import {
  asyncDisk,
  type DiskCalls,
  type DiskFile,
  type MaybePromise,
  syncDisk,
} from './disk-calls.ts';
import { openDiskWrites } from './disk-writes.ts';
import { EventLoopPauses } from './event-loop-pauses.ts';
import { fileEnds } from './file-ends.ts';
import { fileStat, isUnchanged, makeFileStat, placeholderFor, placeholderOf } from './file-stat.ts';
import { guardDisk } from './guard-disk.ts';
import { holdEntry, holdFolder, holdPath } from './hold-path.ts';
import { linkOf } from './link-of.ts';
import { LoopTurns } from './loop-turns.ts';
import { callsOn, openHandle, type PathHandle, using } from './path-handle.ts';
import { keepsChanging, readsMax, refuseUnlessFile, tooLarge } from './regular-file.ts';
import { syncPresence, VaultPresence } from './vault-presence.ts';
import { admits, type DiskRoots, liesIn, realRoots } from './vault-roots.ts';

interface NodeDiskOptions {
  readonly allowRoots?: readonly string[];
  readonly platform?: NodeJS.Platform;
  /**
   * Whether a disk that always answers quickly is called synchronously, which is many times faster.
   * True by default.
   */
  readonly sync?: boolean;
  /** Called when another folder, or another mount, was found at the vault's path. */
  readonly onReplaced?: () => void;
  /** How files are written and removed where that is not done beside them; see `gateWrites`. */
  readonly writes?: typeof openDiskWrites;
}

/**
 * The files of the vault at `root`, a real path. Symlinks are followed if they lead into the vault
 * or into one of `allowRoots`. Another case than on disk is `not_found`, and on Linux, where names are
 * bytes, another Unicode form too. Only regular files are opened: opening a pipe could block for ever.
 */
export function openNodeDisk(root: string, options: NodeDiskOptions = {}): WritableDisk {
  const { platform = process.platform, sync = true, onReplaced, writes } = options;
  const real = realRoots(root, options.allowRoots);
  const presence = new VaultPresence(real.root, { onReplaced });
  const check = (): Promise<void> => presence.check();
  const isAtOnce = (folder: string): boolean => sync && answersAtOnce(folder, platform);
  const slowDisk = callsOn(asyncDisk, platform);
  const callsHere = (): DiskCalls =>
    [real.root, ...real.allowed].every(isAtOnce) ? syncDisk : slowDisk;
  const roots = { ...real, calls: callsHere() };
  let nextLookMs = performance.now() + limits.pollEveryMs;
  const chooseCalls = (): void => {
    roots.calls = callsHere(); // A network drive may have been mounted there.
  };
  /** The system sends no event when a drive is mounted inside the vault, so we look now and then. */
  const lookForMounts = (): void => {
    const nowMs = performance.now();
    if (nowMs < nextLookMs) return;
    nextLookMs = nowMs + limits.pollEveryMs;
    chooseCalls();
  };
  const look = syncPresence(real.root, { check, onOther: chooseCalls });
  const pauses = new EventLoopPauses();
  const isSync = (): boolean => {
    if (roots.calls === syncDisk) lookForMounts();
    return roots.calls === syncDisk;
  };
  const checkNow = (): MaybePromise<void> => (isSync() ? look.after() : check());
  return guardDisk(openFiles(roots, platform, writes), async () => checkNow(), {
    // Synchronous calls one after the other would block all other work.
    before: () => {
      if (!isSync()) return check();
      return pauses.isDue ? pauses.pause().then(look.before) : look.before();
    },
    after: checkNow,
  });
}

/** The disk without the checks whether the vault is there. */
function openFiles(
  roots: DiskRoots,
  platform: NodeJS.Platform,
  writes = openDiskWrites,
): Omit<WritableDisk, 'check'> {
  const toFileStat = makeFileStat(roots.root, platform);
  const turns = new LoopTurns();
  return {
    ...writes(roots, platform),
    ...fileEnds(roots),
    async read(path, { bytesMax }) {
      try {
        const content = await readWhole(roots, path, { bytesMax, turns });
        const { real, stat, ...found } = content;
        return { ...found, stat: { ...toFileStat(stat), ...(await linkOf(roots, path, real)) } };
      } catch (error) {
        const failure = diskError(path, error);
        if (failure.code === 'not_found' && (await placeholderStat(roots, path)) !== undefined) {
          throw notDownloaded(path);
        }
        throw failure;
      }
    },
    async stat(path) {
      const look = async (held: PathHandle) => {
        const found = await held.stat(roots.calls);
        if (!found.isFile()) return null;
        return { ...toFileStat(found), ...(await linkOf(roots, path, held.real)) };
      };
      const stat = await ifThere(path, () => using(holdPath(roots, path), look));
      if (stat !== undefined) return stat ?? undefined;
      const placeholder = await placeholderStat(roots, path);
      return placeholder && fileStat(placeholder, false);
    },
    async kind(path) {
      const found = await ifThere(path, () => statOf(roots, path));
      if (found?.isDirectory()) return 'folder';
      if (found !== undefined) refuseUnlessFile(path, found);
      const isFile = found !== undefined || (await placeholderStat(roots, path)) !== undefined;
      return isFile ? 'file' : undefined;
    },
    entry: (path) =>
      ifThere(path, () =>
        using(holdEntry(roots, path), async (entry) => {
          const found = await roots.calls.lstatIfThere(entry.path);
          return found && kindOf(found);
        }),
      ),
    entries: (folder) =>
      ifThere(folder, () =>
        using(holdFolder(roots, folder), async (held) => {
          const found = await readdir(held.path, { withFileTypes: true });
          return found.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
        }),
      ),
    list: (folder) =>
      ifThere(folder, () =>
        using(holdFolder(roots, folder), (held) => entriesOf(roots, folder, held)),
      ),
  };
}

/** The answer of a call; undefined when the path does not exist. Other errors become `VaultError`s. */
async function ifThere<T>(path: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const failure = diskError(path, error);
    if (failure.code === 'not_found') return undefined;
    throw failure;
  }
}

/** The stat of a path, symlinks followed. */
function statOf(roots: DiskRoots, path: VaultPath): Promise<BigIntStats> {
  return using(holdPath(roots, path), (held) => held.stat(roots.calls));
}

/** A file's content and stat, and its real path. */
type Content = Omit<FileContent, 'stat'> & { readonly stat: BigIntStats; readonly real: string };

/** Reads a whole file; opens it again if another one has taken its place, at most `readsMax` times. */
async function readWhole(
  roots: DiskRoots,
  path: VaultPath,
  options: { readonly bytesMax: number; readonly turns: LoopTurns },
): Promise<Content> {
  for (let opens = 0; opens < readsMax; opens++) {
    const content = await using(holdPath(roots, path), (held) =>
      readHeld(roots.calls, held, { path, ...options }),
    );
    if (content !== undefined) return content;
  }
  throw keepsChanging(path);
}

/**
 * Reads a file again until it did not change during the read, at most `readsMax` times. Undefined when
 * another file was opened in its place.
 */
async function readHeld(
  calls: DiskCalls,
  held: PathHandle,
  { path, bytesMax, turns }: { path: VaultPath; bytesMax: number; turns: LoopTurns },
): Promise<Content | undefined> {
  let before = await held.stat(calls);
  refuseUnlessFile(path, before);
  if (before.size > limits.largeReadBytes) await turns.next();
  const file = await calls.open(held.path, held.readFlags);
  try {
    if (!(await held.isStill(calls, before, () => file.stat()))) return undefined;
    for (let reads = 0; reads < readsMax; reads++) {
      if (before.size > bytesMax) throw tooLarge(path, { size: Number(before.size), bytesMax });
      const bytes = await readExactly(file, Number(before.size));
      const after = await file.stat();
      if (bytes !== undefined && isUnchanged(before, after)) {
        return { bytes, version: nodeHash.version(bytes), stat: after, real: held.real };
      }
      // On a FUSE drive, opening a file may already change its time.
      before = after;
    }
  } finally {
    await file.close();
  }
  throw keepsChanging(path);
}

/** The file's bytes if there are exactly `size` of them; undefined if not. */
async function readExactly(file: DiskFile, size: number): Promise<Uint8Array | undefined> {
  // One byte more than expected: when that byte is filled too, the file has grown.
  const bytes = new Uint8Array(size + 1);
  let at = 0;
  while (at <= size) {
    const bytesRead = await file.read(bytes.subarray(at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at === size ? bytes.subarray(0, size) : undefined;
}

function notDownloaded(path: string): VaultError {
  return new VaultError(
    'unavailable',
    `"${path}" is in iCloud and not on this machine; open it on this machine first.`,
    { details: { path } },
  );
}

/** The stat of the file's iCloud placeholder (see `placeholderFor`); undefined when there is none. */
async function placeholderStat(
  roots: DiskRoots,
  path: VaultPath,
): Promise<BigIntStats | undefined> {
  const folder = folderOf(path);
  if (placeholderFor(placeholderOf(fileNameOf(path))) === undefined) return undefined;
  const placeholder = `${folder === '' ? '' : `${folder}/`}${placeholderOf(fileNameOf(path))}`;
  if (!isVaultPath(placeholder)) return undefined;
  try {
    return await statOf(roots, placeholder as VaultPath);
  } catch {
    return undefined;
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** The files and folders in a folder, as `Disk.list` wants them. */
async function entriesOf(
  roots: DiskRoots,
  folder: VaultFolder,
  held: PathHandle,
): Promise<FolderEntry[]> {
  const found = await readdir(held.path, { withFileTypes: true });
  const names = new Set(found.map(({ name }) => name));
  const entries: FolderEntry[] = [];
  const isInside = liesIn(held.real, roots.root);
  for (const entry of found) {
    if (entry.isFile()) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const link = isInside ? {} : await linkOf(roots, path, join(held.real, entry.name));
      entries.push({ name: entry.name, kind: 'file', ...link });
    } else if (entry.isDirectory()) entries.push({ name: entry.name, kind: 'folder' });
    else if (entry.isSymbolicLink()) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const behind = await entryBehind(roots, path, held.at(entry.name));
      if (behind !== undefined) entries.push({ name: entry.name, ...behind });
    }
    const standsFor = placeholderFor(entry.name);
    if (standsFor !== undefined && !names.has(standsFor)) {
      entries.push({ name: standsFor, kind: 'file' });
    }
  }
  return entries;
}

/** What a symlink leads to; undefined when that is outside the vault, missing, or of another kind. */
async function entryBehind(
  roots: DiskRoots,
  path: string,
  link: string,
): Promise<Omit<FolderEntry, 'name'> | undefined> {
  try {
    return await using(openHandle(roots.calls, link), async (held) => {
      if (!admits(roots, '', held.real)) return undefined;
      const found = await held.stat(roots.calls);
      if (found.isFile()) return { kind: 'file', ...(await linkOf(roots, path, held.real)) };
      // A folder of the vault is already listed under its own path.
      const isFolder = found.isDirectory() && !liesIn(held.real, roots.root);
      return isFolder ? { kind: 'folder' } : undefined;
    });
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
