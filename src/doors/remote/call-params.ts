import { isObject } from '../../base/json.ts';
import { pathKey } from '../../base/vault-path.ts';

/** The parameters of a call. */
export type Params = Readonly<Record<string, unknown>>;

const none: Params = {};

/**
 * The parameters of a request as the tools expect them: without fields that are null, and without
 * `vault`, because this door has one vault and ignores fields that it does not know. Absent
 * parameters become an empty object. Undefined when they are not an object.
 */
export function readParams(params: unknown): Params | undefined {
  if (params === undefined || params === null) return none;
  if (!isObject(params)) return undefined;
  for (const name in params) {
    if (isIgnored(name, params[name])) return withoutIgnored(params);
  }
  return params;
}

function withoutIgnored(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !isIgnored(name, value)),
  );
}

function isIgnored(name: string, value: unknown): boolean {
  return value === null || name === 'vault';
}

const changedFields = ['path', 'oldPath', 'newPath', 'destPath'] as const;

/**
 * A call with more paths than this counts as touching the whole vault, which is cheaper to compare.
 */
const pathsMax = 64;

/** The paths that a changing call changes, spelled as in the notifications of changes. */
export function changedPaths(params: Params): readonly string[] {
  return plainPaths(changedFields.map((field) => params[field]));
}

/** The paths that a call reads or changes; the whole vault (`''`) when it names none. */
export function touchedPaths(params: Params): readonly string[] {
  const { srcPath, paths } = params;
  const several: readonly unknown[] = Array.isArray(paths) ? paths : [];
  if (several.length > pathsMax) return [''];
  const touched = [...changedPaths(params), ...plainPaths([srcPath, ...several])];
  return touched.length === 0 ? [''] : touched;
}

/** Whether a path of one list equals, or is inside, a path of the other list. */
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

/** The paths without empty and `.` names. Invalid paths are kept: the tool refuses them later. */
function plainPaths(paths: readonly unknown[]): readonly string[] {
  return paths
    .filter((path) => typeof path === 'string')
    .map((path) => {
      const names = path.split('/').filter((name) => name !== '' && name !== '.');
      return names.join('/');
    });
}
