import {
  fileNameOf,
  folderOf,
  isVaultPath,
  joinPath,
  type VaultPath,
} from '../../base/vault-path.ts';
import { isWatchedPath } from '../../engine/watch/watched-path.ts';
import { placeholderFor } from '../disk/file-stat.ts';
import type { WatchSink } from './watch-collector.ts';

/** Tells the sink about a file; what an iCloud placeholder stands for has changed with it. */
export function tellChanged(sink: WatchSink, path: VaultPath): void {
  sink.changed(path);
  const standsFor = placeholderFor(fileNameOf(path));
  if (standsFor !== undefined) sink.changed(joinPath(folderOf(path), standsFor));
}

/** A name in a folder as a path to tell of; undefined when nobody should hear of it. */
export function toldPath(folder: string, name: string): VaultPath | undefined {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (!isVaultPath(path) || !isWatchedPath(path)) return undefined;
  return path as VaultPath;
}
