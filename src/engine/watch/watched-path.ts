import { fileNameOf, isHidden } from '../../base/vault-path.ts';

/**
 * Whether changes under this path are of interest. Git's own files and installed packages of plugins
 * change by the thousand and mean nothing to a vault.
 */
export function isWatchedPath(path: string): boolean {
  if (isTemporaryName(fileNameOf(path))) return false;
  if (!isHidden(path)) return true;
  const names = path.split('/');
  return !names.includes('.git') && !names.includes('node_modules');
}

/**
 * Whether a name is that of a temporary file, ours or that of the first public daemon of the remote
 * protocol: nobody should hear of those.
 */
export function isTemporaryName(name: string): boolean {
  return name.endsWith('.tmp') && (name.startsWith('.~vd-') || name.startsWith('.rsh-write-'));
}
