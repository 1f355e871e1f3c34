import type { VaultFolder } from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { FairTurns } from '../disk/event-loop-pauses.ts';
import { promptPresence, type RawPresence } from '../disk/vault-presence.ts';
import { realRoots } from '../disk/vault-roots.ts';
import { answersAtOnce } from '../place/drive-kind.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { isCutOff, systemError } from '../system/disk-error.ts';
import { promptCalls, type RawCalls, waitingCalls } from './raw-calls.ts';
import { RawPlaces, rawDiskError } from './raw-places.ts';
import { hashRaw, readRaw, readRawRange } from './raw-read.ts';
import { entriesIn, walkRaw } from './raw-walk.ts';

export interface RawDiskOptions {
  /** Fails with `vault_not_found` while the vault is away. */
  readonly check: () => Promise<void>;
  readonly platform?: NodeJS.Platform;
  /** Whether the disk answers at once; found out if absent. */
  readonly sync?: boolean;
}

/**
 * The raw files of the vault at `root`. Fails with `vault_not_found` when it is not there. A disk
 * that answers at once is asked without Node's threads, which is many times faster; network and FUSE
 * drives, which may never answer, are not.
 */
export function openRawDisk(root: string, options: RawDiskOptions): RawDisk {
  const { check, platform = process.platform } = options;
  const { root: real } = realRoots(root);
  const isPrompt = (): boolean => options.sync ?? answersAtOnce(real, platform);
  let prompt = isPrompt();
  const onOther = (): void => {
    // A network drive may have been mounted there.
    prompt = isPrompt();
  };
  const promptly = guardRaw(openFiles(real, promptCalls), promptPresence(real, { check, onOther }));
  const waiting = guardRaw(openFiles(real, waitingCalls), { before: check, after: check });
  const disk = (): RawDisk => (prompt ? promptly : waiting);
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

/** The files in a folder that is there. Failures are the system's. */
function openFiles(root: string, calls: RawCalls): RawDisk {
  const places = new RawPlaces(root, calls);
  return {
    stat: (path) => places.stat(path),
    entry: (path) => places.entry(path),
    canonical: (path) => places.canonical(path),
    real: (path) => places.real(path),
    async list(folder) {
      const place = { folder, real: await places.locate(folder) };
      const entries: RawEntry[] = [];
      for await (const some of entriesIn(calls, place, new FairTurns())) entries.push(...some);
      return entries;
    },
    async walk(folder, options) {
      const real = await places.locate(folder);
      if ((await calls.stat(real))?.isDirectory() === false) throw systemError('ENOTDIR');
      const itself = folder === '' ? undefined : await places.entry(folder);
      if (itself?.kind === 'symlink') return { entries: [], truncated: false };
      return walkRaw(calls, { folder, real }, options);
    },
    async read(path, { bytesMax }) {
      return readRaw(calls, { path, real: await places.locate(path), bytesMax });
    },
    async readRange(path, { offset, length }) {
      return readRawRange(calls, { path, real: await places.locate(path), offset, length });
    },
    async hash(path, { signal }) {
      return hashRaw(calls, { path, real: await places.locate(path), signal });
    },
  };
}

/**
 * The files of a vault that may go away: nothing is asked while it is, and what is missing or failed
 * is only believed when the vault is there after it.
 */
function guardRaw(files: RawDisk, presence: RawPresence): RawDisk {
  const guard =
    <Path extends VaultFolder, Rest extends unknown[], T>(
      call: (path: Path, ...rest: Rest) => Promise<T>,
      isDoubtful: (answer: T) => boolean,
    ) =>
    async (path: Path, ...rest: Rest): Promise<T> => {
      await presence.before();
      let answer: T;
      try {
        answer = await call(path, ...rest);
      } catch (error) {
        const failure = rawDiskError(path, error);
        await presence.after();
        throw isCutOff(failure) ? vaultGone('silent', error) : failure;
      }
      if (isDoubtful(answer)) await presence.after();
      return answer;
    };
  const isMissing = (answer: unknown): boolean => answer === undefined;
  const always = (): boolean => true;
  const never = (): boolean => false;
  return {
    stat: guard(files.stat, isMissing),
    entry: guard(files.entry, isMissing),
    list: guard(files.list, (entries) => entries.length === 0),
    // Any folder of these may have been looked for while the vault was away.
    walk: guard(files.walk, always),
    canonical: guard(files.canonical, always),
    real: guard(files.real, isMissing),
    read: guard(files.read, never),
    readRange: guard(files.readRange, never),
    hash: guard(files.hash, never),
  };
}
