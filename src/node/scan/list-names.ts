import { type Dirent, readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { isVaultPath, type VaultPath } from '../../base/vault-path.ts';
import { placeholderFor } from '../disk/file-stat.ts';

/**
 * Lists the paths of all visible files of a vault, folder by folder, without a stat of each. Yields
 * undefined where only a walk can tell what is there: a symlink, a placeholder of iCloud, a folder that
 * cannot be read.
 */
export function* listNames(root: string): Generator<readonly VaultPath[] | undefined> {
  const folders: { readonly prefix: string; readonly place: string }[] = [
    { prefix: '', place: root },
  ];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { prefix, place } = folder;
    const found = entriesOf(place);
    if (found === undefined) yield undefined;
    const paths: VaultPath[] = [];
    for (const entry of found ?? []) {
      const { name } = entry;
      const path = prefix + name;
      if (name.startsWith('.')) {
        if (placeholderFor(name) !== undefined) yield undefined;
      } else if (!isVaultPath(path)) continue;
      else if (entry.isFile()) paths.push(path as VaultPath);
      else if (entry.isDirectory()) {
        folders.push({ prefix: `${path}/`, place: `${place}${sep}${name}` });
      } else yield undefined;
    }
    yield paths;
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
