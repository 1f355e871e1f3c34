import {
  type MemoryFile,
  type MemoryFolder,
  type MemoryNode,
  MemoryTree,
  type NameChange,
  type TreeStep,
} from './memory-tree.ts';

/** What a disk makes of what was not synced when the power went out. */
export interface CrashChoice {
  /** Whether a change of names reached the disk. */
  names(): boolean;
  /** What a file holds; the synced bytes of one that never was are none. */
  content(bytes: { readonly synced: Uint8Array; readonly current: Uint8Array }): Uint8Array;
}

/** Changes of names that reach the disk together, and only after what they need. */
interface NameGroup {
  readonly changes: readonly NameChange[];
  /** Earlier groups that give one of these come first. */
  readonly needs: ReadonlySet<unknown>;
  readonly gives: ReadonlySet<unknown>;
}

/**
 * What of a tree has reached the disk: a disk with a journal for names, weaker than those in use.
 * Changes of names reach it in any order, but those of one file in order (so a file that is moved
 * is never without a name), those of one name in order, and a folder goes after what was in it.
 * Names of a new folder are of no use until its own name is there. Contents reach it in any
 * order, whole or torn. What the tree holds at the beginning is all there.
 */
export class DurableTree {
  readonly #tree: MemoryTree;
  /** The synced names of folders that changed. */
  readonly #names = new Map<MemoryFolder, Map<string, MemoryNode>>();
  /** The synced bytes of files that changed since. */
  readonly #bytes = new Map<MemoryFile, Uint8Array>();
  #pending: NameGroup[] = [];

  constructor(tree: MemoryTree) {
    this.#tree = tree;
  }

  /** Takes note of what is about to happen. */
  record(step: TreeStep): void {
    switch (step.do) {
      case 'names':
        for (const { folder } of step.changes) {
          if (!this.#names.has(folder)) this.#names.set(folder, new Map(folder.names));
        }
        this.#pending.push(groupOf(step.changes));
        break;
      case 'content':
        if (!this.#bytes.has(step.file)) this.#bytes.set(step.file, step.file.bytes);
        break;
      case 'syncFile':
        this.#bytes.delete(step.file);
        break;
      case 'syncFolder':
        this.#syncFolder(step.folder);
        break;
    }
  }

  /** The tree as the disk has it after a crash now. */
  afterCrash(choice: CrashChoice): MemoryTree {
    const names = new Map(Array.from(this.#names, ([folder, synced]) => [folder, new Map(synced)]));
    const missing = new Set<unknown>();
    for (const { changes, needs, gives } of this.#pending) {
      const held = [...needs].some((need) => missing.has(need));
      if (!held && choice.names()) apply(changes, names);
      else for (const gift of gives) missing.add(gift);
    }
    const { stepMs, nowMs, inodes } = this.#tree;
    const tree = new MemoryTree({ stepMs, nowMs, inodes });
    const files = new Map<MemoryFile, MemoryFile>();
    const copyFile = (file: MemoryFile): MemoryFile => {
      const synced = this.#bytes.get(file);
      const { inode, bytes: current, stat } = file; // A file keeps its inode.
      const copy = Object.assign(tree.newFile(file.mode), { inode, bytes: current, stat });
      copy.locked = file.locked;
      if (synced === undefined) return copy;
      const bytes = choice.content({ synced, current: file.bytes });
      if (Buffer.compare(bytes, file.bytes) !== 0) tree.setContent(copy, bytes.slice());
      return copy;
    };
    const copyInto = (from: MemoryFolder, to: MemoryFolder): void => {
      to.locked = from.locked;
      for (const [name, node] of names.get(from) ?? from.names) {
        if (node.kind === 'folder') {
          const folder = tree.newFolder();
          to.names.set(name, folder);
          copyInto(node, folder);
        } else {
          const copy = files.get(node) ?? copyFile(node);
          files.set(node, copy);
          to.names.set(name, copy);
        }
      }
    };
    copyInto(this.#tree.root, tree.root);
    return tree;
  }

  #syncFolder(folder: MemoryFolder): void {
    const wanted = new Set<unknown>();
    const synced = new Set<NameGroup>();
    for (const group of this.#pending.toReversed()) {
      const isHere = group.changes.some((change) => change.folder === folder);
      if (!isHere && ![...group.gives].some((gift) => wanted.has(gift))) continue;
      synced.add(group);
      for (const need of group.needs) wanted.add(need);
    }
    for (const { changes } of this.#pending.filter((group) => synced.has(group))) {
      apply(changes, this.#names);
    }
    this.#pending = this.#pending.filter((group) => !synced.has(group));
  }
}

function groupOf(changes: readonly NameChange[]): NameGroup {
  const needs = new Set<unknown>();
  const gives = new Set<unknown>();
  for (const { folder, name, node } of changes) {
    const old = folder.names.get(name);
    for (const key of [`${folder.inode}/${name}`, node, old]) {
      if (key === undefined) continue;
      needs.add(key);
      gives.add(key);
    }
    gives.add(`in ${folder.inode}`);
    const isGone = !changes.some((change) => change.node === old);
    if (old?.kind === 'folder' && isGone) needs.add(`in ${old.inode}`);
  }
  return { changes, needs, gives };
}

function apply(
  changes: readonly NameChange[],
  names: ReadonlyMap<MemoryFolder, Map<string, MemoryNode>>,
): void {
  for (const { folder, name, node } of changes) {
    if (node === undefined) names.get(folder)?.delete(name);
    else names.get(folder)?.set(name, node);
  }
}
