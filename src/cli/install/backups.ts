import { lstatSync } from 'node:fs';
import { lstat, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { record } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { errnoOf } from '../../node/system/disk-error.ts';
import { plainJson } from './plain-json.ts';

/** A configuration file: where it is, and with symlinks resolved. */
interface BackedUp {
  readonly path: string;
  readonly real: string;
}

/** Where the old text of a file is kept. */
export interface Backup {
  /** Absent when there was no file. */
  readonly backup?: string;
  /** Whether this backup was not there before. */
  readonly isFresh?: boolean;
}

/** A backup that was not removed, and why. */
export interface LeftBackup {
  readonly path: string;
  /** The reason as part of a sentence, behind "because". */
  readonly why: string;
}

/** Why a backup with this text is still needed, as part of a sentence; undefined when it is not. */
type WhyNeeded = (
  text: string,
  about: {
    readonly path: string;
    /** Whether it is the first one, from before Vaultdoor's first change. */
    readonly isFirst: boolean;
    /** Whether the file is as one of the backups has it, or is gone. */
    readonly isAsBefore: boolean;
  },
) => string | undefined;

/** The reason to keep a backup that has more than our entries which the file has not. */
export const otherChange = 'something else in the file has changed since';

const permissionBits = 0o777;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The backups of a configuration file that are text, in the order of their numbers. */
export async function listBackups(
  file: string,
): Promise<readonly { readonly path: string; readonly text: string; readonly timeMs: number }[]> {
  const found = [];
  for (const path of await backupPaths(file)) {
    try {
      const bytes = await readBackup(path);
      if (bytes === undefined) continue;
      found.push({ path, text: decoder.decode(bytes), timeMs: (await stat(path)).mtimeMs });
    } catch {
      // A backup that is not UTF-8 is left out, and one that is removed meanwhile.
    }
  }
  return found;
}

/** Their texts. */
export async function readBackups({ path }: BackedUp): Promise<readonly string[]> {
  return (await listBackups(path)).map(({ text }) => text);
}

/** A text that names our program may have an entry of ours; any other has none. */
const ours = /vaultdoor/i;
/** At most so many backups are kept: they may hold keys of other servers. */
const backupsMax = 3;

/**
 * Writes a backup beside the file, unless one with the same text exists. Answers its path. The first
 * backup, from before Vaultdoor's first change, is never overwritten. Of the others, one is kept from
 * before an entry of ours came into the file, and one with such an entry, the latest of each; but one
 * that has what the new one lacks stays as long as there is another place. A file that is empty, as
 * after a crash, is not worth the place of one that has settings.
 */
export async function backUp(file: BackedUp, text: string): Promise<Backup> {
  if (text.trim() === '') return {};
  const present = await backupPaths(file.path);
  for (const path of present) {
    if ((await readBackup(path))?.equals(Buffer.from(text))) return { backup: path };
  }
  const path = await placeFor(file, text);
  await writeBeside(file, path, text);
  // Earlier versions kept every text. One that cannot be removed stays.
  for (const old of present.filter((each) => numberOf(each) > backupsMax && each !== path)) {
    if ((await readBackup(old)) !== undefined) await unlink(old).catch(() => undefined);
  }
  return { backup: path, isFresh: true };
}

/**
 * Writes a text to a path beside a configuration file, with the mode of that file. What is there goes
 * only when the new text is whole: the disk may be full.
 */
export async function writeBeside(file: BackedUp, path: string, text: string): Promise<void> {
  const { mode } = await stat(file.real);
  const fresh = `${path}.new`;
  await unlink(fresh).catch(ignoreMissing);
  const handle = await open(fresh, 'wx', mode & permissionBits);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
}

/**
 * Where a backup goes: the first place that is free, or has a text that it may take the place of. One
 * with settings or servers that the file has lost since, as after a crash, is the last to be chosen: even
 * after one from before an entry of ours, if that has nothing else.
 */
async function placeFor({ path }: BackedUp, text: string): Promise<string> {
  let [spare, losing]: (string | undefined)[] = [];
  for (let number = 1; ; number++) {
    if (number > backupsMax && losing !== undefined) return spare ?? losing;
    const place = `${path}.vaultdoor-backup${number === 1 ? '' : `-${number}`}`;
    if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return place;
    const there = number === 1 ? undefined : (await readBackup(place))?.toString();
    if (there === undefined) continue;
    const isOfAnother = ours.test(text) && !ours.test(there);
    if (!hasAllOf(text, there)) losing = isOfAnother ? losing : place;
    else if (isOfAnother) spare = place;
    else return place;
  }
}

/**
 * Whether a text has each setting and each server that an older one has, whatever their values, but for
 * those that name our program. Of a text that is not JSON nothing is known, and the answer is yes.
 */
function hasAllOf(text: string, older: string): boolean {
  type Entries = Readonly<Record<string, unknown>>;
  const hasAll = (now: Entries, before: Entries): boolean =>
    Object.entries(before).every(
      (entry) => Object.hasOwn(now, entry[0]) || ours.test(JSON.stringify(entry)),
    );
  try {
    // Comments are blanked. `trim` also removes a byte order mark.
    const [now, before] = [text, older].map((each) => JSON.parse(plainJson(each).json.trim()));
    return (
      hasAll(record(now), record(before)) &&
      Object.keys(record(before)).every((key) => hasAll(record(now[key]), record(before[key])))
    );
  } catch {
    return true;
  }
}

/**
 * Removes the backups that are not needed after our entries were removed and the file has this text;
 * undefined when the file is gone. `whyNeeded` says of a text why it is needed, if it is; without it,
 * those go that have the same text or name our program, once the file is as one of them has it. Answers
 * the backups that are left, with the reason.
 */
export async function dropBackups(
  file: BackedUp,
  text: string | undefined,
  whyNeeded: WhyNeeded = (kept, { isAsBefore }) =>
    isAsBefore && (kept === text || ours.test(kept)) ? undefined : otherChange,
): Promise<readonly LeftBackup[]> {
  const paths = await backupPaths(file.path);
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await readBackup(path);
    if (bytes !== undefined) texts.set(path, bytes.toString());
  }
  const isAsBefore = text === undefined || Array.from(texts.values()).includes(text);
  const left: LeftBackup[] = [];
  for (const path of paths) {
    const kept = texts.get(path);
    const about = { path, isFirst: numberOf(path) === 1, isAsBefore };
    const why = kept === undefined ? 'it cannot be read' : whyNeeded(kept, about);
    if (why !== undefined) left.push({ path, why });
    else if (!(await isRemoved(path))) left.push({ path, why: 'it cannot be removed' });
  }
  return left;
}

async function isRemoved(path: string): Promise<boolean> {
  try {
    await unlink(path).catch(ignoreMissing);
    return true;
  } catch {
    return false;
  }
}

function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error;
}

function numberOf(path: string): number {
  return Number(/-(\d+)$/.exec(path)?.[1] ?? 1);
}

/**
 * The bytes of a backup; undefined where they cannot be read, and for anything but a regular file: a
 * symlink may lead to the very file that is about to be replaced.
 */
async function readBackup(path: string): Promise<Buffer | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= limits.noteBytesMax ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}

async function backupPaths(path: string): Promise<string[]> {
  const folder = dirname(path);
  const start = `${basename(path)}.vaultdoor-backup`;
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && /^(-\d+)?$/.test(name.slice(start.length)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => join(folder, name));
}
