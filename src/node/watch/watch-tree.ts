import { lstatSync, watch } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { VaultRoots } from '../disk/vault-roots.ts';
import type { WatchSink } from './watch-collector.ts';
import { reportChanged, watchedPath } from './watch-collector.ts';
import type { VaultWatches } from './watch-folders.ts';

/**
 * Watches a vault with the platform's own recursive watch, on macOS and Windows. An event about a
 * folder does not say what happened to it. Folders behind symlinks are not watched: their changes are
 * found by the regular walk of the whole vault.
 */
export function watchTree(
  roots: VaultRoots,
  sink: WatchSink,
  { onLost }: { readonly onLost: (error: unknown) => void },
): VaultWatches {
  const open = () => {
    const watcher = watch(roots.root, { recursive: true }, (_, name) => handle(name));
    watcher.on('error', onLost);
    return watcher;
  };
  const handle = (name: string | null) => {
    sink.heard();
    if (name === null) return sink.unsure();
    const folder = dirname(name) === '.' ? '' : dirname(name).replaceAll(sep, '/');
    const path = watchedPath(folder, basename(name));
    if (path === undefined) return;
    if (isFolder(join(roots.root, name))) sink.folder(path);
    else reportChanged(sink, path);
  };

  let watcher = open();
  return {
    renew: () => {
      const before = watcher;
      watcher = open();
      before.close();
    },
    close: () => watcher.close(),
  };
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // Not readable. The next walk of the vault says so.
  }
}
