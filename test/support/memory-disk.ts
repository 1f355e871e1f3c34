import { VaultError } from '../../src/base/vault-error.ts';
import {
  fileNameOf,
  isHidden,
  type VaultFolder,
  type VaultPath,
  vaultPath,
} from '../../src/base/vault-path.ts';
import type { Clock, FolderEntry, Scanner, WritableDisk } from '../../src/engine/ports/ports.ts';
import type { FileEntry } from '../../src/engine/ports/records.ts';
import { vaultGone } from '../../src/node/place/vault-gone.ts';
import { openLocalScanner } from '../../src/node/scan/local-scanner.ts';
import type { ScanSource } from '../../src/node/scan/scan-files.ts';
import { diskError, systemError } from '../../src/node/system/disk-error.ts';
import { nodeHash } from '../../src/node/system/node-ports.ts';
import { memoryDiskWrites } from './memory-disk-writes.ts';
import {
  type ContentOptions,
  type MemoryFile,
  type MemoryFolder,
  MemoryTree,
} from './memory-tree.ts';

/** How often each method was called: what an operation costs. `scanned` are files read to parse. */
export type DiskCalls = Record<Exclude<keyof WritableDisk, 'gate'> | 'walk' | 'scanned', number>;

/** A disk in memory: the port, what a person does to files, and what it was asked. */
export interface MemoryDisk extends WritableDisk {
  /** Writes a whole file in place (the inode stays), as a careless editor does. */
  write(path: string, content: string | Uint8Array, options?: ContentOptions): void;
  /** Replaces a file by a new one (another inode), as an atomic save does. */
  replace(path: string, content: string | Uint8Array): void;
  /** Makes a file unreadable, as `chmod 000` does, or readable again. */
  lock(path: string, locked: boolean): void;
  /** Makes a folder read-only, as `chmod 555` does: names in it stay as they are. */
  lockFolder(folder: string): void;
  unlockFolder(folder: string): void;
  /** Sets the permission bits of a file. */
  chmod(path: string, mode: number): void;
  /** The permission bits of a file. */
  mode(path: string): number;
  /** Removes a file, or a folder with everything in it; nothing when there is none. */
  erase(path: string): void;
  /** Renames a file or a folder; a folder that is there takes its files in. */
  rename(from: string, to: string): void;
  /** Takes the drive out: what is left is the empty folder where it was mounted. */
  unmount(): void;
  mount(): void;
  text(path: string): string;
  /** Every file, hidden and temporary ones too, in order. */
  paths(): readonly VaultPath[];
  /** Every folder, empty or not, in order. */
  folders(): readonly VaultPath[];
  readonly clock: Clock;
  readonly calls: DiskCalls;
  resetCalls(): void;
  /** Not for tests: what `memoryScanner` reads. */
  readonly source: ScanSource;
  /** Not for tests: what a crash is made of. */
  readonly tree: MemoryTree;
}

const walkBatchFiles = 100;

/**
 * A vault in memory. Every change happens `stepMs` (a second) after the one before, and the
 * clock shows a step after the last: so no file is racy unless `stepMs` is small.
 */
export function memoryDisk(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
  { stepMs = 1_000 }: { stepMs?: number } = {},
): MemoryDisk {
  const disk = memoryDiskOf(new MemoryTree({ stepMs, nowMs: 1_700_000_000_000 }));
  for (const [path, content] of Object.entries(initial)) disk.write(path, content);
  return disk;
}

/** The disk whose files are those of a tree. */
export function memoryDiskOf(tree: MemoryTree): MemoryDisk {
  const calls = noCalls();
  let isAway = false;
  const source = memorySource(tree, { calls, isAway: () => isAway });
  const files: Omit<WritableDisk, 'check'> = {
    ...memoryDiskWrites(tree, calls),
    async read(path, { bytesMax }) {
      calls.read += 1;
      const { bytes, stat } = readable(tree, path);
      if (bytes.length > bytesMax) {
        throw new VaultError('too_large', `"${path}" has more than ${bytesMax} bytes.`, {
          details: { path },
        });
      }
      return { bytes, stat, version: nodeHash.version(bytes) };
    },
    async stat(path) {
      calls.stat += 1;
      const node = tree.at(path);
      return node?.kind === 'file' ? node.stat : undefined;
    },
    async kind(path) {
      calls.kind += 1;
      return tree.at(path)?.kind;
    },
    async entry(path) {
      calls.entry += 1;
      return tree.at(path)?.kind;
    },
    async readEnd(path, { from, bytesMax }) {
      calls.readEnd += 1;
      if (tree.at(path)?.kind !== 'file') return undefined;
      const { inode, bytes } = readable(tree, path);
      return {
        inode: `${inode}`,
        size: bytes.length,
        bytes: bytes.slice(from, from + bytesMax),
      };
    },
    async entries(folder) {
      calls.entries += 1;
      return entriesOf(tree, folder);
    },
    async list(folder) {
      calls.list += 1;
      return entriesOf(tree, folder);
    },
  };
  const check = async (): Promise<void> => {
    calls.check += 1;
    if (isAway) throw vaultGone('unmounted');
  };
  return {
    ...rethrowIfAway(files, () => isAway),
    check,
    write(path, content, options = {}) {
      const at = vaultPath(path);
      const found = tree.at(at);
      if (found?.kind === 'file') tree.setContent(found, toBytes(content), options);
      else putNew(tree, at, { bytes: toBytes(content), options });
    },
    replace: (path, content) => putNew(tree, vaultPath(path), { bytes: toBytes(content) }),
    lock(path, locked) {
      const file = tree.file(vaultPath(path));
      file.locked = locked;
      tree.touch(file);
    },
    lockFolder: (folder) => setLocked(tree, folder, { locked: true }),
    unlockFolder: (folder) => setLocked(tree, folder, { locked: false }),
    chmod(path, mode) {
      const file = tree.file(vaultPath(path));
      file.mode = mode;
      tree.touch(file);
    },
    mode: (path) => tree.file(vaultPath(path)).mode,
    erase(path) {
      const at = vaultPath(path);
      if (tree.at(at) === undefined) return;
      tree.setNames([{ folder: tree.parent(at), name: fileNameOf(at), node: undefined }]);
    },
    rename: (from, to) => renameByHand(tree, vaultPath(from), vaultPath(to)),
    unmount: () => {
      isAway = true;
    },
    mount: () => {
      isAway = false;
    },
    text: (path) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(tree.file(vaultPath(path)).bytes),
    paths: () => pathsOf(tree, 'file'),
    folders: () => pathsOf(tree, 'folder'),
    clock: { nowMs: () => tree.nowMs + tree.stepMs },
    calls,
    resetCalls: () => Object.assign(calls, noCalls()),
    source,
    tree,
  };
}

/** A disk that fails as a whole while it is away; nothing comes between the look and the call. */
function rethrowIfAway(
  disk: Omit<WritableDisk, 'check' | 'gate'>,
  isAway: () => boolean,
): Omit<WritableDisk, 'check'> {
  const guarded = Object.entries(disk).map(([method, call]) => [
    method,
    (...args: unknown[]): unknown =>
      isAway() ? Promise.reject(vaultGone('unmounted')) : Reflect.apply(call, disk, args),
  ]);
  return Object.fromEntries(guarded) as Omit<WritableDisk, 'check'>;
}

/** A scanner over a disk in memory: the program's own, on this thread. */
export function memoryScanner(disk: Pick<MemoryDisk, 'source' | 'clock'>): Scanner {
  return openLocalScanner({ source: disk.source, clock: disk.clock });
}

function memorySource(
  tree: MemoryTree,
  { calls, isAway }: { calls: DiskCalls; isAway: () => boolean },
): ScanSource {
  return {
    *walk(folder) {
      calls.walk += 1;
      if (isAway()) return { folders: 1, unreachable: [], refused: [] };
      const { files, folders } = visible(tree, folder);
      for (let i = 0; i < files.length; i += walkBatchFiles) {
        yield files.slice(i, i + walkBatchFiles);
      }
      return { folders, unreachable: [], refused: [] };
    },
    read(path, { bytesMax }) {
      if (isAway()) throw diskError(path, systemError('ENOENT'));
      const { stat } = fileOf(tree, path);
      if (!stat.present || stat.size > bytesMax) return { stat };
      const { bytes } = readable(tree, path);
      calls.scanned += 1;
      return { bytes: Buffer.from(bytes), stat };
    },
    *names() {
      if (isAway()) yield undefined;
      else yield visible(tree, '').files.map(({ path }) => path);
    },
    peek: () => ({ read: () => undefined, close: () => undefined }),
  };
}

function visible(tree: MemoryTree, folder: VaultFolder): { files: FileEntry[]; folders: number } {
  const files: FileEntry[] = [];
  if (tree.at(folder)?.kind !== 'folder') return { files, folders: 0 };
  let folders = 1;
  for (const [path, node] of tree.entries(folder)) {
    if (isHidden(path)) continue;
    if (node.kind === 'folder') folders += 1;
    else files.push({ path, ...node.stat });
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), folders };
}

function fileOf(tree: MemoryTree, path: VaultPath): MemoryFile {
  try {
    return tree.file(path);
  } catch (error) {
    throw diskError(path, error);
  }
}

function readable(tree: MemoryTree, path: VaultPath): MemoryFile {
  const file = fileOf(tree, path);
  if (file.locked) throw diskError(path, systemError('EACCES'));
  return file;
}

function putNew(
  tree: MemoryTree,
  path: VaultPath,
  { bytes, options = {} }: { bytes: Uint8Array; options?: ContentOptions },
): void {
  const folder = tree.makeParent(path);
  const file = tree.newFile();
  tree.setContent(file, bytes, options);
  tree.setNames([{ folder, name: fileNameOf(path), node: file }]);
}

function renameByHand(tree: MemoryTree, from: VaultPath, to: VaultPath): void {
  const node = tree.at(from);
  if (node === undefined || from === to) return;
  const there = tree.at(to);
  const source = { folder: tree.parent(from), name: fileNameOf(from), node: undefined };
  if (node.kind === 'folder' && there?.kind === 'folder') {
    for (const name of [...node.names.keys()]) {
      renameByHand(tree, vaultPath(`${from}/${name}`), vaultPath(`${to}/${name}`));
    }
    tree.setNames([source]);
    return;
  }
  tree.setNames([{ folder: tree.makeParent(to), name: fileNameOf(to), node }, source]);
}

function entriesOf(tree: MemoryTree, folder: VaultFolder): FolderEntry[] | undefined {
  const node = tree.at(folder);
  if (node?.kind !== 'folder') return undefined;
  return Array.from(node.names, ([name, { kind }]): FolderEntry => ({ name, kind }));
}

function setLocked(tree: MemoryTree, path: string, { locked }: { locked: boolean }): void {
  const folder = tree.at(vaultPath(path));
  if (folder?.kind !== 'folder') throw systemError('ENOTDIR');
  (folder satisfies MemoryFolder).locked = locked;
}

function pathsOf(tree: MemoryTree, kind: FolderEntry['kind']): readonly VaultPath[] {
  const paths: VaultPath[] = [];
  for (const [path, node] of tree.entries()) if (node.kind === kind) paths.push(path);
  return paths.sort();
}

function noCalls(): DiskCalls {
  return {
    check: 0,
    read: 0,
    stat: 0,
    list: 0,
    kind: 0,
    entry: 0,
    entries: 0,
    readEnd: 0,
    append: 0,
    cut: 0,
    stage: 0,
    syncStaged: 0,
    hasStaged: 0,
    place: 0,
    unstage: 0,
    move: 0,
    remove: 0,
    removeEntry: 0,
    makeFolder: 0,
    removeFolder: 0,
    syncFolder: 0,
    cannotKeep: 0,
    walk: 0,
    scanned: 0,
  };
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
