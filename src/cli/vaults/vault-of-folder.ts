import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { VaultChoice } from '../options/choose-vault.ts';

/**
 * Finds the vault that a folder belongs to: the folder is that of the vault, or lies in it. With a
 * vault inside another one, the inner one is meant. Undefined when the folder is in none, or does
 * not exist.
 */
export function vaultOfFolder(
  choices: readonly VaultChoice[],
): (folder: string) => Promise<string | undefined> {
  return async (folder) => {
    const asked = await realPath(folder);
    if (asked === undefined) return undefined;
    const roots = await Promise.all(
      choices.map(async ({ name, path }) => ({ name, root: await realPath(path) })),
    );
    const inner = roots
      .filter(({ root }) => root !== undefined && isWithin(asked, root))
      .sort((a, b) => (b.root?.length ?? 0) - (a.root?.length ?? 0));
    return inner[0]?.name;
  };
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
