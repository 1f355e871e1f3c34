import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { EventLoopPauses } from '../disk/event-loop-pauses.ts';
import { LoopTurns } from '../disk/loop-turns.ts';
import { callsOn } from '../disk/path-handle.ts';
import { guardCall, type PresenceCheck, syncPresence } from '../disk/vault-presence.ts';
import { realRoots } from '../disk/vault-roots.ts';
import { answersAtOnce } from '../place/drive-kind.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { asyncCalls, type RawCalls, syncCalls } from './raw-calls.ts';
import { RawPlaces } from './raw-places.ts';
import { hashRaw, readRaw, readRawRange } from './raw-read.ts';
import { entriesIn, walkRaw } from './raw-walk.ts';

interface RawDiskOptions {
  /** Fails with `vault_not_found` while the vault is away. */
  readonly check: () => Promise<void>;
  readonly platform?: NodeJS.Platform;
  /** Whether the disk is called synchronously; decided by `answersAtOnce` when absent. */
  readonly sync?: boolean;
}

/**
 * The raw files of the vault at `root`. Fails with `vault_not_found` when it is not there. A disk
 * that always answers quickly is called synchronously, which is many times faster. Network and FUSE
 * drives, which may never answer, are called asynchronously.
 */
export function openRawDisk(root: string, options: RawDiskOptions): RawDisk {
  const { check, platform = process.platform } = options;
  const { root: real } = realRoots(root);
  const mayBeSync = (): boolean => options.sync ?? answersAtOnce(real, platform);
  let isSync = mayBeSync();
  const onOther = (): void => {
    isSync = mayBeSync(); // A network drive may have been mounted there.
  };
  const syncFiles = guardRaw(openFiles(real, syncCalls), syncPresence(real, { check, onOther }));
  const asyncFiles = guardRaw(openFiles(real, callsOn(asyncCalls, platform)), {
    before: check,
    after: check,
  });
  const disk = (): RawDisk => (isSync ? syncFiles : asyncFiles);
  return {
    stat: (path) => disk().stat(path),
    entry: (path) => disk().entry(path),
    list: (folder) => disk().list(folder),
    walk: (folder, walk) => disk().walk(folder, walk),
    read: (path, read) => disk().read(path, read),
    readRange: (path, range) => disk().readRange(path, range),
    hash: (path, hash) => disk().hash(path, hash),
    canonical: (path) => disk().canonical(path),
    real: (path) => disk().real(path),
  };
}

/** The raw files without the checks whether the vault is there. Fails with the system's errors. */
function openFiles(root: string, calls: RawCalls): RawDisk {
  const places = new RawPlaces(root, calls);
  const turns = new LoopTurns();
  return {
    stat: (path) => places.stat(path),
    entry: (path) => places.entry(path),
    canonical: (path) => places.canonical(path),
    real: (path) => places.real(path),
    async list(folder) {
      const place = { folder, real: await places.realFolder(folder) };
      const entries: RawEntry[] = [];
      for await (const some of entriesIn(calls, place, new EventLoopPauses()))
        entries.push(...some);
      return entries;
    },
    async walk(folder, options) {
      const real = await places.realFolder(folder);
      const itself = folder === '' ? undefined : await places.entry(folder);
      if (itself?.kind === 'symlink') return { entries: [], truncated: false };
      return walkRaw(calls, { folder, real }, options);
    },
    async read(path, { bytesMax }) {
      return readRaw(calls, { path, hold: () => places.hold(path), turns, bytesMax });
    },
    async readRange(path, { offset, length }) {
      return readRawRange(calls, { path, hold: () => places.hold(path), turns, offset, length });
    },
    async hash(path, { signal }) {
      return hashRaw(calls, { path, hold: () => places.hold(path), turns, signal });
    },
  };
}

/** Wraps the files of a vault whose drive may go away; see `guardCall`. */
function guardRaw(files: RawDisk, presence: PresenceCheck): RawDisk {
  const guard =
    <Path extends VaultFolder, Rest extends unknown[], T>(
      call: (path: Path, ...rest: Rest) => Promise<T>,
      isDoubtful: (answer: T) => boolean,
    ) =>
    (path: Path, ...rest: Rest): Promise<T> =>
      guardCall(presence, {
        call: () => call(path, ...rest),
        isDoubtful,
        toError: (error) => rawDiskError(path, error),
      });
  const isMissing = (answer: unknown): boolean => answer === undefined;
  const always = (): boolean => true;
  const never = (): boolean => false;
  return {
    stat: guard(files.stat, isMissing),
    entry: guard(files.entry, isMissing),
    list: guard(files.list, (entries) => entries.length === 0),
    // These look at several folders, each of which may have seemed missing.
    walk: guard(files.walk, always),
    canonical: guard(files.canonical, always),
    real: guard(files.real, isMissing),
    read: guard(files.read, never),
    readRange: guard(files.readRange, never),
    hash: guard(files.hash, never),
  };
}

/**
 * Turns an error of the disk into a `VaultError` about a path. Unlike `diskError`, it distinguishes a
 * path that leads through a file (`not_a_folder`) from one that does not exist. The vault's own folder
 * is "/".
 */
function rawDiskError(path: string, error: unknown): VaultError {
  const shown = path === '' ? '/' : path;
  const errno = errnoOf(error);
  const details = { path: shown, errno };
  if (errno === 'ENOTDIR') {
    const message = `"${shown}" is not a folder, or a part of its path is not a folder.`;
    return new VaultError('not_a_folder', message, { cause: error, details });
  }
  return diskError(shown, error, errno === 'ENAMETOOLONG' ? 'write' : 'read');
}
