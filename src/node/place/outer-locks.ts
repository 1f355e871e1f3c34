import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { vaultFolders } from './vault-folders.ts';

/**
 * Tells the lock files of vaults that lie around the one at a real path, whenever asked. Every vault that was ever
 * opened has a folder for its state; one that has not written yet has no lock file in it, but may
 * be about to: its file is answered too, for whoever locks it to make.
 */
export function findOuterLocks(
  realPath: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): () => readonly string[] {
  const { dirname, join } = platform === 'win32' ? win32 : posix;
  const states: string[] = [];
  for (let inner = realPath, folder = dirname(inner); folder !== inner; ) {
    states.push(vaultFolders(folder, env, platform).state);
    inner = folder;
    folder = dirname(inner);
  }
  return () => states.filter((state) => existsSync(state)).map((state) => join(state, 'lock.db'));
}
