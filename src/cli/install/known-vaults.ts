import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { VaultChoice } from '../choose-vault.ts';
import { type Machine, obsidianFiles } from './client-places.ts';

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

/** The vaults of an `obsidian.json`; none in anything else. */
export function vaultsIn(text: string): readonly { path: string; openedMs: number }[] {
  try {
    const { vaults } = JSON.parse(text) as { vaults?: unknown };
    return Object.values(vaults ?? {}).flatMap((vault: { path?: unknown; ts?: unknown } | null) =>
      typeof vault?.path === 'string'
        ? [{ path: vault.path, openedMs: Number(vault.ts) || 0 }]
        : [],
    );
  } catch {
    return []; // A help, not a need: there is always --vault.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
