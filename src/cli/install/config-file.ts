import { lstatSync, readFileSync, renameSync } from 'node:fs';
import { open, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { refuseUnlessFile } from '../../node/disk/regular-file.ts';
import { stageFile } from '../../node/disk/stage-file.ts';
import { diskError, errnoOf } from '../../node/system/disk-error.ts';
import { makeFolders } from '../../node/system/private-files.ts';
import { retryWhileHeld } from '../../node/system/retry-while-held.ts';
import { type Backup, backUp } from './backups.ts';

/** The configuration file of a client, as it was read. */
export interface ConfigFile {
  readonly path: string;
  /** The path with symlinks resolved. This file is replaced, so that a symlink to it stays. */
  readonly real: string;
  /** Absent when the file does not exist. */
  readonly text?: string;
}

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
export async function replaceConfigFile(file: ConfigFile, text: string): Promise<Backup> {
  const { path, real } = file;
  const temporary = join(dirname(real), `.~vd-${process.pid}.tmp`);
  try {
    await makeFolders(dirname(real));
    const place = { path, target: real, temporary };
    await stageFile(place, new TextEncoder().encode(text), { platform: process.platform });
    let kept: Backup = {};
    try {
      await sync(temporary);
      if (file.text !== undefined) kept = await backUp(file, file.text);
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
    return kept;
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
