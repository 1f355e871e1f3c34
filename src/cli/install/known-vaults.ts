import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { obsidianFiles, vaultsIn } from '../../node/programs/obsidian/obsidian-vaults.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Machine } from './client-places.ts';

/** The vaults that Obsidian knows and that are still there, the one opened last first. */
export function knownVaults(machine: Machine): readonly VaultChoice[] {
  const paths = obsidianFiles(machine)
    .flatMap((file) => vaultsIn(textOf(file)))
    .sort((a, b) => b.openedMs - a.openedMs)
    .map(({ path }) => path)
    .filter((path) => existsSync(path));
  const { basename } = machine.platform === 'win32' ? win32 : posix;
  return [...new Set(paths)].map((path) => ({ name: basename(path) || path, path }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
