import type { VaultFolder } from '../../base/vault-path.ts';
import type { SqlValue } from './open-database.ts';

/**
 * An SQL condition for all paths under a folder, as a range, so that SQLite can use an index.
 * `condition` takes the name of a column and needs `values` as its parameters.
 */
export function folderRange(folder: VaultFolder): {
  readonly condition: (path: string) => string;
  readonly values: readonly SqlValue[];
} {
  if (folder === '') return { condition: () => 'TRUE', values: [] };
  // "0" comes right after "/": between the two lie exactly the paths that begin with "folder/".
  return {
    condition: (path) => `(${path} > ? AND ${path} < ?)`,
    values: [`${folder}/`, `${folder}0`],
  };
}
