import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { foldName } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { CloseName } from './findable-names.ts';
import { closestNames } from './findable-names.ts';

const candidatesMax = 5;

/**
 * Makes the failure for a name that leads to no file. It says whose alias the name is, that it is a
 * folder, or which names are similar. Uses the index as it is now, because an exact path must not
 * wait for it.
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
  const hints = [
    ...(named.length > 0
      ? [`It is an alias of ${named.map(({ path }) => `"${path}"`).join(', ')}: use that path.`]
      : []),
    ...((await isFolder(vault, asked)) ? ['It is a folder: name a file in it.'] : []),
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
    { details: { name: asked, ...(candidates.length > 0 ? { candidates } : {}) } },
  );
}

/** The agent toolset, which asks by path, has no list of notes. */
function adviceToSearch({ byPath }: { byPath: boolean }): string {
  return byPath
    ? 'Search for it to find its path.'
    : 'Search for it, or list the notes, to find its name.';
}

/** Returns no names when the index cannot answer, because the call fails for another reason. */
async function nearNames(vault: BoundVault, asked: VaultPath): Promise<readonly CloseName[]> {
  try {
    return await closestNames(vault, asked, candidatesMax);
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}

function shown({ name, path, alias }: CloseName, { byPath }: { byPath: boolean }): string {
  const called = byPath ? path : name;
  return alias === undefined ? `"${called}"` : `"${called}" (alias "${alias}")`;
}

async function isFolder(vault: BoundVault, path: VaultPath): Promise<boolean> {
  return vault.seesFolder(path) && (await vault.vault.parts.disk.kind(path)) === 'folder';
}
