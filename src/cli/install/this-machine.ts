import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Shell } from '../run.ts';
import {
  type ClientId,
  clientPlaces,
  type Machine,
  type Place,
  packagesFolder,
} from './client-places.ts';

/** The machine that the command runs on. */
export function thisMachine({ env, currentFolder }: Shell): Machine {
  const { platform } = process;
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  const packageNames = platform === 'win32' ? namesIn(packagesFolder({ env, home })) : [];
  return { platform, env, home, currentFolder, packageNames };
}

/** The files of a client that is there: none where it does not seem to be installed. */
export function placesThatExist(client: ClientId, machine: Machine): readonly Place[] {
  return clientPlaces(client, machine).filter(({ signs }) =>
    signs.some((sign) => existsSync(sign)),
  );
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
