import { type Dirent, lstatSync, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { basename, sep } from 'node:path';
import { folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { makeFolderLinks, type VaultRoots } from '../disk/vault-roots.ts';
import { errnoOf } from '../system/disk-error.ts';
import { makeOverflowAlarm } from './overflow-alarm.ts';
import type { WatchSink } from './watch-collector.ts';
import { tellChanged, toldPath } from './watch-collector.ts';

/** A running watch of a vault. */
export interface VaultWatches {
  /** Sets every watch anew, for when events may have been lost. Fails when that is not possible. */
  renew(): void;
  close(): void;
}

/** Opens a watch on one folder; `fs.watch`, unless a test says otherwise. */
export type OpenWatch = (
  folder: string,
  onEvent: (event: { kind: 'change' | 'rename'; name: string | null }) => void,
) => { close(): void };

interface Place {
  readonly folder: VaultFolder;
  readonly real: string;
}

interface FolderWatch {
  readonly close: () => void;
  readonly folders: Set<VaultPath>;
}

/**
 * Watches every folder of a vault, one `fs.watch` each: on Linux the recursive kind misses
 * atomic saves and needs a watch a file. A new folder is watched first and listed after, so
 * what is made in it meanwhile is told too. Fails as `fs.watch` fails when there are no more
 * watches to be had; `onLost` is called when that happens later, or when the vault is gone.
 */
export function watchFolders(
  roots: VaultRoots,
  sink: WatchSink,
  options: { readonly onLost: (error: unknown) => void; readonly openWatch?: OpenWatch },
): VaultWatches {
  const openWatch = options.openWatch ?? openNodeWatch;
  let watches = new Map<VaultFolder, FolderWatch>();
  const alarm = makeOverflowAlarm(() => sink.outdated());

  /** Watches a folder and those in it. `tell` hears of every file found there. */
  const add = (start: Place, tell?: (path: VaultPath) => void) => {
    const links = makeFolderLinks(roots);
    const places = [start];
    const linked: Place[] = [];
    for (;;) {
      const place = places.pop() ?? nextLinked(linked, links);
      if (place === undefined) return;
      for (const entry of watchOne(place)) {
        // Most entries are files that nobody asked about: their names cost nothing then.
        if (tell === undefined && entry.isFile()) continue;
        const path = toldPath(place.folder, entry.name);
        if (path === undefined) continue;
        const real = `${place.real}${sep}${entry.name}`;
        if (entry.isDirectory()) places.push({ folder: path, real });
        else if (entry.isSymbolicLink() && isFolder(real)) linked.push({ folder: path, real });
        else tell?.(path);
      }
    }
  };

  /** Watches one folder, then answers what is in it; nothing when it is gone or not readable. */
  const watchOne = ({ folder, real }: Place): readonly Dirent[] => {
    try {
      const opened = openWatch(real, (event) => handle({ folder, real }, event));
      watches.get(folder)?.close();
      watches.set(folder, { close: () => opened.close(), folders: new Set() });
      if (folder !== '') watches.get(folderOf(folder))?.folders.add(folder);
      return readdirSync(real, { withFileTypes: true });
    } catch (error) {
      if (folder !== '' && isOneFolderOnly(errnoOf(error))) return [];
      throw error;
    }
  };

  const drop = (folder: VaultFolder) => {
    const watched = watches.get(folder);
    if (watched === undefined) return;
    watches.delete(folder);
    watched.close();
    for (const child of watched.folders) drop(child);
    if (folder !== '') watches.get(folderOf(folder))?.folders.delete(folder);
  };

  const handle = (place: Place, event: { kind: 'change' | 'rename'; name: string | null }) => {
    alarm.heard();
    if (event.name === null) return sink.unsure();
    // A folder hears of its own end under its own name, like of a file in it. When that is the
    // vault, nobody else tells; another folder may be in its place already.
    if (place.folder === '' && event.kind === 'rename' && event.name === basename(roots.root)) {
      renewOrLose();
    }
    const path = toldPath(place.folder, event.name);
    if (path === undefined) return;
    const wasFolder = watches.has(path);
    if (event.kind === 'change' && !wasFolder) return tellChanged(sink, path);
    const real = `${place.real}${sep}${event.name}`;
    const kind = kindOf(real);
    // An inode may be used again at once, so a folder that looks the same may be another.
    drop(path);
    if (wasFolder || kind === 'folder') sink.folder(path);
    if (kind === 'linked folder') sink.outdated();
    else if (kind === 'folder') addLater({ folder: path, real });
    else tellChanged(sink, path);
  };

  const addLater = (place: Place) => {
    try {
      add(place, (path) => tellChanged(sink, path));
    } catch (error) {
      options.onLost(error);
    }
  };

  const renew = () => {
    const before = watches;
    watches = new Map();
    try {
      add({ folder: '', real: roots.root });
    } finally {
      // Closed last: a folder that is watched twice for a moment loses no event.
      for (const { close } of before.values()) close();
    }
  };

  const renewOrLose = () => {
    sink.unsure();
    try {
      renew();
    } catch (error) {
      options.onLost(error);
    }
  };

  const close = () => {
    for (const watched of watches.values()) watched.close();
    watches.clear();
  };

  try {
    renew();
  } catch (error) {
    close();
    throw error;
  }
  return { renew, close };
}

function openNodeWatch(...[folder, onEvent]: Parameters<OpenWatch>): { close(): void } {
  const watcher = watch(folder, (kind, name) => onEvent({ kind, name }));
  watcher.on('error', () => onEvent({ kind: 'rename', name: null }));
  return watcher;
}

/** The next symlinked folder that may be followed; they come last and in order, as in a walk. */
function nextLinked(linked: Place[], links: ReturnType<typeof makeFolderLinks>): Place | undefined {
  linked.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  for (let link = linked.shift(); link !== undefined; link = linked.shift()) {
    const real = realOf(link.real);
    if (real === undefined || links.refusal(real) !== undefined) continue;
    links.take(real);
    return { folder: link.folder, real };
  }
  return undefined;
}

function realOf(link: string): string | undefined {
  try {
    return realpathSync.native(link);
  } catch {
    return undefined; // It vanished meanwhile.
  }
}

function kindOf(real: string): 'folder' | 'linked folder' | 'other' {
  try {
    const stat = lstatSync(real);
    if (stat.isDirectory()) return 'folder';
    return stat.isSymbolicLink() && isFolder(real) ? 'linked folder' : 'other';
  } catch {
    return 'other'; // Gone, most likely; whoever is told will find out.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether the trouble is with one folder: gone, not readable. Others are trouble for all. */
function isOneFolderOnly(errno: string | undefined): boolean {
  return errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'EACCES' || errno === 'EPERM';
}
