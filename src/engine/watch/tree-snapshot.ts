import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { FileEvent, RawEntry } from '../ports/raw-disk.ts';

interface FolderNode {
  readonly kind: 'folder';
  readonly children: Map<string, TreeNode>;
  /** The look that found it last. */
  look: number;
}

/** Only what tells whether it is the same: there is one of these for every file of the vault. */
interface LeafNode {
  readonly kind: 'file' | 'symlink';
  stamp: string;
  look: number;
}

type TreeNode = FolderNode | LeafNode;

/** What a look at a path has found. */
export interface Found {
  readonly at: VaultFolder;
  /** What is there and all that is in it, folders before what they hold; nothing if it is gone. */
  readonly entries: readonly RawEntry[];
}

/** What has become of entries since they were known, in the order of an event list. */
interface Changes {
  readonly deleted: VaultPath[];
  readonly created: RawEntry[];
  readonly modified: RawEntry[];
}

/** The entries of a vault as its watchers know them. */
export class TreeSnapshot {
  readonly #root: FolderNode = { kind: 'folder', children: new Map(), look: 0 };
  #looks = 0;

  /**
   * Where to look when something happened at `path`: there, or at the outermost name on the way that
   * is not known as a folder, since nobody is told of what is in a folder before the folder.
   */
  whereToLook(path: VaultPath): VaultPath {
    let folder = this.#root;
    for (let start = 0; ; ) {
      const end = path.indexOf('/', start);
      if (end === -1) return path;
      const child = folder.children.get(path.slice(start, end));
      if (child?.kind !== 'folder') return path.slice(0, end) as VaultPath;
      folder = child;
      start = end + 1;
    }
  }

  /**
   * Takes over what was found, and answers how that differs from what was known: what is gone, the
   * deepest first, then what is new, folders before what they hold, then what changed. No place that
   * was looked at may lie in another.
   */
  update(found: readonly Found[]): readonly FileEvent[] {
    const changes: Changes = { deleted: [], created: [], modified: [] };
    for (const look of found) this.#take(look, changes);
    changes.deleted.sort((one, other) => depthOf(other) - depthOf(one));
    return [
      ...changes.deleted.map((path): FileEvent => ({ event: 'deleted', path })),
      ...changes.created.map(
        ({ path, mtimeMs }): FileEvent => ({ event: 'created', path, mtimeMs }),
      ),
      ...changes.modified.map(
        ({ path, mtimeMs }): FileEvent => ({ event: 'modified', path, mtimeMs }),
      ),
    ];
  }

  #take({ at, entries }: Found, changes: Changes): void {
    const look = ++this.#looks;
    const around = at === '' ? '' : folderOf(at);
    const parent = this.#folderAt(around);
    if (parent === undefined) return; // It is looked at again when its folder is known.
    const folders = new Map<VaultFolder, FolderNode>([[around, parent]]);
    for (const entry of entries) {
      const folder = folders.get(folderOf(entry.path));
      if (folder === undefined) continue;
      const node = note(entry, folder, changes);
      node.look = look;
      if (node.kind === 'folder') folders.set(entry.path, node);
    }
    if (at !== '') {
      folders.delete(around); // What is beside it was not looked for.
      dropUnseen(look, { folder: around, node: parent, names: [fileNameOf(at)] }, changes);
    }
    for (const [folder, node] of folders) {
      dropUnseen(look, { folder, node, names: node.children.keys() }, changes);
    }
  }

  #folderAt(path: VaultFolder): FolderNode | undefined {
    let folder = this.#root;
    for (const name of path === '' ? [] : path.split('/')) {
      const child = folder.children.get(name);
      if (child?.kind !== 'folder') return undefined;
      folder = child;
    }
    return folder;
  }
}

/** Takes over an entry of a folder, and notes what is new about it. */
function note(entry: RawEntry, { children }: FolderNode, changes: Changes): TreeNode {
  const { path, kind, stamp } = entry;
  const name = fileNameOf(path);
  const known = children.get(name);
  if (known?.kind !== kind) {
    if (known !== undefined) listAll(path, known, changes.deleted);
    const node: TreeNode =
      kind === 'folder' ? { kind, children: new Map(), look: 0 } : { kind, stamp, look: 0 };
    children.set(name, node);
    changes.created.push(entry);
    return node;
  }
  if (known.kind !== 'folder' && known.stamp !== stamp) {
    known.stamp = stamp;
    changes.modified.push(entry);
  }
  return known;
}

/** Drops those of some names in a folder that this look has not found. */
function dropUnseen(
  look: number,
  { folder, node, names }: { folder: VaultFolder; node: FolderNode; names: Iterable<string> },
  { deleted }: Changes,
): void {
  for (const name of names) {
    const child = node.children.get(name);
    if (child === undefined || child.look === look) continue;
    node.children.delete(name);
    listAll(pathIn(folder, name), child, deleted);
  }
}

/** Lists an entry with all that is in it. */
function listAll(path: VaultPath, node: TreeNode, list: VaultPath[]): void {
  list.push(path);
  if (node.kind !== 'folder') return;
  for (const [name, child] of node.children) listAll(pathIn(path, name), child, list);
}

/** A name of which the path was taken apart before. */
function pathIn(folder: VaultFolder, name: string): VaultPath {
  return (folder === '' ? name : `${folder}/${name}`) as VaultPath;
}

function depthOf(path: VaultPath): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
