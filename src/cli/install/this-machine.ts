import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute } from 'node:path';
import type { Shell } from '../shell/shell.ts';
import {
  type ClientId,
  clientPlaces,
  type Machine,
  type Place,
  packagesFolder,
} from './client-places.ts';
import { isSameSpelling } from './server-entry.ts';

/** The machine that the command runs on. */
export function thisMachine({ env, currentFolder }: Shell): Machine {
  const { platform } = process;
  const given = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  // With an empty HOME, every path would be in the current folder.
  const home = [given, homedir()].find((path) => path && isAbsolute(path)) ?? userInfo().homedir;
  const packageNames = platform === 'win32' ? namesIn(packagesFolder({ env, home })) : [];
  return { platform, env, home, currentFolder, packageNames };
}

/** The configuration files of a client; none when no sign of the client is found. */
export function installedPlaces(client: ClientId, machine: Machine): readonly Place[] {
  return clientPlaces(client, machine).filter(({ signs }) =>
    signs.some((sign) => existsSync(sign)),
  );
}

/**
 * Whether two paths lead to the same vault. Relative paths, and those that do not exist, are compared
 * by spelling.
 */
export function isSameVault(a: string, b: string): boolean {
  const real = (path: string) => (isAbsolute(path) ? realPath(path) : undefined) ?? path;
  return isSameSpelling(real(a), real(b), process.platform);
}

/** Whether a path names a folder that does not exist. Of a relative path that is not known. */
export function isGone(path: string): boolean {
  return isAbsolute(path) && !existsSync(path);
}

/**
 * Whether a vault that does not exist seems to be the one at `to`, moved or misspelled: it has the same
 * name or would be in the same folder. The folder around it must exist; otherwise it may be on a drive
 * that is not there now.
 */
export function isMoved(from: string, to: string): boolean {
  if (!isGone(from) || !existsSync(dirname(from))) return false;
  return basename(from) === basename(to) || isSameVault(dirname(from), dirname(to));
}

/** The path with symlinks resolved; undefined when it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
