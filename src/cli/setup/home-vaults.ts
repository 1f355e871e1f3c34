import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { VaultChoice } from '../options/choose-vault.ts';

/**
 * The vaults in the home folder, and in the folders directly in it: those that have `.obsidian`. For a
 * machine on which Obsidian itself has never run. Looks at a limited number of folders.
 */
export function homeVaults(home: string): readonly VaultChoice[] {
  const first = foldersIn(home);
  const all = [...first, ...first.filter((folder) => !isVault(folder)).flatMap(foldersIn)];
  return all
    .slice(0, limits.homeFoldersMax)
    .filter(isVault)
    .slice(0, limits.homeVaultsMax)
    .map((path) => ({ name: basename(path), path }));
}

function isVault(folder: string): boolean {
  return existsSync(join(folder, '.obsidian'));
}

/** The folders in a folder, but for hidden ones; none when it cannot be read. */
function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
      .slice(0, limits.homeFoldersMax)
      .map(({ name }) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}
