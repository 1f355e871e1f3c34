import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  foldName,
  isHidden,
  joinPath,
  pathKey,
} from '../../base/vault-path.ts';
import { isWritableDotFile } from '../notes/bookmarks-file.ts';
import type { FileStat } from '../ports/records.ts';
import { seesAll } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { checkSeen } from '../vault/check-seen.ts';
import { notFound } from '../vault/not-found.ts';
import type { DraftFile, DraftFiles, FoundFile } from './draft-files.ts';

/**
 * The disk as it would be after a draft: looks at the files on disk, corrected by what the draft
 * has made, moved and deleted so far. Which paths the caller may see is not checked here, only where
 * symlinks lead.
 */
export class DraftDisk {
  readonly #vault: BoundVault;
  readonly #files: DraftFiles;
  /** What was found at paths on disk. Whether that still holds is looked at before the change is made. */
  readonly #kinds = new Map<VaultPath, 'file' | 'folder' | undefined>();

  constructor(vault: BoundVault, files: DraftFiles) {
    this.#vault = vault;
    this.#files = files;
  }

  /** What would be at a path; undefined for nothing. */
  async kind(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (this.#files.files.has(path)) return 'file';
    const onDisk = this.#pathBehind(path);
    const kind = onDisk && (await this.#kindOnDisk(onDisk));
    if (kind !== undefined) return kind;
    return this.#files.makesFolder(path) ? 'folder' : undefined;
  }

  /**
   * Whether the file at a path is a symlink to one that the caller may not see, or has a mark that
   * hides it.
   */
  async isOutOfSight(path: VaultPath): Promise<boolean> {
    if (seesAll(this.#vault.view())) return false;
    const known = this.#files.files.get(path);
    if (known !== undefined) {
      const { origin, after, found } = known;
      return origin !== undefined && after === undefined
        ? this.#vault.isMarked(origin, found?.bytes)
        : false;
    }
    const onDisk = this.#pathBehind(path);
    const stat = onDisk && (await this.#vault.vault.parts.disk.stat(onDisk));
    if (onDisk === undefined || stat === undefined) return false;
    return this.#leadsOutOfSight(stat) || this.#vault.isMarked(onDisk);
  }

  /** The file at a path, with its stat at least. Fails with `not_found`, `is_a_folder`. */
  async look(path: VaultPath): Promise<DraftFile> {
    const known = this.#files.files.get(path);
    if (known !== undefined) return known;
    const origin = this.#readablePath(path);
    const { disk, clock } = this.#vault.vault.parts;
    const atMs = clock.nowMs();
    const stat = await disk.stat(origin);
    if (stat === undefined) throw await this.#missing(path);
    this.#checkLink(stat);
    return this.#remember(path, { origin, found: { stat, atMs } });
  }

  /** The file at a path, with its content; reads it once. Fails as `Disk.read` does. */
  async load(path: VaultPath, bytesMax: number): Promise<DraftFile> {
    const known = this.#files.files.get(path);
    if (known?.after !== undefined || known?.found?.bytes !== undefined) return known;
    const origin = known?.origin ?? this.#readablePath(path);
    const { disk, clock } = this.#vault.vault.parts;
    const atMs = clock.nowMs();
    const found: FoundFile = { ...(await disk.read(origin, { bytesMax })), atMs };
    this.#checkLink(found.stat);
    if (known === undefined) return this.#remember(path, { origin, found });
    known.found = found;
    return known;
  }

  /** A path with its folders spelled as they are; see `Draft.spell`. */
  async spell(path: VaultPath): Promise<VaultPath> {
    let folder: VaultFolder = '';
    for (const name of path.split('/').slice(0, -1)) {
      const exact = joinPath(folder, name);
      folder =
        (await this.kind(exact)) === 'folder'
          ? exact
          : ((await this.#folderLike(folder, name)) ?? exact);
    }
    return joinPath(folder, fileNameOf(path));
  }

  /**
   * Fails unless a file or folder may come to a path: with `already_exists` when something is
   * there, with `not_a_folder` below a file. `from` is what is to move there, if anything.
   */
  async checkFree(path: VaultPath, from?: VaultPath): Promise<void> {
    if (this.#files.onDisk(path) === undefined) throw placeTaken(path, 'a folder');
    const kind = isRespelled(path, from) ? await this.#listed(path) : await this.kind(path);
    if (kind === undefined) return this.#checkFolder(folderOf(path));
    throw new VaultError('already_exists', `There is already a ${kind} "${path}".`, {
      details: { path },
    });
  }

  /**
   * The path on disk where a folder is to be made or moved to. Fails with `invalid_input` when the
   * draft moves or deletes a file there: a folder can take its place only in a later change.
   */
  folderTarget(path: VaultPath): VaultPath {
    const onDisk = this.#pathBehind(path);
    if (onDisk === undefined) throw placeTaken(path, 'a file');
    return onDisk;
  }

  /** What is at a path on disk, undefined for nothing; looks once at each. */
  async #kindOnDisk(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (!this.#kinds.has(path)) {
      this.#kinds.set(path, await this.#vault.vault.parts.disk.kind(path));
    }
    return this.#kinds.get(path);
  }

  /**
   * The path on disk of what is at a path; undefined when the draft has moved or deleted what was
   * there.
   */
  #pathBehind(path: VaultPath): VaultPath | undefined {
    const onDisk = this.#files.onDisk(path);
    return onDisk === undefined || this.#files.isVacated(onDisk) ? undefined : onDisk;
  }

  /** Keeps what was found at a path, unless another read of the same file has come first. */
  #remember(path: VaultPath, file: DraftFile): DraftFile {
    const known = this.#files.files.get(path);
    if (known !== undefined) return known;
    this.#files.files.set(path, file);
    return file;
  }

  /**
   * Fails with `forbidden` when a symlink leads to a file that the caller may not see. The path itself
   * may be one that it does not see: a rename also reads the notes in which links are to be changed.
   */
  #checkLink(stat: FileStat): void {
    if (stat.leadsTo !== undefined) checkSeen(this.#vault, stat.leadsTo);
  }

  #leadsOutOfSight({ leadsTo }: FileStat): boolean {
    return leadsTo !== undefined && !this.#vault.sees(leadsTo);
  }

  #readablePath(path: VaultPath): VaultPath {
    if (isHidden(path) && !this.#vault.raw && !isWritableDotFile(path)) throw notFound(path);
    const onDisk = this.#pathBehind(path);
    if (onDisk === undefined) throw notFound(path);
    return onDisk;
  }

  async #missing(path: VaultPath): Promise<VaultError> {
    if ((await this.kind(path)) !== 'folder') return notFound(path);
    return new VaultError('is_a_folder', `"${path}" is a folder.`, { details: { path } });
  }

  /** A folder in `folder` whose name differs at most in case and Unicode form. */
  async #folderLike(folder: VaultFolder, name: string): Promise<VaultPath | undefined> {
    const onDisk = folder === '' ? '' : this.#files.onDisk(folder);
    if (onDisk === undefined) return undefined;
    const wanted = foldName(name);
    const entries = (await this.#vault.vault.parts.disk.list(onDisk)) ?? [];
    const like = entries.find(
      (entry) => entry.kind === 'folder' && foldName(entry.name) === wanted,
    );
    return like === undefined ? undefined : joinPath(folder, like.name);
  }

  /** What is at a path in exactly this spelling: many disks also answer to other spellings. */
  async #listed(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (this.#files.files.has(path)) return 'file';
    const onDisk = this.#pathBehind(path);
    if (onDisk === undefined) return undefined;
    const entries = (await this.#vault.vault.parts.disk.list(folderOf(onDisk))) ?? [];
    return entries.find(({ name }) => name === fileNameOf(onDisk))?.kind;
  }

  /** Fails with `not_a_folder` when a file is where a folder would have to be. */
  async #checkFolder(folder: VaultFolder): Promise<void> {
    for (let at = folder; at !== ''; at = folderOf(at)) {
      const kind = await this.kind(at);
      if (kind === 'folder') return;
      if (kind === undefined) continue;
      throw new VaultError('not_a_folder', `"${at}" is a file, not a folder.`, {
        details: { path: at },
      });
    }
  }
}

/** Refuses to put something where the same change takes something else away. */
function placeTaken(path: VaultPath, what: 'a file' | 'a folder'): VaultError {
  return new VaultError(
    'invalid_input',
    `"${path}" is where the same change moves or deletes ${what}; make two changes of it.`,
    { details: { path } },
  );
}

/** Whether two paths are spellings of one name in one folder. */
function isRespelled(path: VaultPath, from: VaultPath | undefined): boolean {
  return from !== undefined && folderOf(path) === folderOf(from) && pathKey(path) === pathKey(from);
}
