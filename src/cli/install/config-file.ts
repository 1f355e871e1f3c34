import { lstatSync, readFileSync, renameSync } from 'node:fs';
import { lstat, open, readdir, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { refuseUnlessFile } from '../../node/disk/regular-file.ts';
import { stageFile } from '../../node/disk/stage-file.ts';
import { diskError, errnoOf } from '../../node/system/disk-error.ts';
import { makeFolders } from '../../node/system/private-files.ts';
import { retryWhileHeld } from '../../node/system/retry-while-held.ts';

/** The configuration file of a client, as it was read. */
export interface ConfigFile {
  readonly path: string;
  /** The path with symlinks resolved. This file is replaced, so that a symlink to it stays. */
  readonly real: string;
  /** Absent when the file does not exist. */
  readonly text?: string;
}

const permissionBits = 0o777;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a configuration file. One that does not exist has no `text`. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    // Opening a pipe or a device could block for ever, and replacing one could break the machine.
    refuseUnlessFile(path, found);
    if (found.size > limits.noteBytesMax) {
      throw new VaultError('too_large', `"${path}" is too large to be a configuration.`);
    }
    return { path, real, text: decoded(path, await readFile(real)) };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw diskError(path, error);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, real: path };
    throw new VaultError(
      'forbidden',
      `"${path}" is a symlink to a file that does not exist; remove the symlink first.`,
    );
  }
}

/**
 * Replaces a configuration file in one step, or creates it and its folders. Mode and owner stay. The
 * old file is kept beside it, at the path `backup`. Fails with `conflict` when the file has changed since it was
 * read. After any failure the file is as it was.
 */
export async function replaceConfigFile(
  file: ConfigFile,
  text: string,
): Promise<{ backup?: string }> {
  const { path, real } = file;
  const temporary = join(dirname(real), `.~vd-${process.pid}.tmp`);
  try {
    await makeFolders(dirname(real));
    const place = { path, target: real, temporary };
    await stageFile(place, new TextEncoder().encode(text), { platform: process.platform });
    let backup: string | undefined;
    try {
      await sync(temporary);
      if (file.text !== undefined) backup = await backUp(file, file.text);
      // On Windows, another program may hold the file open for a moment.
      await retryWhileHeld(
        async () => {
          // Both are synchronous, so that another program has hardly any time to write in between.
          refuseIfChanged(file);
          renameSync(temporary, real);
        },
        { platform: process.platform, nowMs: Date.now, pause: (ms) => setTimeout(ms) },
      );
    } catch (error) {
      await unlink(temporary).catch(() => {}); // The first failure is the one to report.
      throw error;
    }
    return backup === undefined ? {} : { backup };
  } catch (error) {
    throw diskError(path, error, 'write');
  }
}

/**
 * Removes a configuration file. Fails with `conflict` when it has changed since it was read. After any
 * failure the file is as it was.
 */
export async function removeConfigFile(file: ConfigFile): Promise<void> {
  try {
    refuseIfChanged(file);
    await unlink(file.real);
  } catch (error) {
    throw diskError(file.path, error, 'write');
  }
}

/** The texts of the backups of a configuration file, the oldest first. */
export async function readBackups(file: ConfigFile): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of await backupPaths(file)) {
    try {
      const bytes = await readBackup(path);
      if (bytes !== undefined) texts.push(decoder.decode(bytes));
    } catch {
      // A backup that is not UTF-8 is left out.
    }
  }
  return texts;
}

/** A text that names our program may have an entry of ours; any other has none. */
const ours = /vaultdoor/i;
/** At most so many backups are kept: they may hold keys of other servers. */
const backupsMax = 3;

/**
 * Writes a backup beside the file, unless one with the same text exists. Answers its path. The first
 * backup, from before Vaultdoor's first change, is never overwritten. Of the others, one is kept from
 * before an entry of ours came into the file, and one with such an entry, the latest of each.
 */
async function backUp(file: ConfigFile, text: string): Promise<string> {
  const present = await backupPaths(file);
  for (const path of present) {
    if ((await readBackup(path))?.equals(Buffer.from(text))) return path;
  }
  const path = await placeFor(file, text);
  const { mode } = await stat(file.real);
  // The older backup at this place goes only when the new one is whole: the disk may be full.
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
  // Earlier versions kept every text. One that cannot be removed stays.
  for (const old of present.filter((each) => numberOf(each) > backupsMax && each !== path)) {
    if ((await readBackup(old)) !== undefined) await unlink(old).catch(() => undefined);
  }
  return path;
}

/** Where a backup goes: the first place that is free, or has a text that it may take the place of. */
async function placeFor({ path }: ConfigFile, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const place = `${path}.vaultdoor-backup${number === 1 ? '' : `-${number}`}`;
    if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return place;
    const there = number === 1 ? undefined : await readBackup(place);
    if (there !== undefined && (!ours.test(text) || ours.test(there.toString()))) return place;
  }
}

/**
 * Removes the backups of a file that is again as one of them has it, or that is gone. A backup with
 * another text from before Vaultdoor stays, and one that cannot be removed. Answers the paths of those
 * that are left.
 */
export async function dropBackups(
  file: ConfigFile,
  text: string | undefined,
): Promise<readonly string[]> {
  const paths = await backupPaths(file);
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await readBackup(path);
    if (bytes !== undefined) texts.set(path, bytes.toString());
  }
  if (text !== undefined && !Array.from(texts.values()).includes(text)) return paths;
  const left: string[] = [];
  for (const path of paths) {
    const kept = texts.get(path);
    const isDropped = kept !== undefined && (kept === text || ours.test(kept));
    if (!isDropped || !(await isRemoved(path))) left.push(path);
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

async function backupPaths({ path }: ConfigFile): Promise<string[]> {
  const folder = dirname(path);
  const start = `${basename(path)}.vaultdoor-backup`;
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && /^(-\d+)?$/.test(name.slice(start.length)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => join(folder, name));
}

/** Fails with `conflict` when the file is no longer as it was read. */
function refuseIfChanged({ path, real, text }: ConfigFile): void {
  let now: string | undefined;
  try {
    now = decoded(path, readFileSync(real));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  if (now !== text) {
    throw new VaultError('conflict', `"${path}" was changed by another program; try again.`);
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new VaultError('invalid_input', `"${path}" is not UTF-8 text; it was left as it is.`);
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
