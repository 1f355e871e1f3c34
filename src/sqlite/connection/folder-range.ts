import type { VaultFolder } from '../../base/vault-path.ts';
import type { View } from '../../engine/ports/view.ts';
import type { SqlValue } from './open-database.ts';

/** Everything under a folder as a range of paths, so that an index on them can serve it. */
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

/**
 * What a view asks of a path, in SQL alone, where it asks for nothing but folders: then an index can
 * serve it, and the rest of the vault is not looked at. Undefined for other views.
 */
export function inFolders(view: View, path: string): string | undefined {
  const { folders, hide, exclude, within = '' } = view;
  if (hide.length > 0 || exclude.length > 0) return undefined;
  const inside = (folder: VaultFolder): string =>
    `(${path} > ${quoted(`${folder}/`)} AND ${path} < ${quoted(`${folder}0`)})`;
  const conditions = within === '' ? [] : [inside(within)];
  if (!folders.includes('')) {
    // A file may be named as if it were a folder.
    const some = folders.map((folder) => `${path} = ${quoted(folder)} OR ${inside(folder)}`);
    conditions.push(some.length === 0 ? 'FALSE' : `(${some.join(' OR ')})`);
  }
  return conditions.join(' AND ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
