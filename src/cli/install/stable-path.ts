/** Folders that belong to one version of Node, or to a cache. */
const passing: readonly (readonly [RegExp, string])[] = [
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
 * A path that outlives upgrades: Homebrew has one for each program that always leads to its newest
 * version. `realPath` answers undefined for what does not exist.
 */
export function lastingPath(path: string, realPath: (path: string) => string | undefined): string {
  const lasting = path.replace(/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/');
  const real = realPath(lasting);
  return real !== undefined && real === realPath(path) ? lasting : path;
}

/** Whose folder a path lies in that an upgrade or a cleaning may remove; undefined in any other. */
export function passingFolder(path: string): string | undefined {
  return passing.find(([pattern]) => pattern.test(path))?.[1];
}
