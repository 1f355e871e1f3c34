import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, foldName, stemOf } from '../../base/vault-path.ts';
import { readDailySettings } from '../settings/note-settings.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { CloseName } from './findable-names.ts';
import { closestNames } from './findable-names.ts';

const candidatesMax = 5;

/**
 * Makes the failure for a name that leads to no file. It says whose alias the name is, that it is a
 * folder, where daily notes are if the name is a date, or which names are similar. Uses the index
 * as it is now, because an exact path must not wait for it.
 */
export async function noteNotFound(
  vault: BoundVault,
  asked: VaultPath,
  /** Whether the caller accepts exact paths only: then the failure lists paths instead of names. */
  options: { readonly byPath: boolean },
): Promise<VaultError> {
  const close = await nearNames(vault, asked);
  const isAlias = ({ alias }: CloseName): boolean =>
    alias !== undefined && foldName(alias) === foldName(asked);
  const named = close.filter(isAlias);
  const others = close.filter((other) => !isAlias(other));
  const isFolder = await isFolderAt(vault, asked);
  const daily = await dailyNotes(vault, asked, others);
  const hints = [
    ...(named.length > 0
      ? [`It is an alias of ${named.map(({ path }) => `"${path}"`).join(', ')}: use that path.`]
      : []),
    ...(isFolder ? ['It is a folder: name a file in it.'] : []),
    ...(daily?.folder ? [`Daily notes are in "${daily.folder}".`] : []),
    ...(others.length > 0
      ? [`Closest: ${others.map((other) => shown(other, options)).join(', ')}.`]
      : []),
  ];
  const candidates = [...named, ...others].map(({ path }) => path);
  return new VaultError(
    'not_found',
    [
      `There is no note "${asked}" in the vault.`,
      ...(hints.length > 0 ? hints : [adviceToSearch(options)]),
    ].join(' '),
    {
      details: {
        name: asked,
        ...(candidates.length > 0 ? { candidates } : {}),
        ...(isFolder ? { folder: asked } : {}),
        ...(daily === undefined ? {} : { date: daily.date }),
      },
    },
  );
}

const dateName = /^\d{4}-\d\d-\d\d$/;

/**
 * The day that a name stands for, and the folder where the vault has its daily notes: that of the
 * settings, or of the similar names that are dates. Undefined for a name that is not a date, and
 * for a vault without daily notes that the caller may see.
 */
async function dailyNotes(
  vault: BoundVault,
  asked: VaultPath,
  close: readonly CloseName[],
): Promise<{ readonly date: string; readonly folder: VaultFolder } | undefined> {
  const date = stemOf(asked);
  if (!dateName.test(date)) return undefined;
  const set = await dailyFolder(vault);
  if (set) return vault.seesFolder(set) ? { date, folder: set } : undefined;
  const dated = close.find(({ path }) => dateName.test(stemOf(path)));
  return dated && { date, folder: folderOf(dated.path) };
}

/** The folder of daily notes in the vault's settings; undefined when they cannot be used. */
async function dailyFolder(vault: BoundVault): Promise<VaultFolder | undefined> {
  try {
    return (await readDailySettings(vault.vault.parts.disk)).folder;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** The agent toolset, which asks by path, has no list of notes. */
function adviceToSearch({ byPath }: { byPath: boolean }): string {
  return byPath
    ? 'Search for it to find its path.'
    : 'Search for it, or list the notes, to find its name.';
}

/**
 * The names closest to the one asked for, of files that are there: where the index still has one that
 * is gone, it gets a moment to find out. Returns no names when the index cannot answer, because the
 * call fails for another reason.
 */
async function nearNames(vault: BoundVault, asked: VaultPath): Promise<readonly CloseName[]> {
  try {
    const close = await closestNames(vault, asked, candidatesMax);
    const there = await filesThere(vault, close);
    if (there.length === close.length) return there;
    await vault.vault.parts.keeper.settleWithin(limits.courtesyWaitMs);
    return await filesThere(vault, await closestNames(vault, asked, candidatesMax));
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}

async function filesThere(
  vault: BoundVault,
  names: readonly CloseName[],
): Promise<readonly CloseName[]> {
  const stats = await Promise.all(names.map(({ path }) => vault.stat(path)));
  return names.filter((_, at) => stats[at] !== undefined);
}

function shown({ name, path, alias }: CloseName, { byPath }: { byPath: boolean }): string {
  const called = byPath ? path : name;
  return alias === undefined ? `"${called}"` : `"${called}" (alias "${alias}")`;
}

async function isFolderAt(vault: BoundVault, path: VaultPath): Promise<boolean> {
  return vault.seesFolder(path) && (await vault.vault.parts.disk.kind(path)) === 'folder';
}
