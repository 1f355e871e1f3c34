import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { FileEvent, RawEntry } from '../ports/raw-disk.ts';

interface FolderNode {
  readonly kind: 'folder';
  readonly children: Map<string, TreeNode>;
  /** The number of the last look that found it. */
  look: number;
}

/** Only what is needed to see a change: there is one of these for every file of the vault. */
interface LeafNode {
  readonly kind: 'file' | 'symlink';
  /** See `RawEntry.stamp`. */
  stamp: string;
  /** As in `FolderNode`. */
  look: number;
}

type TreeNode = FolderNode | LeafNode;

/** What one look at a path has found. */
export interface Found {
  readonly at: VaultFolder;
  /** The entry and everything in it, folders before what is in them; empty when it is gone. */
  readonly entries: readonly RawEntry[];
}

/** The differences that are found during an update. */
interface Changes {
  readonly deleted: VaultPath[];
  readonly created: RawEntry[];
  readonly modified: RawEntry[];
}

/**
 * The entries of a vault as subscribers know them from the events so far. `update` compares it with
 * a new look at some paths. Every look has a number: entries of a place that do not have the number
 * of its last look are gone.
 */
export class TreeSnapshot {
  readonly #root: FolderNode = { kind: 'folder', children: new Map(), look: 0 };
  #looks = 0;

  /**
   * Where to look when something happened at a path: there, or at the outermost folder on the way
   * that is not known yet, because the event of a folder must come before those of what is in it.
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
   * Takes over what was found, and answers how it differs from what was known: deletions first (the
   * deepest first), then creations (folders before what is in them), then modifications. No place
   * in `found` may be inside another.
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

  /** Takes over the stamp of a file that is known and has not changed. */
  restamp({ path, stamp }: RawEntry): void {
    const known = this.#folderAt(folderOf(path))?.children.get(fileNameOf(path));
    if (known?.kind === 'file') known.stamp = stamp;
  }

  #take({ at, entries }: Found, changes: Changes): void {
    const look = ++this.#looks;
    const around = at === '' ? '' : folderOf(at);
    const parent = this.#folderAt(around);
    if (parent === undefined) return; // `whereToLook` never answers a path in an unknown folder.
    const folders = new Map<VaultFolder, FolderNode>([[around, parent]]);
    for (const entry of entries) {
      const folder = folders.get(folderOf(entry.path));
      if (folder === undefined) continue;
      const node = update(entry, folder, changes);
      node.look = look;
      if (node.kind === 'folder') folders.set(entry.path, node);
    }
    if (at !== '') {
      folders.delete(around); // The other names in that folder were not looked at.
      dropGone(look, { folder: around, node: parent, names: [fileNameOf(at)] }, changes);
    }
    for (const [folder, node] of folders) {
      dropGone(look, { folder, node, names: node.children.keys() }, changes);
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

/** Takes an entry of a folder over into the snapshot, and adds what has changed to `changes`. */
function update(entry: RawEntry, { children }: FolderNode, changes: Changes): TreeNode {
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

/** Removes those of the given names in a folder that this look has not found. */
function dropGone(
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

/** Adds the path of an entry, and of everything in it, to a list. */
function listAll(path: VaultPath, node: TreeNode, list: VaultPath[]): void {
  list.push(path);
  if (node.kind !== 'folder') return;
  for (const [name, child] of node.children) listAll(pathIn(path, name), child, list);
}

/** The path of a name in a folder; not checked, because it was a vault path before. */
function pathIn(folder: VaultFolder, name: string): VaultPath {
  return (folder === '' ? name : `${folder}/${name}`) as VaultPath;
}

function depthOf(path: VaultPath): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
