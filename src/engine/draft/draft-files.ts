import { assert } from '../../base/assert.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, isInside, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FileStat } from '../ports/records.ts';

/** A file as it was read from disk. */
export interface FoundFile {
  readonly stat: FileStat;
  /** When it was looked at: a stat that young may hide a later write. */
  readonly atMs: number;
  /** Absent while only its stat was needed. */
  readonly version?: Version;
  readonly bytes?: Uint8Array;
}

/** What a file would hold. */
export interface NewContent {
  readonly bytes: Uint8Array;
  readonly version: Version;
}

/** A file of a draft: one that was looked at, or that is new. */
export interface DraftFile {
  /** Where it is on disk now; absent for a new file. */
  readonly origin?: VaultPath;
  found?: FoundFile;
  /** Absent when its content stays. */
  after?: NewContent;
  /** The text of the content as it would be, once it was needed. */
  text?: string;
}

/**
 * Where every file of a draft is: the paths as they would be, and the paths on disk behind them.
 * Folder moves come last in a change, so what happens to a file in a moved folder happens at its
 * path on disk.
 */
export class DraftFiles {
  /** Files that were looked at or made, by the path they would have. */
  readonly files = new Map<VaultPath, DraftFile>();
  /** Deleted files by their path on disk. */
  readonly deleted = new Map<VaultPath, DraftFile>();
  /** Folders that are made though nothing comes to lie there, by their path on disk. */
  readonly folders = new Set<VaultPath>();
  /** Where files were that are written anew at the path they would have. */
  readonly formerly = new Map<VaultPath, VaultPath>();
  readonly folderMoves: { readonly from: VaultPath; readonly to: VaultPath }[] = [];
  /** Paths on disk that a file was moved away from or deleted at. */
  readonly #vacated = new Set<VaultPath>();
  /** Folders that files were put into; what was put there may have gone on since. */
  readonly #holding = new Set<VaultFolder>();

  /**
   * The path on disk of what is, or would be, at a path; undefined in a folder that this draft
   * has moved away, where nothing is any more. `moves` counts only the first so many folders
   * that it moved.
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

  /** The path that what is on disk at `path` would have; undefined when it moved or is deleted. */
  fromDisk(path: VaultPath): VaultPath | undefined {
    return this.#vacated.has(path) ? undefined : this.#moveOn(path, 0);
  }

  /** The folders that this draft has moved, where they would be. */
  movedFolders(): VaultPath[] {
    return this.folderMoves.map(({ to }, index) => this.#moveOn(to, index + 1));
  }

  /** Whether the disk still answers for this path on disk. */
  isVacated(onDisk: VaultPath): boolean {
    return this.#vacated.has(onDisk);
  }

  /** Files that are new, moved or of another content, by the path they would have. */
  *touched(): Iterable<readonly [VaultPath, DraftFile]> {
    for (const [path, file] of this.files) if (this.isTouched(path)) yield [path, file];
  }

  /** Whether this draft has made, moved or changed the file that would be at a path. */
  isTouched(path: VaultPath): boolean {
    const file = this.files.get(path);
    if (file === undefined) return false;
    const isMoved = file.origin !== this.onDisk(path) || this.formerly.has(path);
    return isMoved || file.after !== undefined;
  }

  /** Whether a folder would be there because of this draft. */
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
    if (!this.#holding.has(folder)) return false;
    for (const [path] of this.touched()) if (isInside(path, folder)) return true;
    return false;
  }

  moved(from: VaultPath, to: VaultPath): void {
    const file = this.files.get(from);
    assert(file !== undefined, 'a file is looked at before it is moved');
    this.files.delete(from);
    this.#put(to, file);
    this.#settle(file, to);
  }

  removed(path: VaultPath): void {
    const file = this.files.get(path);
    assert(file !== undefined, 'a file is looked at before it is deleted');
    this.files.delete(path);
    if (file.origin === undefined) return;
    this.#vacated.add(file.origin);
    this.deleted.set(file.origin, file);
  }

  /** A new file at a free path. One that this draft deleted there comes back with new content. */
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
    this.#settle(file, path);
  }

  folderMoved(from: VaultPath, to: VaultPath): void {
    for (const [path, file] of Array.from(this.files)) {
      if (!isInside(path, from)) continue;
      this.files.delete(path);
      this.#put(vaultPath(to + path.slice(from.length)), file);
    }
    const last = this.folderMoves.at(-1);
    // One step for a folder, however often it moves: each must be told from the others.
    if (last?.to === from) this.folderMoves.splice(-1, 1, { from: last.from, to });
    else this.folderMoves.push({ from, to });
  }

  /** Where something comes to lie through the folder moves from the given one on. */
  #moveOn(path: VaultPath, first: number): VaultPath {
    let at: string = path;
    for (const { from, to } of this.folderMoves.slice(first)) {
      if (at === from || isInside(at, from)) at = to + at.slice(from.length);
    }
    return at === path ? path : vaultPath(at);
  }

  #put(path: VaultPath, file: DraftFile): void {
    this.files.set(path, file);
    for (let at = folderOf(path); at !== '' && !this.#holding.has(at); at = folderOf(at)) {
      this.#holding.add(at);
    }
  }

  #settle(file: DraftFile, path: VaultPath): void {
    if (file.origin === undefined) return;
    if (this.onDisk(path) === file.origin) this.#vacated.delete(file.origin);
    else this.#vacated.add(file.origin);
  }
}
