import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { foldName } from '../../base/vault-path.ts';
import { askedName, mistakesIn } from '../../engine/text/closeness.ts';
import type { Shell } from '../shell/shell.ts';
import {
  type ClientId,
  clientPlaces,
  type Machine,
  type Place,
  packagesFolder,
} from './client-places.ts';
import { isDrive, isSameSpelling } from './server-entry.ts';

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

/** Whether a path that does not exist may be on a drive that is not there now, judged by its spelling. */
export function mayBeAway(path: string): boolean {
  if (!isGone(path)) return false;
  return isDrive(resolve(path), process.platform) || mayBeAway(dirname(path));
}

/**
 * Whether a vault that does not exist seems to be the one at `to`, moved or misspelled: it has the same
 * name, or would be in the same folder with a name that is one typing mistake away. The folder around it
 * must exist and must not be one for drives; otherwise it may be on a drive that is not there now.
 */
export function isMoved(from: string, to: string): boolean {
  if (!isGone(from)) return false;
  const [path, name] = [resolve(from), basename(from)];
  const folder = realPath(dirname(path));
  if (folder === undefined) return false;
  if ([path, join(folder, name)].some((each) => isDrive(each, process.platform))) return false;
  if (name === basename(to)) return true;
  return isSameVault(folder, dirname(to)) && isMistyped(name, basename(to));
}

/** "Notes 2025" is no "Notes 2026" with a mistake in it, so the digits must be the same. */
function isMistyped(name: string, right: string): boolean {
  const digits = (text: string): string => text.replace(/\P{N}/gu, '');
  const mistakes = mistakesIn(askedName(name), foldName(right));
  return mistakes !== undefined && mistakes <= 1 && digits(name) === digits(right);
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
