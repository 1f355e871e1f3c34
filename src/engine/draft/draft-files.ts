import { assert } from '../../base/assert.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, isInside, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FileStat } from '../ports/records.ts';

/** A file as it was found on disk. */
export interface FoundFile {
  readonly stat: FileStat;
  /** When it was looked at. Close to the mtime, a later write may have left the same stat. */
  readonly atMs: number;
  /** Absent, as are the bytes, when only the stat was needed. */
  readonly version?: Version;
  readonly bytes?: Uint8Array;
}

/** The content that a change gives to a file. */
export interface NewContent {
  readonly bytes: Uint8Array;
  readonly version: Version;
}

/** A file that a draft has looked at, or that it makes. */
export interface DraftFile {
  /** Where it is on disk now; absent for a new file. */
  readonly origin?: VaultPath;
  /** Absent for a new file. */
  found?: FoundFile;
  /** The new content; absent when the content stays as found. */
  after?: NewContent;
  /** The content as text, once it was needed. */
  text?: string;
  /** Set when the caller gave the whole text; see `ChangeStep`. */
  whole?: true;
}

/**
 * Where the files of a draft are. Every file has two paths: the one that it would have after the
 * change, and the one that it has on disk while the steps before the folder moves are carried out.
 * The two differ for files in moved folders, because a change moves folders last.
 */
export class DraftFiles {
  /** Files that were looked at or made, by the path that they would have. */
  readonly files = new Map<VaultPath, DraftFile>();
  /** Deleted files, by their path on disk. */
  readonly deleted = new Map<VaultPath, DraftFile>();
  /** Folders that the caller asked for, empty or not, by their path on disk. */
  readonly folders = new Set<VaultPath>();
  /** For files that are written as new but continue another file: where that one was. */
  readonly formerly = new Map<VaultPath, VaultPath>();
  /** In order. Each names the paths as they are after the moves before it. */
  readonly folderMoves: { readonly from: VaultPath; readonly to: VaultPath }[] = [];
  /** Paths on disk that a file was moved away from or deleted at. */
  readonly #vacated = new Set<VaultPath>();
  /** Folders in or below which this draft has put files at some time; they may have left again. */
  readonly #putInto = new Set<VaultFolder>();

  /**
   * The path on disk that belongs to a path of the draft; undefined for a path in a folder that the
   * draft has moved away, because nothing is there after the change. With `moves`, as if only that
   * many folders had moved.
   */
  onDisk(path: VaultPath, moves = this.folderMoves.length): VaultPath | undefined {
    if (moves === 0) return path;
    let at: string = path;
    for (const { from, to } of this.folderMoves.slice(0, moves).toReversed()) {
      if (at === to || isInside(at, to)) at = from + at.slice(to.length);
      else if (at === from || isInside(at, from)) return undefined;
    }
    return at === path ? path : vaultPath(at);
  }

  /**
   * The path that the file at a path on disk would have: another one if a folder around it moves.
   * Undefined when the draft has moved or deleted the file itself.
   */
  fromDisk(path: VaultPath): VaultPath | undefined {
    return this.#vacated.has(path) ? undefined : this.#moveOn(path, 0);
  }

  /** The folders that this draft has moved, by the path that they would have. */
  movedFolders(): VaultPath[] {
    return this.folderMoves.map(({ to }, index) => this.#moveOn(to, index + 1));
  }

  /** Whether the draft has moved or deleted the file at this path on disk. */
  isVacated(onDisk: VaultPath): boolean {
    return this.#vacated.has(onDisk);
  }

  /** Files that are new, moved or changed, by the path that they would have. */
  *touched(): Iterable<readonly [VaultPath, DraftFile]> {
    for (const [path, file] of this.files) if (this.isTouched(path)) yield [path, file];
  }

  /** Whether the draft has looked at no file and changed nothing so far. */
  isEmpty(): boolean {
    const { files, deleted, folders, folderMoves } = this;
    return files.size + deleted.size + folders.size + folderMoves.length === 0;
  }

  /** Whether this draft has made, moved or changed the file that would be at a path. */
  isTouched(path: VaultPath): boolean {
    const file = this.files.get(path);
    if (file === undefined) return false;
    const isMoved = file.origin !== this.onDisk(path) || this.formerly.has(path);
    return isMoved || file.after !== undefined;
  }

  /** Whether the draft makes a folder at this path, or puts something into it. */
  makesFolder(folder: VaultPath): boolean {
    const onDisk = this.onDisk(folder);
    if (onDisk !== undefined) {
      for (const made of this.folders) if (made === onDisk || isInside(made, onDisk)) return true;
    }
    return this.#hasInside(folder);
  }

  /** Whether this draft has put something somewhere in a folder. */
  #hasInside(folder: VaultPath): boolean {
    if (this.movedFolders().some((moved) => isInside(moved, folder))) return true;
    if (!this.#putInto.has(folder)) return false;
    for (const [path] of this.touched()) if (isInside(path, folder)) return true;
    return false;
  }

  /** Records that a file moves; it must have been looked at. */
  moved(from: VaultPath, to: VaultPath): void {
    const file = this.files.get(from);
    assert(file !== undefined, 'a file is looked at before it is moved');
    this.files.delete(from);
    this.#put(to, file);
    this.#updateVacated(file, to);
  }

  /** Records that a file is deleted; it must have been looked at. */
  removed(path: VaultPath): void {
    const file = this.files.get(path);
    assert(file !== undefined, 'a file is looked at before it is deleted');
    this.files.delete(path);
    if (file.origin === undefined) return;
    this.#vacated.add(file.origin);
    this.deleted.set(file.origin, file);
  }

  /**
   * Records a new file at a free path. If this draft has deleted a file there, that file comes back
   * with the new content instead.
   */
  added(path: VaultPath, after: NewContent): void {
    const onDisk = this.onDisk(path);
    const before = onDisk === undefined ? undefined : this.deleted.get(onDisk);
    if (before?.origin === undefined) {
      this.#put(path, { after });
      return;
    }
    const { origin, found } = before;
    this.deleted.delete(origin);
    const file: DraftFile = { origin, after, ...(found === undefined ? {} : { found }) };
    this.#put(path, file);
    this.#updateVacated(file, path);
  }

  /** Records that a folder moves with everything in it. */
  folderMoved(from: VaultPath, to: VaultPath): void {
    for (const [path, file] of Array.from(this.files)) {
      if (!isInside(path, from)) continue;
      this.files.delete(path);
      this.#put(vaultPath(to + path.slice(from.length)), file);
    }
    const last = this.folderMoves.at(-1);
    // A folder that moves twice becomes one move: recovery could not tell the two apart.
    if (last?.to === from) this.folderMoves.splice(-1, 1, { from: last.from, to });
    else this.folderMoves.push({ from, to });
  }

  /** The path that a path becomes through the folder moves from number `first` on. */
  #moveOn(path: VaultPath, first: number): VaultPath {
    let at: string = path;
    for (const { from, to } of this.folderMoves.slice(first)) {
      if (at === from || isInside(at, from)) at = to + at.slice(from.length);
    }
    return at === path ? path : vaultPath(at);
  }

  #put(path: VaultPath, file: DraftFile): void {
    this.files.set(path, file);
    for (let at = folderOf(path); at !== '' && !this.#putInto.has(at); at = folderOf(at)) {
      this.#putInto.add(at);
    }
  }

  /** Records whether a file that was put at `path` has left its path on disk, or is back there. */
  #updateVacated(file: DraftFile, path: VaultPath): void {
    if (file.origin === undefined) return;
    if (this.onDisk(path) === file.origin) this.#vacated.delete(file.origin);
    else this.#vacated.add(file.origin);
  }
}
