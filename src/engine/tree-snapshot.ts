import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../base/vault-path.ts';
import type { FileEvent } from './file-event.ts';
import type { RawEntry } from './raw-disk.ts';

interface FolderNode {
  readonly kind: 'folder';
  readonly children: Map<string, TreeNode>;
}

/** Only what tells whether it is the same: there is one of these for every file of the vault. */
interface LeafNode {
  readonly kind: 'file' | 'symlink';
  readonly stamp: string;
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
  #root = emptyFolder();

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
    if (at === '') {
      const before = this.#root;
      this.#root = compare({ folder: '', before, entries }, changes);
      listGone('', { before, after: this.#root }, changes.deleted);
      return;
    }
    const folder = folderOf(at);
    const name = fileNameOf(at);
    const parent = this.#folderAt(folder);
    if (parent === undefined) return; // It is looked at again when its folder is known.
    const before = parent.children.get(name);
    const after = compare({ folder, before: parent, entries }, changes).children.get(name);
    if (before !== undefined) listGone(at, { before, after }, changes.deleted);
    if (after === undefined) parent.children.delete(name);
    else parent.children.set(name, after);
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

/** The entries as a tree in `folder`, beside which `before` is what was known of that folder. */
function compare(
  known: {
    readonly folder: VaultFolder;
    readonly before: FolderNode;
    readonly entries: readonly RawEntry[];
  },
  { created, modified }: Changes,
): FolderNode {
  const top = emptyFolder();
  const folders = new Map<VaultFolder, { before: FolderNode | undefined; after: FolderNode }>();
  folders.set(known.folder, { before: known.before, after: top });
  for (const entry of known.entries) {
    const parent = folders.get(folderOf(entry.path));
    if (parent === undefined) continue;
    const name = fileNameOf(entry.path);
    const before = parent.before?.children.get(name);
    const after = nodeOf(entry, before);
    parent.after.children.set(name, after);
    if (after.kind === 'folder') {
      folders.set(entry.path, { before: before?.kind === 'folder' ? before : undefined, after });
    }
    if (before?.kind !== after.kind) created.push(entry);
    else if (after.kind !== 'folder' && after !== before) modified.push(entry);
  }
  return top;
}

/** An entry as it is kept: the very node that was, where it is the same. */
function nodeOf({ kind, stamp }: RawEntry, before: TreeNode | undefined): TreeNode {
  if (kind === 'folder') return emptyFolder();
  return before?.kind === kind && before.stamp === stamp ? before : { kind, stamp };
}

/** Lists what was there and is not, or is of another kind: what was in a folder, then the folder. */
function listGone(
  path: VaultFolder,
  { before, after }: { readonly before: TreeNode; readonly after: TreeNode | undefined },
  gone: VaultPath[],
): void {
  if (before.kind === 'folder') {
    const still = after?.kind === 'folder' ? after.children : undefined;
    for (const [name, child] of before.children) {
      const childPath = (path === '' ? name : `${path}/${name}`) as VaultPath;
      listGone(childPath, { before: child, after: still?.get(name) }, gone);
    }
  }
  if (path !== '' && before.kind !== after?.kind) gone.push(path);
}

function emptyFolder(): FolderNode {
  return { kind: 'folder', children: new Map() };
}

function depthOf(path: VaultPath): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
