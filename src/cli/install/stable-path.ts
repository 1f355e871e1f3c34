/** Folders that a version manager, a package manager or a cache may remove, and whose they are. */
const removableFolders: readonly (readonly [RegExp, string])[] = [
  [/[\\/]_npx[\\/]/, "npx's cache"],
  [/[\\/]dlx-/, "pnpm's cache"],
  [/[\\/]\.?nvm[\\/]/i, 'nvm'],
  [/[\\/](\.?fnm|fnm_multishells)[\\/]/, 'fnm'],
  [/[\\/]\.?volta[\\/]/i, 'Volta'],
  [/[\\/]\.?asdf[\\/]/, 'asdf'],
  [/[\\/]\.?mise[\\/]/, 'mise'],
  [/[\\/]\.nodenv[\\/]/, 'nodenv'],
  [/[\\/]n[\\/]versions[\\/]/, 'n'],
  [/[\\/]Cellar[\\/]/, 'Homebrew'],
  [/^[\\/]nix[\\/]store[\\/]/, 'Nix'],
];

/**
 * A path to the same file that an upgrade does not break, or `path` itself where there is none.
 * Homebrew has such a path: `opt/node` always leads to the newest version in `Cellar/node`.
 * `realPath` answers undefined for a file that does not exist.
 */
export function stablePath(path: string, realPath: (path: string) => string | undefined): string {
  const stable = path.replace(/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/');
  const real = realPath(stable);
  return real !== undefined && real === realPath(path) ? stable : path;
}

/**
 * The program whose upgrade or cleanup may remove this path, e.g. `nvm`; undefined for a path in any
 * other folder.
 */
export function mayBeRemovedBy(path: string): string | undefined {
  return removableFolders.find(([pattern]) => pattern.test(path))?.[1];
}
