import {
  fileNameOf,
  folderOf,
  type VaultFolder,
  type VaultPath,
} from '../../src/base/vault-path.ts';
import type { FileStat } from '../../src/engine/ports/records.ts';
import { systemError } from '../../src/node/system/disk-error.ts';

/** A file in memory: what an inode is. Names lead to it, more than one while it is moved. */
export interface MemoryFile {
  readonly kind: 'file';
  readonly inode: number;
  bytes: Uint8Array;
  stat: FileStat;
  mode: number;
  /** Unreadable. */
  locked: boolean;
}

export interface MemoryFolder {
  readonly kind: 'folder';
  readonly inode: number;
  readonly names: Map<string, MemoryNode>;
  /** Read-only: no name in it can be made, changed or removed. */
  locked: boolean;
}

export type MemoryNode = MemoryFile | MemoryFolder;

/** A name in a folder, and what it leads to from now on: undefined for nothing. */
export interface NameChange {
  readonly folder: MemoryFolder;
  readonly name: string;
  readonly node: MemoryNode | undefined;
}

/** The smallest things that happen to a disk. Changes of names in one step happen at once. */
export type TreeStep =
  | { readonly do: 'names'; readonly changes: readonly NameChange[] }
  | { readonly do: 'content'; readonly file: MemoryFile; readonly bytes: Uint8Array }
  | { readonly do: 'syncFile'; readonly file: MemoryFile }
  | { readonly do: 'syncFolder'; readonly folder: MemoryFolder };

export interface ContentOptions {
  /** The file's own mtime; the disk's clock unless told. */
  readonly mtimeMs?: number;
  /** False makes a cloud placeholder. */
  readonly present?: boolean;
  /** Keeps the stamp the file has: what a save within one clock tick can look like. */
  readonly keepStamp?: boolean;
}

/**
 * The files and folders of a disk in memory. Everything happens `stepMs` after what happened
 * before, and `onStep` hears of it just before: if it throws, it does not happen.
 */
export class MemoryTree {
  readonly stepMs: number;
  nowMs: number;
  onStep: (step: TreeStep) => void = () => {};
  #inodes = 0;
  #ticks = 0;
  readonly root: MemoryFolder;

  /** `inodes` are the numbers that are taken already. */
  constructor({ stepMs, nowMs, inodes = 0 }: { stepMs: number; nowMs: number; inodes?: number }) {
    this.stepMs = stepMs;
    this.nowMs = nowMs;
    this.#inodes = inodes;
    this.root = this.newFolder();
  }

  /** The highest number that was given to a file or folder. */
  get inodes(): number {
    return this.#inodes;
  }

  /** What a path leads to; undefined for nothing. */
  at(path: VaultFolder): MemoryNode | undefined {
    if (path === '') return this.root;
    let node: MemoryNode | undefined = this.root;
    for (const name of path.split('/')) {
      if (node?.kind !== 'folder') return undefined;
      node = node.names.get(name);
    }
    return node;
  }

  /** The file at a path; fails as the system does. */
  file(path: VaultPath): MemoryFile {
    const node = this.at(path);
    if (node === undefined) throw systemError('ENOENT');
    if (node.kind === 'folder') throw systemError('EISDIR');
    return node;
  }

  /** The folder that holds a path; fails as the system does. */
  parent(path: VaultPath): MemoryFolder {
    const node = this.at(folderOf(path));
    if (node === undefined) throw systemError('ENOENT');
    if (node.kind === 'file') throw systemError('ENOTDIR');
    return node;
  }

  /** The folder that holds a path, with every folder on the way there made. */
  makeParent(path: VaultPath): MemoryFolder {
    const folder = folderOf(path);
    if (folder === '') return this.root;
    const found = this.at(folder);
    if (found?.kind === 'file') throw systemError('ENOTDIR');
    if (found !== undefined) return found;
    const made = this.newFolder();
    this.setNames([{ folder: this.makeParent(folder), name: fileNameOf(folder), node: made }]);
    return made;
  }

  newFolder(): MemoryFolder {
    return { kind: 'folder', inode: ++this.#inodes, names: new Map(), locked: false };
  }

  /** A file that has no name yet. */
  newFile(mode = 0o644): MemoryFile {
    const inode = ++this.#inodes;
    const stat = { size: 0, mtimeMs: this.nowMs, birthMs: this.nowMs, stamp: '', present: true };
    const file: MemoryFile = {
      kind: 'file',
      inode,
      bytes: new Uint8Array(),
      stat,
      mode,
      locked: false,
    };
    this.touch(file);
    return file;
  }

  setNames(changes: readonly NameChange[]): void {
    this.onStep({ do: 'names', changes });
    this.nowMs += this.stepMs;
    for (const { folder, name, node } of changes) {
      if (node === undefined) folder.names.delete(name);
      else folder.names.set(name, node);
      if (node?.kind === 'file') this.touch(node);
    }
  }

  setContent(file: MemoryFile, bytes: Uint8Array, options: ContentOptions = {}): void {
    this.onStep({ do: 'content', file, bytes });
    this.nowMs += this.stepMs;
    const mtimeMs = options.mtimeMs ?? this.nowMs;
    file.bytes = bytes;
    file.stat = {
      ...file.stat,
      size: bytes.length,
      mtimeMs,
      birthMs: Math.min(mtimeMs, file.stat.birthMs),
      present: options.present ?? true,
    };
    if (options.keepStamp !== true) this.touch(file);
  }

  /** Moves the ctime: whatever happens to an inode does that. */
  touch(file: MemoryFile): void {
    const { size, mtimeMs } = file.stat;
    file.stat = { ...file.stat, stamp: `${file.inode}:${size}:${mtimeMs}:${++this.#ticks}` };
  }

  /** Everything in a folder, at any depth, with its path. */
  *entries(folder: VaultFolder = ''): Generator<[VaultPath, MemoryNode]> {
    const node = this.at(folder);
    if (node?.kind !== 'folder') return;
    for (const [name, child] of node.names) {
      const path = (folder === '' ? name : `${folder}/${name}`) as VaultPath;
      yield [path, child];
      if (child.kind === 'folder') yield* this.entries(path);
    }
  }
}
