import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';

/** A vault by its folder, and the name it is called by. */
export interface VaultChoice {
  readonly name: string;
  readonly path: string;
}

/** The variables that may name the vault, in the order in which a program looks at them. */
export type VaultVariables = readonly ('OBSIDIAN_VAULT_PATH' | 'VAULT_PATH')[];

/** The variables of `serve`, and of `token`, which makes tokens for it. */
export const serveVariables: VaultVariables = ['VAULT_PATH', 'OBSIDIAN_VAULT_PATH'];

/** The variables of every other command. */
export const vaultVariables: VaultVariables = ['OBSIDIAN_VAULT_PATH', 'VAULT_PATH'];

/** Where a vault is looked for that `--vault` does not name. */
interface VaultSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly currentFolder: string;
}

/**
 * The vault of `--vault`, or of the first variable that is set, or the one that the current folder is
 * or lies in, if Obsidian has opened it. Its name is that of its folder, or the one in
 * `--vault name=path`. `~/` is the home folder, because shells do not replace it in `--vault=~/Notes`.
 * Fails with `invalid_input` when none of these names a vault, and when two variables lead to different
 * folders: whichever was taken, notes might be served that should not be.
 */
export function chooseVault(
  flag: string | undefined,
  { env, currentFolder }: VaultSurroundings,
  variables: VaultVariables = vaultVariables,
): VaultChoice {
  if (flag === '') throw new VaultError('invalid_input', '--vault needs a folder.');
  if (flag !== undefined) return vaultAt(flag, currentFolder);
  const named = variables.flatMap((variable) => {
    const value = env[variable];
    return value ? [{ variable, choice: vaultAt(value, currentFolder) }] : [];
  });
  const [first, second] = named;
  if (first !== undefined && second !== undefined && !isSameFolder(first.choice, second.choice)) {
    const [one, other] = named.map(({ variable, choice }) => `${variable} ("${choice.path}")`);
    throw new VaultError(
      'invalid_input',
      `${one} and ${other} lead to different folders; give --vault <folder>, or unset one of them.`,
    );
  }
  if (first !== undefined) return first.choice;
  const around = vaultAround(currentFolder);
  if (around !== undefined) return { name: basename(around), path: around };
  throw new VaultError(
    'invalid_input',
    `No vault: give --vault <folder>, or set ${variables.join(' or ')} to the folder of your notes, or run this in that folder (it has a folder ".obsidian").`,
    { details: unnamed },
  );
}

/**
 * The nearest folder that Obsidian has opened as a vault: this one, or one around it. Undefined when
 * there is none, and when the nearest one around it is not the user's own: in /tmp anybody can make a
 * ".obsidian", and would get the notes that the user writes.
 */
function vaultAround(currentFolder: string): string | undefined {
  for (let folder = currentFolder; ; folder = dirname(folder)) {
    if (isFolder(join(folder, '.obsidian'))) {
      return folder === currentFolder || isOwn(folder) ? folder : undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a path is a folder, or a symlink to one: some people share one ".obsidian" by links. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // It may not be looked at.
  }
}

/** Whether a folder and its ".obsidian" are the user's own. Windows does not say whose they are. */
function isOwn(folder: string): boolean {
  if (process.getuid === undefined) {
    const inHome = relative(homedir(), folder);
    return !inHome.startsWith('..') && !isAbsolute(inHome); // Absolute on another drive.
  }
  const me = process.getuid();
  return [folder, join(folder, '.obsidian')].every((path) => lstatSync(path).uid === me);
}

const unnamed = { vault: 'unnamed' } as const;

/** Whether `chooseVault` has failed because nothing names a vault. */
export function isUnnamed(error: unknown): error is VaultError {
  return error instanceof VaultError && error.details === unnamed;
}

/** The vault that the user has written as `<folder>` or as `<name>=<folder>`. */
function vaultAt(given: string, currentFolder: string): VaultChoice {
  // A folder that exists may have a "=" in its own name.
  const named = /^([\p{L}\p{N} ._-]+)=(.+)$/u.exec(given);
  if (named?.[1] !== undefined && named[2] !== undefined && !existsSync(given)) {
    return { name: named[1], path: resolve(currentFolder, atHome(named[2])) };
  }
  const path = resolve(currentFolder, atHome(given));
  return { name: basename(path) || path, path };
}

function isSameFolder(one: VaultChoice, other: VaultChoice): boolean {
  return realPathOf(one.path) === realPathOf(other.path);
}

/** The path without symlinks; as it is where nothing is there. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * The vaults of several `--vault`, each with a different name; without any, the one of `chooseVault`.
 * A folder that is given twice is one vault. Where two folders have the same name, the second is called
 * after the folder around it too. Fails with `invalid_input` when the user gave two the same name.
 */
export function chooseVaults(
  flags: readonly string[],
  surroundings: VaultSurroundings,
  variables: VaultVariables = vaultVariables,
): readonly VaultChoice[] {
  if (flags.length === 0) return [chooseVault(undefined, surroundings, variables)];
  const choices = flags.map((flag) => chooseVault(flag, surroundings));
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
