import { fileNameOf, isHidden } from '../../base/vault-path.ts';

/**
 * Whether changes at this path are told. Not those of temporary files, nor those in `.git` and in
 * the `node_modules` of plugins, where thousands of files change that mean nothing to a vault.
 */
export function isWatchedPath(path: string): boolean {
  if (isTemporaryName(fileNameOf(path))) return false;
  if (!isHidden(path)) return true;
  const names = path.split('/');
  return !names.includes('.git') && !names.includes('node_modules');
}

/**
 * Whether a name is that of a temporary file: one of ours, or one of the first public daemon of the
 * remote protocol.
 */
export function isTemporaryName(name: string): boolean {
  return name.endsWith('.tmp') && (name.startsWith('.~vd-') || name.startsWith('.rsh-write-'));
}
