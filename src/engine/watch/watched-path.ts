import { fileNameOf, isHidden } from '../../base/vault-path.ts';

/**
 * Whether subscribers get events about this path. They get none about temporary files, nor about
 * `.git` and the `node_modules` of plugins, where thousands of files change that mean nothing to a
 * vault. (`node_modules` counts only below a dot folder; elsewhere it is a folder of the user.)
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
