import { VaultError } from '../../src/base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../src/base/vault-path.ts';
import { fileNameOf, isHidden, isInside, vaultPath } from '../../src/base/vault-path.ts';
import type { Clock, Disk, FolderEntry, Scanner, WalkSummary } from '../../src/engine/ports.ts';
import type { FileEntry, FileStat } from '../../src/engine/records.ts';
import { openLocalScanner } from '../../src/node/local-scanner.ts';
import { nodeHash } from '../../src/node/node-ports.ts';
import type { ScanSource } from '../../src/node/scan-files.ts';

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
  readonly inode: number;
}

interface WriteOptions {
  /** The file's own mtime; the disk's clock unless told. */
  readonly mtimeMs?: number;
  /** False makes a cloud placeholder. */
  readonly present?: boolean;
  /** Keeps the stamp the file has: what a save within one clock tick can look like. */
  readonly keepStamp?: boolean;
}

/** How often each method was called: what an operation costs. `scanned` are files read to parse. */
export interface DiskCalls {
  read: number;
  stat: number;
  list: number;
  walk: number;
  scanned: number;
}

/** A disk in memory: the port, what a person does to files, and what it was asked. */
export interface MemoryDisk extends Disk {
  /** Writes a whole file in place (the inode stays), as a careless editor does. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): void;
  /** Replaces a file by a new one (another inode), as an atomic save does. */
  replace(path: string, content: string | Uint8Array): void;
  /** Makes a file unreadable, as `chmod 000` does, or readable again. */
  lock(path: string, locked: boolean): void;
  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void;
  /** Renames a file or a folder; stats stay, except for the stamp. */
  rename(from: string, to: string): void;
  text(path: string): string;
  paths(): readonly VaultPath[];
  readonly clock: Clock;
  readonly calls: DiskCalls;
  resetCalls(): void;
  /** Not for tests: what `memoryScanner` reads. */
  readonly source: ScanSource;
}

const noCalls: DiskCalls = { read: 0, stat: 0, list: 0, walk: 0, scanned: 0 };
const walkBatchFiles = 100;

/**
 * A vault in memory. Every change happens `stepMs` (a second) after the one before, and the
 * clock shows a step after the last: so no file is racy unless `stepMs` is small.
 */
export function memoryDisk(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
  { stepMs = 1_000 }: { stepMs?: number } = {},
): MemoryDisk {
  const files = new Map<VaultPath, MemoryFile>();
  const locked = new Set<VaultPath>();
  const calls = { ...noCalls };
  let nowMs = 1_700_000_000_000;
  let inodes = 0;
  let ticks = 0;

  const put = (
    path: VaultPath,
    bytes: Uint8Array,
    { inode, ...options }: WriteOptions & { inode: number },
  ) => {
    nowMs += stepMs;
    const before = files.get(path);
    const mtimeMs = options.mtimeMs ?? nowMs;
    const stamp =
      options.keepStamp && before !== undefined
        ? before.stat.stamp
        : `${inode}:${bytes.length}:${mtimeMs}:${++ticks}`;
    const stat: FileStat = {
      size: bytes.length,
      mtimeMs,
      birthMs: before?.inode === inode ? before.stat.birthMs : mtimeMs,
      stamp,
      present: options.present ?? true,
    };
    files.set(path, { bytes, stat, inode });
  };
  const isFolder = (folder: VaultFolder) =>
    folder === '' || [...files.keys()].some((path) => isInside(path, folder));
  const get = (path: VaultPath): MemoryFile => {
    const file = files.get(path);
    if (file !== undefined) return file;
    if (isFolder(path)) {
      throw new VaultError('is_a_folder', `"${path}" is a folder.`, { details: { path } });
    }
    throw new VaultError('not_found', `"${path}" does not exist.`, { details: { path } });
  };

  const source: ScanSource = {
    *walk(folder) {
      calls.walk += 1;
      const summary = { folders: 0, unreachable: [], refused: [] };
      if (!isFolder(folder)) return summary;
      const entries: FileEntry[] = [...files]
        .filter(([path]) => isInside(path, folder) && !isHidden(path))
        .map(([path, { stat }]) => ({ path, ...stat }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
      for (let i = 0; i < entries.length; i += walkBatchFiles) {
        yield entries.slice(i, i + walkBatchFiles);
      }
      return { ...summary, folders: foldersOf(entries, folder) } satisfies WalkSummary;
    },
    read(path, { bytesMax }) {
      const { bytes, stat } = get(path);
      if (!stat.present || stat.size > bytesMax) return { stat };
      if (locked.has(path)) throw new VaultError('forbidden', `"${path}" may not be read.`);
      calls.scanned += 1;
      return { bytes: Buffer.from(bytes), stat };
    },
  };

  const disk: MemoryDisk = {
    async read(path, { bytesMax }) {
      calls.read += 1;
      const { bytes, stat } = get(path);
      if (bytes.length > bytesMax) {
        throw new VaultError('too_large', `"${path}" has more than ${bytesMax} bytes.`, {
          details: { path },
        });
      }
      return { bytes, stat, version: nodeHash.version(bytes) };
    },
    async stat(path) {
      calls.stat += 1;
      return files.get(path)?.stat;
    },
    async list(folder) {
      calls.list += 1;
      return isFolder(folder) ? childrenOf(files.keys(), folder) : undefined;
    },
    write(path, content, options = {}) {
      const at = vaultPath(path);
      put(at, toBytes(content), { ...options, inode: files.get(at)?.inode ?? ++inodes });
    },
    replace(path, content) {
      put(vaultPath(path), toBytes(content), { inode: ++inodes });
    },
    lock(path, isLocked) {
      const at = vaultPath(path);
      const { bytes, stat, inode } = get(at);
      if (isLocked) locked.add(at);
      else locked.delete(at);
      put(at, bytes, { inode, mtimeMs: stat.mtimeMs, present: stat.present }); // ctime moves.
    },
    remove(path) {
      for (const found of under(files.keys(), vaultPath(path))) files.delete(found);
    },
    rename(from, to) {
      const source = vaultPath(from);
      for (const found of under(files.keys(), source)) {
        const { bytes, stat, inode } = get(found);
        files.delete(found);
        const { mtimeMs, present } = stat;
        put(vaultPath(to + found.slice(source.length)), bytes, { inode, mtimeMs, present });
      }
    },
    text: (path) => new TextDecoder().decode(get(vaultPath(path)).bytes),
    paths: () => [...files.keys()].sort(),
    clock: { nowMs: () => nowMs + stepMs },
    calls,
    resetCalls: () => Object.assign(calls, noCalls),
    source,
  };
  for (const [path, content] of Object.entries(initial)) disk.write(path, content);
  return disk;
}

/** A scanner over a disk in memory: the program's own, on this thread. */
export function memoryScanner(disk: MemoryDisk): Scanner {
  return openLocalScanner({ source: disk.source, clock: disk.clock });
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function under(paths: Iterable<VaultPath>, path: VaultPath): VaultPath[] {
  return [...paths].filter((found) => found === path || isInside(found, path));
}

function childrenOf(paths: Iterable<VaultPath>, folder: VaultFolder): FolderEntry[] {
  const kinds = new Map<string, FolderEntry['kind']>();
  const prefix = folder === '' ? 0 : folder.length + 1;
  for (const path of paths) {
    if (!isInside(path, folder)) continue;
    const name = path.slice(prefix).split('/', 1)[0] ?? '';
    kinds.set(name, path.length === prefix + name.length ? 'file' : 'folder');
  }
  return [...kinds].map(([name, kind]) => ({ name, kind }));
}

function foldersOf(entries: readonly FileEntry[], folder: VaultFolder): number {
  const folders = new Set<string>([folder]);
  for (const { path } of entries) {
    let parent = path.slice(0, -fileNameOf(path).length - 1);
    while (parent.length > folder.length) {
      folders.add(parent);
      parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/')));
    }
  }
  return folders.size;
}
