import {
  fileNameOf,
  folderOf,
  isHidden,
  isVaultPath,
  joinPath,
  type VaultPath,
} from '../base/vault-path.ts';
import { placeholderFor } from './file-stat.ts';
import type { WatchSink } from './watch-collector.ts';

/** Whether changes under this path are of interest. Git's own files and installed packages of
 * plugins change by the thousand and mean nothing to a vault. */
export function isWatchedPath(path: string): boolean {
  const names = path.split('/');
  if (names.includes('.git')) return false;
  return !(names.includes('node_modules') && isHidden(path));
}

/** Whether a name is that of a temporary file of ours, which nobody should hear of. */
export function isOwnTemporary(name: string): boolean {
  return name.startsWith('.~vd-') && name.endsWith('.tmp');
}

/** Tells the sink about a file; what an iCloud placeholder stands for has changed with it. */
export function tellChanged(sink: WatchSink, path: VaultPath): void {
  sink.changed(path);
  const standsFor = placeholderFor(fileNameOf(path));
  if (standsFor !== undefined) sink.changed(joinPath(folderOf(path), standsFor));
}

/** A name in a folder as a path to tell of; undefined when nobody should hear of it. */
export function toldPath(folder: string, name: string): VaultPath | undefined {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (isOwnTemporary(name) || !isVaultPath(path) || !isWatchedPath(path)) return undefined;
  return path as VaultPath;
}
