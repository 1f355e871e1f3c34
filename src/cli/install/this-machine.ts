import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
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
  // An empty HOME would make every path one of the current folder.
  const home = [given, homedir()].find((path) => path && isAbsolute(path)) ?? userInfo().homedir;
  const packageNames = platform === 'win32' ? namesIn(packagesFolder({ env, home })) : [];
  return { platform, env, home, currentFolder, packageNames };
}

/** The files of a client that is there: none where it does not seem to be installed. */
export function placesThatExist(client: ClientId, machine: Machine): readonly Place[] {
  return clientPlaces(client, machine).filter(({ signs }) =>
    signs.some((sign) => existsSync(sign)),
  );
}

/** Whether two paths lead to the same vault; what is not there is told by its spelling. */
export function isSameVault(a: string, b: string): boolean {
  const real = (path: string) => (isAbsolute(path) ? realPath(path) : undefined) ?? path;
  return isSameSpelling(real(a), real(b), process.platform);
}

/** A real path; undefined for what does not exist. */
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
