import { VaultError } from '../../src/base/vault-error.ts';
import { fileNameOf, folderOf, isInside, type VaultPath } from '../../src/base/vault-path.ts';
import type { Disk, SeenFile, WritableDisk } from '../../src/engine/ports/ports.ts';
import { diskError, errnoOf, systemError } from '../../src/node/system/disk-error.ts';
import type { MemoryFile, MemoryFolder, MemoryNode, MemoryTree } from './memory-tree.ts';

type DiskWrites = Omit<
  WritableDisk,
  keyof Disk | 'kind' | 'entry' | 'entries' | 'readEnd' | 'gate'
>;

/** A name in a folder, whether something is there or not. */
interface Place {
  readonly folder: MemoryFolder;
  readonly name: string;
}

/**
 * The writing half of a disk in memory, step for step what the disk of the machine does. When a
 * call answers its promise, all its steps are done: nothing ever comes between them.
 */
export function memoryDiskWrites(
  tree: MemoryTree,
  calls: Record<keyof DiskWrites, number>,
): DiskWrites {
  const counted = async <T>(method: keyof DiskWrites, path: string, call: () => T): Promise<T> => {
    calls[method] += 1;
    return about(path, call);
  };
  const placeOf = (path: VaultPath): Place => ({
    folder: tree.parent(path),
    name: fileNameOf(path),
  });
  const besides = (path: VaultPath, token: string): Place => ({
    folder: tree.parent(path),
    name: `.~vd-${token}.tmp`,
  });
  const checkStamp = (path: VaultPath, stamp: string | undefined) => {
    const node = tree.at(path);
    if (stamp === undefined || (node?.kind === 'file' && node.stat.stamp === stamp)) return;
    throw new VaultError('conflict', `"${path}" was changed by another program.`);
  };
  const unlink = (place: Place) => tree.setNames([{ ...open(place), node: undefined }]);

  return {
    stage: (path, token, bytes, { sync = false } = {}) =>
      counted('stage', path, () => {
        const temporary = open(besides(path, token));
        const target = tree.at(path);
        if (target?.kind === 'folder') throw systemError('EISDIR');
        if (target !== undefined && (target.mode & 0o200) === 0) throw systemError('EACCES');
        if (temporary.folder.names.has(temporary.name)) unlink(temporary);
        const file = tree.newFile(target?.mode);
        tree.setNames([{ ...temporary, node: file }]);
        tree.setContent(file, bytes.slice(0, bytes.length >> 1));
        tree.setContent(file, bytes.slice());
        if (sync) tree.onStep({ do: 'syncFile', file });
      }),

    syncStaged: (path, token) =>
      counted('syncStaged', path, () =>
        tree.onStep({ do: 'syncFile', file: fileIn(besides(path, token)) }),
      ),

    hasStaged: (path, token) =>
      counted('hasStaged', path, () => {
        if (tree.at(folderOf(path))?.kind !== 'folder') return false;
        const { folder, name } = besides(path, token);
        return folder.names.get(name)?.kind === 'file';
      }),

    place: (path, token, { replace, stamp }) =>
      counted('place', path, () => {
        const temporary = besides(path, token);
        if (replace) checkStamp(path, stamp);
        const file = fileIn(temporary);
        const target = open(placeOf(path));
        if (!replace) moveFile(tree, file, { from: temporary, to: target });
        else if (tree.at(path)?.kind === 'folder') throw systemError('EISDIR');
        else {
          tree.setNames([
            { ...target, node: file },
            { ...temporary, node: undefined },
          ]);
        }
        return file.stat;
      }),

    unstage: (path, token) =>
      counted('unstage', path, () => {
        if (tree.at(folderOf(path))?.kind !== 'folder') return;
        const temporary = besides(path, token);
        if (temporary.folder.names.has(temporary.name)) unlink(temporary);
      }),

    move: (from, to, over) =>
      counted('move', from, () => {
        const source = placeOf(from);
        const goal = about(to, () => placeOf(to));
        if (isInside(to, from)) {
          throw new VaultError('invalid_input', `"${from}" cannot be moved into itself.`);
        }
        const node = source.folder.names.get(source.name);
        if (node === undefined) throw systemError('ENOENT');
        if (from === to) return;
        open(source);
        open(goal);
        about(to, () => {
          if (over !== undefined) {
            const there = goal.folder.names.get(goal.name);
            checkStamp(to, over.stamp);
            if (there !== undefined) checkReplaces(node, there);
            const gone = { ...source, node: undefined };
            return tree.setNames(there === node ? [gone] : [{ ...goal, node }, gone]);
          }
          if (node.kind === 'file') return moveFile(tree, node, { from: source, to: goal });
          if (goal.folder.names.has(goal.name)) throw systemError('EEXIST');
          return tree.setNames([
            { ...goal, node },
            { ...source, node: undefined },
          ]);
        });
      }),

    remove: (path, { stamp } = {}) =>
      counted('remove', path, () => {
        tree.file(path);
        checkStamp(path, stamp);
        unlink(placeOf(path));
      }),

    removeEntry: (path) =>
      counted('removeEntry', path, () => {
        tree.file(path);
        unlink(placeOf(path));
      }),

    makeFolder: (path) =>
      counted('makeFolder', path, () => {
        const place = placeOf(path);
        if (place.folder.names.has(place.name)) throw systemError('EEXIST');
        tree.setNames([{ ...open(place), node: tree.newFolder() }]);
      }),

    removeFolder: (path) =>
      counted('removeFolder', path, () => {
        const node = tree.at(path);
        if (node === undefined) return true;
        if (node.kind === 'file' || node.names.size > 0) return false;
        unlink(placeOf(path));
        return true;
      }),

    syncFolder: (folder) =>
      counted('syncFolder', folder, () => {
        const node = tree.at(folder);
        if (node?.kind === 'folder') tree.onStep({ do: 'syncFolder', folder: node });
      }),

    append: (path, bytes, seen) =>
      counted('append', path, () => {
        const file = writable(tree.file(path));
        checkSeen(path, file, seen);
        const before = file.bytes;
        // A write reaches the disk's memory in parts, and a full disk takes only some of it.
        for (const length of [bytes.length >> 1, bytes.length]) {
          const joined = new Uint8Array(before.length + length);
          joined.set(before);
          joined.set(bytes.subarray(0, length), before.length);
          tree.setContent(file, joined);
        }
        tree.onStep({ do: 'syncFile', file });
      }),

    cut: (path, length, seen) =>
      counted('cut', path, () => {
        const file = writable(tree.file(path));
        checkSeen(path, file, seen);
        if (length !== seen.size) tree.setContent(file, file.bytes.slice(0, length));
        tree.onStep({ do: 'syncFile', file });
      }),

    cannotKeep: () => counted('cannotKeep', '', () => []),
  };
}

/** Gives a file its new name, then takes the old one; finishes what a crash left half done. */
function moveFile(tree: MemoryTree, file: MemoryFile, { from, to }: { from: Place; to: Place }) {
  const there = to.folder.names.get(to.name);
  if (there !== undefined && there !== file) throw systemError('EEXIST');
  if (there === undefined) tree.setNames([{ ...to, node: file }]);
  tree.setNames([{ ...from, node: undefined }]);
}

/** What `rename` of POSIX refuses to replace. */
function checkReplaces(node: MemoryNode, there: MemoryNode): void {
  if (node.kind === 'file' && there.kind === 'folder') throw systemError('EISDIR');
  if (node.kind === 'folder' && there.kind === 'file') throw systemError('ENOTDIR');
  if (there.kind === 'folder' && there.names.size > 0) throw systemError('ENOTEMPTY');
}

function checkSeen(path: VaultPath, file: MemoryFile, seen: SeenFile): void {
  if (`${file.inode}` === seen.inode && file.bytes.length === seen.size) return;
  throw new VaultError('conflict', `"${path}" was changed by another program.`);
}

function writable(file: MemoryFile): MemoryFile {
  if ((file.mode & 0o200) === 0) throw systemError('EACCES');
  return file;
}

function fileIn({ folder, name }: Place): MemoryFile {
  const node = folder.names.get(name);
  if (node?.kind !== 'file') throw systemError('ENOENT');
  return node;
}

/** A place whose folder can be changed. */
function open(place: Place): Place {
  if (place.folder.locked) throw systemError('EACCES');
  return place;
}

function about<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw errnoOf(error) === undefined ? error : diskError(path, error, 'write');
  }
}
