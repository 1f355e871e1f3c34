import { pathKey } from '../../base/vault-path.ts';
import type { Params } from './call-params.ts';

const changedFields = ['path', 'oldPath', 'newPath', 'destPath'] as const;
/** A call that names more paths counts as one that names the vault: each is compared with others. */
const pathsMax = 64;

/** The paths that a changing call changes, each in the spelling that events have. */
export function changedPaths(params: Params): readonly string[] {
  return plainPaths(changedFields.map((field) => params[field]));
}

/** The paths that a call reads or changes; the vault itself where it names none. */
export function touchedPaths(params: Params): readonly string[] {
  const { srcPath, paths } = params;
  const several: readonly unknown[] = Array.isArray(paths) ? paths : [];
  if (several.length > pathsMax) return [''];
  const touched = [...changedPaths(params), ...plainPaths([srcPath, ...several])];
  return touched.length === 0 ? [''] : touched;
}

/** Whether something is in both lists, or in a folder of the other. */
export function overlap(some: readonly string[], others: readonly string[]): boolean {
  const keys = others.map(pathKey);
  return some.some((path) => {
    const key = pathKey(path);
    return keys.some((other) => isIn(key, other) || isIn(other, key));
  });
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** What is no good path, and refused later, may stay as it is. */
function plainPaths(paths: readonly unknown[]): readonly string[] {
  return paths
    .filter((path) => typeof path === 'string')
    .map((path) => {
      const names = path.split('/').filter((name) => name !== '' && name !== '.');
      return names.join('/');
    });
}
