import { posix, win32 } from 'node:path';
import { appDataFolder, type UserPlace } from '../../place/app-data-folder.ts';

/** A vault as Obsidian's own list has it. */
export interface ListedVault {
  /** 16 hex digits; the CLI and `obsidian://` take it wherever they take a name. */
  readonly id: string;
  readonly path: string;
  readonly openedMs: number;
}

/** Where Obsidian may keep its list of vaults, one for each way to install it. */
export function obsidianFiles(place: UserPlace): readonly string[] {
  const { platform, home } = place;
  const { join } = platform === 'win32' ? win32 : posix;
  const folders =
    platform === 'win32' || platform === 'darwin'
      ? [appDataFolder(place)]
      : [
          appDataFolder(place),
          join(home, '.var', 'app', 'md.obsidian.Obsidian', 'config'),
          join(home, 'snap', 'obsidian', 'current', '.config'),
          join(home, 'snap', 'obsidian', 'common', '.config'),
        ];
  return folders.map((folder) => join(folder, 'obsidian', 'obsidian.json'));
}

/** The vaults of an `obsidian.json`; none in anything else. */
export function vaultsIn(text: string): readonly ListedVault[] {
  try {
    const { vaults } = JSON.parse(text) as { vaults?: unknown };
    return Object.entries(vaults ?? {}).flatMap(([id, vault]: [string, ListedEntry]) =>
      typeof vault?.path === 'string'
        ? [{ id, path: vault.path, openedMs: Number(vault.ts) || 0 }]
        : [],
    );
  } catch {
    return []; // A help, not a need: there is always --vault.
  }
}

type ListedEntry = { readonly path?: unknown; readonly ts?: unknown } | null;
