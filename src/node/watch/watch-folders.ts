import { type Dirent, lstatSync, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { basename, sep } from 'node:path';
import { folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { makeFolderLinks, type VaultRoots } from '../disk/vault-roots.ts';
import { errnoOf } from '../system/disk-error.ts';
import { EventQueue, makeOverflowAlarm } from './overflow-alarm.ts';
import type { WatchSink } from './watch-collector.ts';
import { reportChanged, watchedPath } from './watch-collector.ts';

/** The watches on a vault. */
export interface VaultWatches {
  /** Opens all watches anew, for when events may have been lost. Fails when that is not possible. */
  renew(): void;
  close(): void;
}

interface FolderEvent {
  readonly kind: 'change' | 'rename';
  /** Null when the system does not say which file. */
  readonly name: string | null;
}

/** Opens a watch on one folder: `fs.watch`, or what a test gives in its place. */
export type OpenWatch = (
  folder: string,
  onEvent: (event: FolderEvent) => void,
) => { close(): void };

/** A folder: its vault path and its real path. */
interface Place {
  readonly folder: VaultFolder;
  readonly real: string;
}

interface FolderWatch {
  readonly close: () => void;
  /** The watched folders directly inside this one. */
  readonly folders: Set<VaultPath>;
}

interface WatchFoldersOptions {
  /** Called when no more watches can be opened later on, or when the vault is gone. */
  readonly onLost: (error: unknown) => void;
  readonly openWatch?: OpenWatch;
}

/**
 * Watches every folder of a vault with an `fs.watch` of its own: on Linux the recursive kind misses
 * atomic saves and needs one watch for each file. Fails as `fs.watch` does when the system has no
 * more watches.
 */
export function watchFolders(
  roots: VaultRoots,
  sink: WatchSink,
  options: WatchFoldersOptions,
): VaultWatches {
  const watches = new FolderWatches(roots, sink, options);
  try {
    watches.renew();
  } catch (error) {
    watches.close();
    throw error;
  }
  return watches;
}

/** The queue of this thread, which may watch several vaults. */
const threadQueue = new EventQueue();

class FolderWatches implements VaultWatches {
  readonly #roots: VaultRoots;
  readonly #sink: WatchSink;
  readonly #onLost: (error: unknown) => void;
  readonly #openWatch: OpenWatch;
  readonly #alarm: ReturnType<typeof makeOverflowAlarm>;
  #watches = new Map<VaultFolder, FolderWatch>();

  constructor(roots: VaultRoots, sink: WatchSink, options: WatchFoldersOptions) {
    this.#roots = roots;
    this.#sink = sink;
    this.#onLost = options.onLost;
    this.#openWatch = options.openWatch ?? openNodeWatch;
    this.#alarm = makeOverflowAlarm(() => sink.outdated(), { queue: threadQueue });
  }

  renew(): void {
    const before = this.#watches;
    this.#watches = new Map();
    try {
      this.#add({ folder: '', real: this.#roots.root });
    } finally {
      // Closed last: while a folder is watched twice, no event is lost.
      for (const { close } of before.values()) close();
    }
  }

  close(): void {
    this.#alarm.close();
    for (const watched of this.#watches.values()) watched.close();
    this.#watches.clear();
  }

  /** Watches a folder and all folders in it. `onFile` is called for every file found there. */
  #add(start: Place, onFile?: (path: VaultPath) => void): void {
    const links = makeFolderLinks(this.#roots);
    const places = [start];
    const linked: Place[] = [];
    for (;;) {
      const place = places.pop() ?? nextLinked(linked, links);
      if (place === undefined) return;
      for (const entry of this.#watchAndList(place)) {
        // Without `onFile`, files need no path. They are most of the entries.
        if (onFile === undefined && entry.isFile()) continue;
        const path = watchedPath(place.folder, entry.name);
        if (path === undefined) continue;
        const real = `${place.real}${sep}${entry.name}`;
        if (entry.isDirectory()) places.push({ folder: path, real });
        else if (entry.isSymbolicLink() && isFolder(real)) linked.push({ folder: path, real });
        else onFile?.(path);
      }
    }
  }

  /**
   * Watches one folder, then lists it. In this order, a file that is created in between is noticed
   * too. Returns an empty list when the folder is gone or not readable.
   */
  #watchAndList({ folder, real }: Place): readonly Dirent[] {
    try {
      const opened = this.#openWatch(real, (event) => this.#handle({ folder, real }, event));
      this.#watches.get(folder)?.close();
      this.#watches.set(folder, { close: () => opened.close(), folders: new Set() });
      if (folder !== '') this.#watches.get(folderOf(folder))?.folders.add(folder);
      return readdirSync(real, { withFileTypes: true });
    } catch (error) {
      if (folder !== '' && isOneFolderOnly(errnoOf(error))) return [];
      throw error;
    }
  }

  /** Ends the watches on a folder and on all folders in it. */
  #drop(folder: VaultFolder): void {
    const watched = this.#watches.get(folder);
    if (watched === undefined) return;
    this.#watches.delete(folder);
    watched.close();
    for (const child of watched.folders) this.#drop(child);
    if (folder !== '') this.#watches.get(folderOf(folder))?.folders.delete(folder);
  }

  #handle(place: Place, event: FolderEvent): void {
    this.#alarm.heard();
    if (event.name === null) {
      this.#sink.unsure();
      return;
    }
    // When a watched folder itself is moved or deleted, its watch reports that under the folder's
    // own name, as if it were a file inside. For the vault's folder there is no other event, and
    // another folder may already be in its place.
    const isRoot = place.folder === '' && event.name === basename(this.#roots.root);
    if (isRoot && event.kind === 'rename') this.#renewOrLose();
    const path = watchedPath(place.folder, event.name);
    if (path === undefined) return;
    const wasFolder = this.#watches.has(path);
    if (event.kind === 'change' && !wasFolder) {
      reportChanged(this.#sink, path);
      return;
    }
    const real = `${place.real}${sep}${event.name}`;
    const kind = kindOf(real);
    // Watched anew even if it seems to be the same folder: a new one may have got the old one's inode.
    this.#drop(path);
    if (wasFolder || kind === 'folder') this.#sink.folder(path);
    if (kind === 'linked folder') this.#sink.outdated();
    else if (kind === 'folder') this.#addNew({ folder: path, real });
    else reportChanged(this.#sink, path);
  }

  /** Watches a folder that has just appeared, and reports the files in it. */
  #addNew(place: Place): void {
    try {
      this.#add(place, (path) => reportChanged(this.#sink, path));
    } catch (error) {
      this.#onLost(error);
    }
  }

  /** Opens all watches anew, since anything may have changed; without success, they are lost. */
  #renewOrLose(): void {
    this.#sink.unsure();
    try {
      this.renew();
    } catch (error) {
      this.#onLost(error);
    }
  }
}

function openNodeWatch(...[folder, onEvent]: Parameters<OpenWatch>): { close(): void } {
  const watcher = watch(folder, (kind, name) => onEvent({ kind, name }));
  watcher.on('error', () => onEvent({ kind: 'rename', name: null }));
  return watcher;
}

/** The next symlinked folder that may be followed. They come last and sorted, as in `walkVault`. */
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
    return undefined; // It has vanished in the meantime.
  }
}

function kindOf(real: string): 'folder' | 'linked folder' | 'other' {
  try {
    const stat = lstatSync(real);
    if (stat.isDirectory()) return 'folder';
    return stat.isSymbolicLink() && isFolder(real) ? 'linked folder' : 'other';
  } catch {
    return 'other'; // Most likely gone; the index looks at the path and finds out.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether an error is about one folder (gone, not readable) and not about all watches. */
function isOneFolderOnly(errno: string | undefined): boolean {
  return errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'EACCES' || errno === 'EPERM';
}
