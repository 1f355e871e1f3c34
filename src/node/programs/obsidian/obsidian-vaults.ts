import { readFile, realpath } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { VaultError } from '../../../base/vault-error.ts';
import { appDataFolder, type UserPlace } from '../../place/app-folders.ts';

/** A vault in Obsidian's own list. */
interface ListedVault {
  /** 16 hex digits. The CLI and `obsidian://` accept it wherever they accept a name. */
  readonly id: string;
  readonly path: string;
  readonly openedMs: number;
  /** Whether it is open in the app now, or was when the app was closed. */
  readonly isOpen: boolean;
}

/** The files in which Obsidian may keep its list of vaults, one for each way to install it. */
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

/** The vaults in the text of an `obsidian.json`; none if it cannot be understood. */
export function vaultsIn(text: string): readonly ListedVault[] {
  try {
    const { vaults } = JSON.parse(text) as { vaults?: unknown };
    return Object.entries(vaults ?? {}).flatMap(([id, vault]: [string, ListedEntry]) =>
      typeof vault?.path === 'string'
        ? [{ id, path: vault.path, openedMs: Number(vault.ts) || 0, isOpen: vault.open === true }]
        : [],
    );
  } catch {
    return []; // The list is only a convenience: a vault can always be given with --vault.
  }
}

type ListedEntry = { readonly [key in 'path' | 'ts' | 'open']?: unknown } | null;

/**
 * The name by which the app knows the vault at a real path: its id in the app's own list or, if it is
 * not listed, the name of its folder. Fails with `vault_not_found` when the list has only another
 * vault of that name: the app would run the command there.
 */
export async function appVaultName(root: string, place: UserPlace): Promise<string> {
  const { basename } = place.platform === 'win32' ? win32 : posix;
  const name = basename(root);
  const listed = await listedVaults(place);
  const same = listed.find(({ path }) => path === root) ?? (await findReal(root, listed));
  if (same !== undefined) return same.id;
  if (!listed.some(({ path }) => basename(path) === name)) return name;
  throw new VaultError(
    'vault_not_found',
    `Obsidian knows another vault named "${name}", but not this one. Open this vault's folder in Obsidian once, and try again.`,
    { details: { vault: name } },
  );
}

async function listedVaults(place: UserPlace): Promise<readonly ListedVault[]> {
  const texts = obsidianFiles(place).map((file) => readFile(file, 'utf8').catch(() => ''));
  return (await Promise.all(texts)).flatMap(vaultsIn);
}

/** Finds a vault whose listed path is spelled differently: through a symlink, or in another case. */
async function findReal(
  root: string,
  listed: readonly ListedVault[],
): Promise<ListedVault | undefined> {
  const paths = await Promise.all(listed.map(({ path }) => realpath(path).catch(() => undefined)));
  return listed[paths.indexOf(root)];
}
