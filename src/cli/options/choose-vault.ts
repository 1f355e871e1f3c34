import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';

/** A vault by its folder, and the name it is called by. */
export interface VaultChoice {
  readonly name: string;
  readonly path: string;
}

/**
 * The vault of `--vault`, `OBSIDIAN_VAULT_PATH` or `VAULT_PATH`, in this order, or the current folder
 * if Obsidian has opened it. Its name is that of its folder, or the one in `--vault name=path`. `~/`
 * is the home folder, because shells do not replace it in `--vault=~/Notes`. Fails with `invalid_input` when none of
 * these names a vault.
 */
export function chooseVault(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  currentFolder: string,
): VaultChoice {
  if (flag === '') throw new VaultError('invalid_input', '--vault needs a folder.');
  const given = flag || env['OBSIDIAN_VAULT_PATH'] || env['VAULT_PATH'];
  if (given) {
    // A folder that exists may have a "=" in its own name.
    const named = /^([\p{L}\p{N} ._-]+)=(.+)$/u.exec(given);
    if (named?.[1] !== undefined && named[2] !== undefined && !existsSync(given)) {
      return { name: named[1], path: resolve(currentFolder, atHome(named[2])) };
    }
    const path = resolve(currentFolder, atHome(given));
    return { name: basename(path) || path, path };
  }
  if (existsSync(join(currentFolder, '.obsidian'))) {
    return { name: basename(currentFolder), path: currentFolder };
  }
  throw new VaultError(
    'invalid_input',
    'No vault: give --vault <folder>, or set OBSIDIAN_VAULT_PATH to the folder of your notes.',
  );
}

/**
 * The vaults of several `--vault`, each with a different name; without any, the one of `chooseVault`.
 * A folder that is given twice is one vault. Where two folders have the same name, the second is called
 * after the folder around it too. Fails with `invalid_input` when the user gave two the same name.
 */
export function chooseVaults(
  flags: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  currentFolder: string,
): readonly VaultChoice[] {
  if (flags.length === 0) return [chooseVault(undefined, env, currentFolder)];
  const choices = flags.map((flag) => chooseVault(flag, env, currentFolder));
  const folders = choices.filter(
    ({ path }, at) => choices.findIndex((other) => other.path === path) === at,
  );
  const names: string[] = [];
  const isTaken = (name: string): boolean => names.some((taken) => isSameName(taken, name));
  for (const { name, path } of folders) {
    // A name that is not the folder's was given by the user.
    if (isTaken(name) && name !== basename(path)) {
      throw new VaultError(
        'invalid_input',
        `Two vaults are called "${name}"; give them different names: --vault <name>=<folder>.`,
      );
    }
    names.push(freeName(name, path, isTaken));
  }
  return folders.map(({ path }, at) => ({ name: names[at] ?? path, path }));
}

/** A name that no other vault has: its own, or with the folder around it, or with a number too. */
function freeName(name: string, path: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const longer = `${name} (${basename(dirname(path)) || dirname(path)})`;
  if (!isTaken(longer)) return longer;
  let number = 2;
  while (isTaken(`${longer} ${number}`)) number++;
  return `${longer} ${number}`;
}

function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

function atHome(path: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? join(homedir(), path.slice(1)) : path;
}
