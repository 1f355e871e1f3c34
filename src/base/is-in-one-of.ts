import { folderOf, type VaultFolder } from './vault-path.ts';

/** Whether one of these folders is around a path, at any depth. Costs what the path is deep. */
export function isInOneOf(path: VaultFolder, folders: Pick<ReadonlySet<string>, 'has'>): boolean {
  for (let at = path; at !== ''; ) {
    at = folderOf(at);
    if (folders.has(at)) return true;
  }
  return false;
}
