import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { UserPlace } from '../../node/place/app-folders.ts';
import { obsidianFiles, vaultsIn } from '../../node/programs/obsidian/obsidian-vaults.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { isSameVault } from './this-machine.ts';

/** Obsidian's own list of vaults: those that are open, then the one opened last. */
export function obsidianVaults(machine: UserPlace): readonly { path: string; isOpen: boolean }[] {
  return obsidianFiles(machine)
    .flatMap((file) => vaultsIn(textOf(file)))
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.openedMs - a.openedMs);
}

/** The paths in that list. */
export function obsidianList(machine: UserPlace): readonly string[] {
  return obsidianVaults(machine).map(({ path }) => path);
}

/** The folders of a list that exist, each once, with their names. */
export function existing(
  paths: readonly string[],
  { platform }: UserPlace,
): readonly VaultChoice[] {
  const { basename } = platform === 'win32' ? win32 : posix;
  const there = paths.filter((path) => existsSync(path));
  const once = there.filter(
    (path, at) => there.findIndex((other) => isSameVault(other, path)) === at,
  );
  return once.map((path) => ({ name: basename(path) || path, path }));
}

/** The text of a file; empty when it cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file).toString('utf8');
  } catch {
    return '';
  }
}
