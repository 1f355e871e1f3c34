import type { VaultFolder } from '../../base/vault-path.ts';
import type { SqlValue } from './open-database.ts';

/**
 * A quick test for texts that may have to be changed. Without the `u` flag it is much faster, but it
 * also finds surrogate pairs, which are harmless.
 */
const suspect = /[\0\ud800-\udfff]/;
const harmful = /[\0\p{Surrogate}]/gu;

/**
 * The text as SQLite can store it: NUL, which ends a text in some of its functions, and lone
 * surrogates, which have no UTF-8, become U+FFFD. Nearly every text is returned unchanged.
 */
export function storableText(text: string): string {
  return suspect.test(text) ? text.replace(harmful, '\ufffd') : text;
}

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
